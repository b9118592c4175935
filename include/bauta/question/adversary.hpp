// The ladder of adversaries: which forms of the data attackers learn from, and which they meet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bauta/question/views.hpp"

namespace bauta {

struct Adversary {
  std::string name;
  std::string doc;
  double masked = 1;            ///< share of protected samples among those that they learn from
  bool undoes = false;          ///< they undo the protection of what they meet first
  bool undoes_learned = false;  ///< and of what they learn from
  bool from_pairs = false;      ///< by a reversal that is learned from pairs, clear and protected, of other people
  bool retrains = false;        ///< the representation is learned from other people, protected
  bool learns_all = false;      ///< and from the same samples as the rest

  [[nodiscard]] Form learns(const std::string& technique, const std::string& recovery) const;
  [[nodiscard]] Form meets(const std::string& technique, const std::string& recovery) const;
  /// How they see media by `extractor`, who learn from the samples of `role`.
  [[nodiscard]] Representation sees(const std::string& extractor, const std::string& technique, Role role) const;
  /// Whether that is learned from other people behind the mask.
  [[nodiscard]] bool relearns(const std::string& extractor, const std::string& technique) const;
  /// Whether they have learned from protected samples or undo what they meet.
  [[nodiscard]] bool informed() const { return masked > 0 || undoes; }
  /// The same attackers where nothing is protected.
  [[nodiscard]] Representation sees_clear(const std::string& extractor, const std::string& technique, Role role) const;
};

/// From those who know nothing of the technique to those who undo it.
const std::vector<Adversary>& adversaries();
/// Those whom an experiment asks about that names none: in a closed set the one who is claimed to fail and one who
/// knows the technique.
std::vector<std::string> usual_adversaries(bool closed_set);
/// By name or by the words of other communities (ignorant, lazy-informed, semi-informed).
const Adversary& find_adversary(std::string_view name);

}  // namespace bauta
