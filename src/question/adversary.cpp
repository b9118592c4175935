#include "bauta/question/adversary.hpp"

#include <array>
#include <utility>

#include "bauta/core/error.hpp"
#include "bauta/extract/extractor.hpp"
#include "bauta/question/protecting.hpp"

namespace bauta {

namespace {

/// Words of other communities for the same attackers.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> aliases = {
    {{"ignorant", "naive"}, {"lazy-informed", "lazy"}, {"semi-informed", "parrot"}, {"adaptive", "parrot"}}};

bool learns_at_all(const std::string& extractor) {
  return find_entry(extractors(), "extractor", Specification::parse(extractor).name).declaration.learns;
}

/// Whether masked samples are all that it needs; one that is taught needs the same samples clear.
bool learns_by_itself(const std::string& extractor) {
  return learns_at_all(extractor) && make_extractor(extractor)->teacher().empty();
}

}  // namespace

Form Adversary::learns(const std::string& technique, const std::string& recovery) const {
  if (undoes_learned) return {technique, recovery};
  if (masked == 0) return {};
  return {technique, {}, masked};
}

Form Adversary::meets(const std::string& technique, const std::string& recovery) const {
  return {technique, undoes ? recovery : std::string()};
}

Representation Adversary::sees(const std::string& extractor, const std::string& technique, Role role) const {
  if (!masked_before(extractor, technique)) return {extractor};
  if (retrains && learns_at_all(extractor)) return {extractor, Form{technique}};
  if (!learns_all || !learns_by_itself(extractor)) return {extractor};
  return {extractor, learns(technique, {}), role};
}

bool Adversary::relearns(const std::string& extractor, const std::string& technique) const {
  return retrains && !sees(extractor, technique, Role::enrol).fitted_in.clear();
}

Representation Adversary::sees_clear(const std::string& extractor, const std::string& technique, Role role) const {
  return {extractor, {}, sees(extractor, technique, role).fitted_on};
}

const std::vector<Adversary>& adversaries() {
  static const std::vector<Adversary> ladder = {
      {.name = "naive", .doc = "learn from clear samples and meet protected ones", .masked = 0},
      {.name = "parrot-25",
       .doc = "learn from samples of which a quarter is protected",
       .masked = 0.25,
       .learns_all = true},
      {.name = "parrot-50", .doc = "learn from samples of which half are protected", .masked = 0.5, .learns_all = true},
      {.name = "parrot-75",
       .doc = "learn from samples of which three quarters are protected",
       .masked = 0.75,
       .learns_all = true},
      {.name = "lazy",
       .doc = "learn from protected samples, seen by a representation that was learned from clear ones"},
      {.name = "parrot",
       .doc = "learn from protected samples, the representation included where it is learned",
       .learns_all = true},
      {.name = "retrained",
       .doc = "learn from protected samples, seen by a representation that was learned from other people, protected",
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

std::vector<std::string> usual_adversaries(bool closed_set) {
  if (closed_set) return {"naive", "parrot"};
  return {"parrot"};
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
