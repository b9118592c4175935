// An estimator whose parameters are chosen by whoever attacks, on the samples that they have: support vector machines
// that are told C = 1 learn little from a handful of samples of each person, and nobody has to leave it at that.
#include <algorithm>
#include <sstream>

#include "bauta/core/random.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/learn/tuning.hpp"
#include "learned.hpp"

namespace bauta {
namespace {

constexpr std::size_t never = ~std::size_t{0};

/// The fold in which each sample is held out: those of a person are dealt out one after the other, in random order.
/// Whoever has one sample is never held out.
std::vector<std::size_t> deal(std::span<const std::int32_t> identities, std::size_t people, std::size_t folds,
                              std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> rows(people);
  for (std::size_t i = 0; i < identities.size(); ++i) rows[static_cast<std::size_t>(identities[i])].push_back(i);
  std::vector<std::size_t> fold(identities.size(), never);
  for (std::size_t p = 0; p < people; ++p) {
    if (rows[p].size() < 2) continue;
    Stream stream(seed, "samples held out to tune a recogniser", p);
    stream.shuffle(std::span(rows[p]));
    const std::size_t first = stream.below(folds);
    for (std::size_t k = 0; k < rows[p].size(); ++k) fold[rows[p][k]] = (first + k) % folds;
  }
  return fold;
}

/// How often the right one is named, where equally likely people share.
double named_right(const Likelihoods& said, std::span<const std::int32_t> truth) {
  double right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto row = said.order().row(i);
    const double most = *std::max_element(row.begin(), row.end());
    if (row[static_cast<std::size_t>(truth[i])] < most) continue;
    right += 1 / static_cast<double>(std::count(row.begin(), row.end(), most));
  }
  return right;
}

/// Enrolled samples, of which each fold is named by what is learned from the others.
class Folds {
 public:
  Folds(const Templates& enrolled, std::span<const std::int32_t> identities, std::size_t people,
        const RecogniserOptions& options, std::size_t count)
      : enrolled_(enrolled), identities_(identities), people_(people), options_(options), count_(count) {
    fold_ = deal(identities, people, count, options.seed);
  }

  [[nodiscard]] bool empty() const {
    return std::ranges::all_of(fold_, [](std::size_t fold) { return fold == never; });
  }

  [[nodiscard]] double named_right_by(const std::string& estimator, const std::string& preparation) const {
    double right = 0;
    for (std::size_t f = 0; f < count_; ++f) {
      std::vector<std::size_t> known, held;
      std::vector<std::int32_t> who, truth;
      for (std::size_t i = 0; i < fold_.size(); ++i) {
        (fold_[i] == f ? held : known).push_back(i);
        (fold_[i] == f ? truth : who).push_back(identities_[i]);
      }
      if (held.empty()) continue;
      const auto learned = learned_recogniser(make_estimator(estimator), preparation);
      learned->fit(enrolled_.select(known), who, people_, options_);
      right += named_right(learned->likelihoods(enrolled_.select(held)), truth);
    }
    return right;
  }

 private:
  const Templates& enrolled_;
  std::span<const std::int32_t> identities_;
  std::size_t people_;
  const RecogniserOptions& options_;
  std::size_t count_;
  std::vector<std::size_t> fold_;
};

class TunedRecogniser : public Recogniser {
 public:
  explicit TunedRecogniser(const Parameters& parameters)
      : entry_(&find_entry(estimators(), "estimator", parameters.text("estimator"))),
        folds_(static_cast<std::size_t>(parameters.integer("folds"))),
        search_{parse_search(parameters.text("search")), static_cast<std::size_t>(parameters.integer("trials")), 1} {
    std::istringstream words(parameters.text("preparation"));
    for (std::string word; std::getline(words, word, '/');) {
      preparations_.push_back(word);
      (void)Preparation(word);  // what is misspelt is said at once
    }
    if (preparations_.empty()) preparations_.emplace_back("none");
  }

  void fit(const Templates& enrolled, std::span<const std::int32_t> identities, std::size_t people,
           const RecogniserOptions& options) override {
    const Declaration& declaration = entry_->declaration;
    const Folds folds(enrolled, identities, people, options, folds_);
    std::string chosen = declaration.name;
    std::string prepared = preparations_[0];
    double best = -1;
    TuningOptions search = search_;
    search.seed = options.seed;
    for (const std::string& preparation : preparations_) {
      if (folds.empty()) break;  // nobody has a second sample to try anything with
      const Tuned tuned = tune(declaration, {declaration.name}, search, [&](const std::string& estimator) {
        return folds.named_right_by(estimator, preparation);
      });
      if (tuned.score <= best) continue;
      best = tuned.score;
      chosen = tuned.specification;
      prepared = preparation;
    }
    learned_ = learned_recogniser(make_estimator(chosen), prepared);
    learned_->fit(enrolled, identities, people, options);
  }

  [[nodiscard]] Likelihoods likelihoods(const Templates& probes) const override {
    return learned_->likelihoods(probes);
  }

 private:
  const Entry<Estimator>* entry_;
  std::size_t folds_;
  TuningOptions search_;
  std::vector<std::string> preparations_;
  std::unique_ptr<Recogniser> learned_;
};

}  // namespace

Entry<Recogniser> tuned_recogniser() {
  return {
      {.name = "tuned",
       .paper = "",
       .doc = "an estimator with the parameters that name most of the enrolled samples when learned from the others",
       .medium = "template",
       .learns = true,
       .parameters = {{"estimator", ParameterType::text, "svm-rbf", "any estimator, without parameters"},
                      {"preparation", ParameterType::text, "zscore/none",
                       "what is tried before it learns: steps with + between, and / between what is tried"},
                      {"folds", ParameterType::integer, "3",
                       "parts of the enrolled samples, each named by what is learned from the others", 2, 100},
                      {.name = "search",
                       .type = ParameterType::choice,
                       .default_value = "random",
                       .doc = "of the values that the estimator declares: all, drawn, or where most is expected",
                       .choices = {"grid", "random", "bayesian"}},
                      {"trials", ParameterType::integer, "8", "of random and Bayesian search", 1, 1000}}},
      [](const Parameters& parameters) { return std::make_unique<TunedRecogniser>(parameters); }};
}

}  // namespace bauta
