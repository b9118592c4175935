// The data of an attack on an attribute: where attackers learn, tune and are tested.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"
#include "bauta/question/adversary.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

/// The parts share no subject.
struct AttackSplit {
  Dataset train;
  std::optional<Dataset> dev = std::nullopt;
  Dataset test;
  /// Samples of the test part that say nothing of a mask, because there is no template of them without it either;
  /// empty: all that failed.
  std::vector<bool> left_out = {};
};

/// The single split across data bases, or the rotations of a protocol; each is made when somebody asks for it.
struct AttackData {
  using Split = std::function<AttackSplit(std::size_t rotation)>;

  std::size_t rotations = 1;
  Split attacked;
  Split clear = nullptr;     ///< the same samples unprotected; null: not known
  bool unprotected = false;  ///< what is attacked is clear itself
  bool same_mask = true;     ///< what is learned from is protected like what is attacked

  /// What is attacked, and who is left out, as far as the same samples are known unprotected.
  [[nodiscard]] AttackSplit under_attack(std::size_t rotation) const;
  /// One split that is there already; its data must outlive this.
  static AttackData of(const Dataset& train, const Dataset& test, const Dataset* dev = nullptr);
};

/// An adversary, and what they undo the technique by if they do.
struct Attempt {
  const Adversary* who = nullptr;
  std::string recovery = {};
};

/// By each of the adversaries; by one who undoes, with each recovery that can be tried on samples that are met once:
/// those of attack.recovery or, where it names none, all.
std::vector<Attempt> attempts_on(const std::string& technique, const std::vector<std::string>& adversaries,
                                 const Setting& setting);

/// Throws where an attempt takes other people than the arrangement has.
void require_others(const Attempt& attempt, const std::string& technique, const std::string& extractor,
                    const Arrangement& arrangement);

/// What an attack on an attribute needs to know of the cell that it is asked in.
struct AttackCell {
  std::string technique;
  std::string attribute;
  std::string adversary;  ///< empty: nothing is protected, all are alike
  std::string recovery;
  std::string representation;

  /// From what attack_cells() put into a key.
  static AttackCell of(const Json& key);
  /// Training, tuning and test part as the adversary has them, and the same three clear.
  [[nodiscard]] std::vector<Recipe> views(const Arrangement& arrangement) const;
};

AttackData attack_data(Views& views, const AttackCell& cell);

/// Whose samples attackers learn from: people of their own or, in a closed set, others; none: there is nobody.
std::optional<Role> attackers_of(const Arrangement& arrangement);
/// Who is under attack.
Role attacked_of(const Arrangement& arrangement);
/// The rotations that look at people under attack whom none before looked at: a closed set that is split again holds
/// the same.
std::vector<std::size_t> rotations_of(const Arrangement& arrangement);

/// One cell per attribute, adversary and representation. Values of `more` are added to every cell's parameters, and
/// where a continuous attribute is cut. `what`: the key that asked for it, for messages.
std::vector<Asked> attack_cells(const Setting& setting, const Views& views, const std::string& technique,
                                const std::string& question, const Json& parameters, const std::string& what);

/// Throws unless attackers have people of their own and attributes are named; `what`: the key that asked.
void require_attackers(const Setting& setting, const Arrangement& arrangement, const std::string& what);

/// Edges between the classes of a continuous attribute, the same for every technique and rotation.
std::vector<double> edges_of(const Setting& setting, const Views& views, const std::string& attribute);

}  // namespace bauta
