// Views of an experiment's data: each step of a recipe is made once and found again.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bauta/question/views.hpp"
#include "bauta/run/evaluate.hpp"
#include "fitted.hpp"
#include "media_steps.hpp"
#include "step_store.hpp"
#include "store.hpp"

namespace bauta {

/// The data sets of an experiment by role; absent ones were not named.
struct ExperimentData {
  Source target;
  std::optional<Source> attacker, dev, fit, background;

  [[nodiscard]] Sources sources() const;
  [[nodiscard]] std::vector<const Source*> given() const;
};

class StoredViews : public Views {
 public:
  /// `data` must outlive it. `fitted_for`: what learning protections hide, or keep. Nothing is written before something
  /// is made.
  StoredViews(const ExperimentData& data, Arrangement arrangement, std::vector<std::string> fitted_for,
              EvaluateOptions options);
  StoredViews(const StoredViews&) = delete;
  StoredViews& operator=(const StoredViews&) = delete;

  /// Will be asked for. What is known beforehand is made of media in one walk over them.
  void expect(const std::vector<Recipe>& recipes);
  /// Samples behind these that have no template, as results.json has them: media that were looked at, and templates
  /// that a technique made nothing of.
  [[nodiscard]] std::vector<Json> lost(const std::vector<Recipe>& recipes);
  /// Which of the data sets that were given techniques mask for these.
  [[nodiscard]] std::map<std::string, std::set<std::size_t>> masked_sources(const std::vector<Recipe>& recipes);
  [[nodiscard]] const Arrangement& arrangement() const override { return arrangement_; }
  [[nodiscard]] Dataset clear(Role role, std::size_t rotation) const override;
  [[nodiscard]] Dataset view(const Recipe& recipe, std::size_t rotation) override;
  [[nodiscard]] std::string digest(const Recipe& recipe) const override;
  [[nodiscard]] const ResolvedProtection& technique(const std::string& specification, std::size_t rotation,
                                                    const Representation& seen = {}) override;
  [[nodiscard]] Json remember(const Json& key, const std::vector<Recipe>& views,
                              const std::function<Json()>& compute) override;
  [[nodiscard]] std::uint64_t seed() const override { return options_.seed; }
  /// What was made on the way is no longer needed.
  void remove_steps() const { steps_.clear(); }
  [[nodiscard]] std::uint64_t memory() const override { return options_.memory; }

 private:
  [[nodiscard]] const Rows& rows(Role role, std::size_t rotation) const;
  [[nodiscard]] Role fitted_on() const;
  [[nodiscard]] std::string rows_digest(Role role) const;
  [[nodiscard]] std::string form_digest(const Form& form, const Representation& seen) const;
  [[nodiscard]] std::string representation_digest(const Representation& seen) const;
  /// Of a step that was made of all this.
  [[nodiscard]] std::string step_address(const std::vector<std::string>& parts) const;
  /// What an extractor that learns starts from, any other itself.
  [[nodiscard]] std::string base_of(const Representation& seen) const;
  [[nodiscard]] Shown shown(Role role, std::size_t rotation, const Form& form, const Representation& seen) const;
  /// Whether it is media that are undone: the recovery's declared medium decides.
  [[nodiscard]] static bool undone_before_extraction(const Form& form);
  /// Of the step that holds what an extractor learned.
  [[nodiscard]] std::string learned_address(const Representation& seen, std::size_t rotation) const;
  /// A mask may leave no two different samples: then there is nothing to learn, and whoever would see by it sees none.
  bool nothing_to_learn(const Representation& seen, std::size_t rotation);
  /// Templates of media that were masked or not: of the whole data set, or of the role where it is masked by itself.
  Dataset seen_media(const Shown& media, const Representation& seen, std::size_t rotation);
  /// Templates of a whole data set.
  Dataset represented(std::size_t source, const Representation& seen, std::size_t rotation);
  /// Templates of media that were masked, or undone again.
  Dataset seen_behind(const Recipe& recipe, std::size_t rotation);
  /// An extractor that has learned.
  const ResolvedExtractor& learned(const Representation& seen, std::size_t rotation);
  /// The rotation whose people representations are learned from: other people are the same in all of them, but who is
  /// known in one is asked for in another.
  [[nodiscard]] std::size_t learned_in(const Representation& seen, std::size_t rotation) const;
  /// Whom a representation is learned from.
  [[nodiscard]] Role learned_from(const Representation& seen) const;
  /// Media that have to be seen for these.
  [[nodiscard]] std::vector<Shown> behind(const std::vector<Recipe>& recipes);
  void add_learning(const Representation& seen, std::size_t rotation, std::vector<Shown>& all) const;
  /// How the templates of a role are masked in a rotation.
  struct Masking {
    bool by_role = false;      ///< by itself; otherwise the whole data set is
    bool by_rotation = false;  ///< in this rotation otherwise than in others
    std::string whose = {};    ///< the role or the data set
    std::string how = {};
  };
  [[nodiscard]] Masking masking_of(const Recipe& recipe, std::size_t rotation) const;
  /// Of the step that holds them.
  [[nodiscard]] const std::string& masked_address(const Recipe& recipe, std::size_t rotation, const Masking& masking);
  /// Forms in which these look at templates behind techniques, or learn from them.
  [[nodiscard]] std::vector<Recipe> masked_behind(const std::vector<Recipe>& recipes) const;
  /// `lost`: why the technique made nothing of samples, by their rows in `clear`.
  void remember_lost(const Recipe& recipe, std::size_t rotation, const Masking& masking, const Dataset& clear,
                     const std::map<std::size_t, std::string>& lost);
  [[nodiscard]] bool masks_media_of(const Recipe& recipe, std::size_t rotation) const;
  Dataset masked(const Recipe& recipe, std::size_t rotation);
  /// `clear` masked; found again where that took learning, or a look at the whole of it, such as another program's.
  Dataset made_once(const Recipe& recipe, std::size_t rotation, const Masking& masking, const Dataset& clear);
  Dataset recovered(const Recipe& recipe, std::size_t rotation);
  /// The same, made once.
  Dataset stored_recovery(const Recipe& recipe, std::size_t rotation);
  Dataset mixed(const Recipe& recipe, std::size_t rotation);
  ResolvedProtection fitted(const std::string& specification, std::size_t rotation, const Representation& seen);

  std::vector<const Source*> sources_;
  Arrangement arrangement_;
  FittedProtections protections_;
  EvaluateOptions options_;
  std::optional<CellStore> attempts_;  // opened when something is remembered first
  StepStore steps_;
  MediaSteps media_;
  std::map<std::string, ResolvedProtection> ready_;
  std::pair<std::string, ResolvedExtractor> learned_;  // the latest, by digest
  struct Made {
    std::string how;
    Dataset data;
  };
  std::map<std::string, Made> masked_;            // by role or data set: the latest only, data may be large
  std::map<std::string, std::string> masked_at_;  // addresses, by whose templates they are and how they are masked
};

}  // namespace bauta
