// What an anonymised data set is still good for, and whether its records can be found again (Moriarty et al., with the
// attackers that the paper leaves out).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bauta/core/json.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {

struct AnonymityRun {
  std::string attribute;                                  ///< of interest
  std::map<std::string, double> keep = {};                ///< additional attributes, with their weights in the utility
  std::map<std::string, std::vector<double>> edges = {};  ///< between classes of continuous attributes
  std::string estimator = "random-forest";                ///< that reads attributes
  std::vector<std::string> recognisers = {"mlp", "lda"};  ///< estimators that name identities; the first is the claim's
  std::size_t most_identities = 0;                        ///< that recognisers learn to name, drawn at random; 0: all
  /// Records are looked for among all originals; otherwise among those of the test part.
  bool among_all = false;
  /// Records of each class of the attribute that sets are drawn from. Empty: those that are looked through.
  std::map<std::string, std::size_t> population = {};
  bool null_controls = true;  ///< informed attackers are also tried where there is nothing to find
  std::vector<std::size_t> top = {1, 2, 5, 10, 20, 50};
  double temperature = 1;  ///< of the softmax of cosines
  std::size_t bootstrap = 1000;
  std::uint64_t seed = 1;
};

/// Originals, cut in two: what classifiers and attackers learn from, and what is anonymised and judged.
class AnonymityStudy {
 public:
  /// Learns everything that is learned from clear data. Failed samples must not be in either part. Attackers who name
  /// identities are tried unless no identity has two samples.
  AnonymityStudy(Dataset train, Dataset test, bool one_sample_each, AnonymityRun run);
  ~AnonymityStudy();

  [[nodiscard]] const Dataset& train() const { return train_; }
  [[nodiscard]] const Dataset& test() const { return test_; }

  /// The levels on clear data.
  [[nodiscard]] Json clear() const { return clear_; }
  /// `test`: row by row the anonymised form of the test part; `train` (may be null) that of the training part, which an
  /// attacker makes for himself; `blend`: what he knows of the technique.
  [[nodiscard]] Json measure(const Dataset& test, const Dataset* train, const std::optional<Blend>& blend) const;

 private:
  struct Attribute;
  struct Recogniser;

  [[nodiscard]] Json utility(const Dataset& test, const Dataset* train) const;
  [[nodiscard]] Json attackers(const Dataset& test, const Dataset* train, const std::optional<Blend>& blend,
                               Json& worst) const;
  void choose_candidates();
  void learn_identities();

  Dataset train_, test_;
  bool one_sample_each_;
  AnonymityRun run_;
  std::vector<std::uint32_t> subjects_;  // of the test part
  std::vector<Attribute> attributes_;
  Templates candidates_;  // the test part, and the training part behind it where all originals are looked through
  std::vector<std::int32_t> candidate_classes_;  // of the attribute of interest; empty unless all are known
  std::vector<std::size_t> population_;
  std::vector<Recogniser> recognisers_;
  std::vector<std::int32_t> identities_train_;  // -1: not among those who are named
  std::vector<std::size_t> named_;              // rows of the test part whose people are
  std::vector<std::int32_t> identities_test_;   // of those
  std::vector<std::uint32_t> named_subjects_;
  std::size_t identities_ = 0;
  Json clear_;
};

/// Who leaves the lowest mixture of those who ask "record" or "identity", or of them who know nothing of the technique;
/// null: nobody asks.
const Json* strongest_attacker(const Json& attackers, std::string_view question, bool informed = true);

/// What the parameters of a technique that mixes records came to.
Json setting_json(const ResolvedProtection& protection, const Blend& blend);

}  // namespace bauta
