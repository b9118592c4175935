#include "bauta/question/adversary.hpp"

#include <array>
#include <utility>

#include "bauta/core/error.hpp"
#include "bauta/question/protecting.hpp"

namespace bauta {

namespace {

/// Words of other communities for the same attackers.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> aliases = {
    {{"ignorant", "naive"}, {"lazy-informed", "lazy"}, {"semi-informed", "parrot"}, {"adaptive", "parrot"}}};

}  // namespace

Form Adversary::learns(const std::string& technique, const std::string& recovery) const {
  if (undoes_learned) return {technique, recovery};
  if (masked == 0) return {};
  return {technique, {}, masked};
}

Form Adversary::meets(const std::string& technique, const std::string& recovery) const {
  return {technique, undoes ? recovery : std::string()};
}

Representation Adversary::sees(const std::string& extractor, const std::string& technique) const {
  // What masks templates comes after the representation, which is then learned from people as they are.
  const bool masked_before = protection_declaration(technique).medium != "template";
  return {extractor, retrains && masked_before ? Form{technique} : Form{}};
}

const std::vector<Adversary>& adversaries() {
  static const std::vector<Adversary> ladder = {
      {.name = "naive", .doc = "learn from clear samples and meet protected ones", .masked = 0},
      {.name = "parrot-25", .doc = "learn from samples of which a quarter is protected", .masked = 0.25},
      {.name = "parrot-50", .doc = "learn from samples of which half are protected", .masked = 0.5},
      {.name = "parrot-75", .doc = "learn from samples of which three quarters are protected", .masked = 0.75},
      {.name = "lazy",
       .doc = "learn from protected samples, seen by a representation that was learned from clear ones"},
      {.name = "parrot", .doc = "learn from protected samples"},
      {.name = "retrained",
       .doc = "learn from protected samples, seen by a representation that was learned from protected people",
       .retrains = true},
      {.name = "recover",
       .doc = "undo the protection of what they meet, having learned from clear samples",
       .masked = 0,
       .undoes = true},
      {.name = "recover+parrot",
       .doc = "undo the protection of what they meet and of what they learn from",
       .undoes = true,
       .undoes_learned = true},
      {.name = "invert",
       .doc = "undo the protection by a reversal learned from pairs of other people, having learned from clear samples",
       .masked = 0,
       .undoes = true,
       .from_pairs = true},
  };
  return ladder;
}

const Adversary& find_adversary(std::string_view name) {
  std::string_view wanted = name;
  for (const auto& [word, own] : aliases) {
    if (word == name) wanted = own;
  }
  std::vector<std::string> known;
  for (const Adversary& adversary : adversaries()) {
    if (adversary.name == wanted) return adversary;
    known.push_back(adversary.name);
  }
  throw_usage("adversary '" + std::string(name) + "'", "no such adversary", suggest(name, known));
}

}  // namespace bauta
