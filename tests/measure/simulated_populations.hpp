// Populations whose truth is known, and what measurements of some of their people say of it: does a 95 % interval hold
// the truth in 95 % of them?
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/measure/identification.hpp"
#include "bauta/measure/ranking.hpp"
#include "bauta/measure/verification.hpp"
#include "bauta/measure/worst_case.hpp"
#include "score_vectors.hpp"

namespace bauta {

/// What was measured in one population.
struct Measured {
  std::string measure;
  double truth = 0;
  std::optional<Interval> ci;
};

struct Range {
  double low, high;
  [[nodiscard]] double pick(Stream& stream) const { return low + (high - low) * stream.uniform(); }
};

/// Samples that are right or wrong, more alike within a subject than between: right iff a normal number, to which the
/// subject contributes `agreement` of the variance, is below the quantile of the rate. Several attackers (or forms)
/// meet the same subjects, who are easy or hard for all of them.
class SimulatedGuesses {
 public:
  /// `class_sizes`: subjects per class; `samples` of each subject at most, at least one; the first of each class has
  /// `of_first` instead, unless that is 0.
  SimulatedGuesses(const std::vector<std::uint32_t>& class_sizes, std::uint32_t samples, double agreement,
                   Stream& stream, std::uint64_t of_first = 0)
      : agreement_(agreement), classes_(class_sizes.size()) {
    for (std::size_t c = 0; c < class_sizes.size(); ++c) {
      for (std::uint32_t s = 0; s < class_sizes[c]; ++s) {
        ease_.push_back(stream.normal());
        const auto usual = samples - stream.below((samples + 1) / 2);  // upper half: not all have equally many
        const auto own = s == 0 && of_first > 0 ? of_first : usual;
        for (std::uint64_t k = 0; k < own; ++k) {
          truth.push_back(static_cast<std::int32_t>(c));
          subjects.push_back(static_cast<std::uint32_t>(ease_.size() - 1));
        }
      }
    }
  }
  /// Guesses with these recalls; a wrong one is -1.
  [[nodiscard]] std::vector<std::int32_t> guess(const std::vector<double>& recall, Stream& stream) const {
    std::vector<double> own(ease_);  // half of what makes a subject easy is the attacker's own
    for (double& ease : own) ease = std::sqrt(0.5) * (ease + stream.normal());
    std::vector<std::int32_t> guesses;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const double r = recall[static_cast<std::size_t>(truth[i])];
      const double x = std::sqrt(agreement_) * own[subjects[i]] + std::sqrt(1 - agreement_) * stream.normal();
      guesses.push_back(r >= 1 || (r > 0 && x < probit(r)) ? truth[i] : -1);
    }
    return guesses;
  }
  [[nodiscard]] std::size_t classes() const { return classes_; }
  [[nodiscard]] std::size_t people() const { return ease_.size(); }

  std::vector<std::int32_t> truth;
  std::vector<std::uint32_t> subjects;

 private:
  double agreement_;
  std::size_t classes_;
  std::vector<double> ease_;
};

/// Comparisons of all samples with each other: normal scores with effects of subjects and of samples, so that the error
/// rates have closed forms. Mated scores: mean + own effect of the subject + both samples + noise; non-mated ones: both
/// subjects + both samples + noise.
class SimulatedComparisons {
 public:
  SimulatedComparisons(std::uint32_t subjects, std::uint32_t samples, Stream& stream)
      : subjects_(subjects), samples_(samples), mated_(subjects), non_mated_(subjects) {
    for (std::uint32_t s = 0; s < subjects; ++s) {
      const double common = stream.normal();  // who is hard to recognise is also easily taken for others
      mated_[s] = of_mated * common;
      non_mated_[s] = of_non_mated * (-0.3 * common + std::sqrt(1 - 0.3 * 0.3) * stream.normal());
    }
  }
  [[nodiscard]] VerificationResult measure(double eer, std::size_t draws, std::uint64_t seed, Stream& stream) const {
    std::vector<double> sample(std::size_t{subjects_} * samples_);
    for (double& effect : sample) effect = of_sample * stream.normal();
    std::vector<float> scores;
    std::vector<std::uint32_t> probes, references;
    for (std::uint32_t a = 0; a < sample.size(); ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        const std::uint32_t s = a / samples_, t = b / samples_;
        const double own = s == t ? mean(eer) + mated_[s] : non_mated_[s] + non_mated_[t];
        scores.push_back(static_cast<float>(own + sample[a] + sample[b] + noise * stream.normal()));
        probes.push_back(s);
        references.push_back(t);
      }
    }
    VerificationOptions options;
    options.fmr = {0.1, 0.01};
    options.bootstrap = draws;
    options.seed = seed;
    options.permutations = 0;
    return measure_verification<float>(
        ScoreVectors<float>(std::move(scores), std::move(probes), std::move(references), subjects_), options);
  }
  static double true_fnmr(double eer, double fmr) {
    return normal_cdf((deviation_non() * probit(1 - fmr) - mean(eer)) / deviation_mated());
  }
  static double true_auc(double eer) { return normal_cdf(mean(eer) / std::hypot(deviation_mated(), deviation_non())); }

 private:
  static constexpr double of_mated = 0.6, of_non_mated = 0.3, of_sample = 0.3, noise = 0.6;
  static double deviation_mated() { return std::sqrt(of_mated * of_mated + 2 * of_sample * of_sample + noise * noise); }
  static double deviation_non() {
    return std::sqrt(2 * of_non_mated * of_non_mated + 2 * of_sample * of_sample + noise * noise);
  }
  static double mean(double eer) { return -probit(eer) * (deviation_mated() + deviation_non()); }

  std::uint32_t subjects_, samples_;
  std::vector<double> mated_, non_mated_;
};

/// A kind of population; `measure` draws number `item` of it, with so many draws of its subjects for intervals.
struct Scenario {
  std::string name;
  std::function<std::vector<Measured>(std::size_t draws, std::uint64_t item)> measure;
  bool at_least = false;  ///< errors are so rare that hardly any is seen: no upper bound of the coverage
};

inline Scenario recognition_scenario(const std::string& name, std::uint32_t subjects, std::uint32_t samples,
                                     Range eer) {
  return {name, [=](std::size_t draws, std::uint64_t item) -> std::vector<Measured> {
            Stream stream(31, name, item);
            const double e = eer.pick(stream);
            const auto result = SimulatedComparisons(subjects, samples, stream).measure(e, draws, item, stream);
            return {{"EER", e, result.eer_ci},
                    {"FNMR at FMR 10 %", SimulatedComparisons::true_fnmr(e, 0.1), result.fnmr_at_fmr[0].ci},
                    {"FNMR at FMR 1 %", SimulatedComparisons::true_fnmr(e, 0.01), result.fnmr_at_fmr[1].ci},
                    {"AUC", SimulatedComparisons::true_auc(e), result.auc_ci}};
          }};
}

inline Scenario balanced_scenario(const std::string& name, const std::vector<std::uint32_t>& class_sizes, Range recall,
                                  double agreement = 0.5, std::uint64_t of_first = 0) {
  return {name, [=](std::size_t, std::uint64_t item) -> std::vector<Measured> {
            Stream stream(32, name, item);
            const SimulatedGuesses people(class_sizes, 5, agreement, stream, of_first);
            std::vector<double> recalls;
            double truth = 0;
            for (std::size_t c = 0; c < people.classes(); ++c) {
              recalls.push_back(recall.pick(stream));
              truth += recalls.back() / static_cast<double>(people.classes());
            }
            const auto guesses = people.guess(recalls, stream);
            return {{"balanced accuracy", truth,
                     balanced_accuracy_interval(guesses, people.truth, people.classes(), people.subjects)}};
          }};
}

inline Scenario first_rank_scenario(const std::string& name, std::uint32_t subjects, Range rate) {
  return {name, [=](std::size_t, std::uint64_t item) -> std::vector<Measured> {
            Stream stream(33, name, item);
            const SimulatedGuesses people({subjects}, 5, 0.5, stream);
            const double truth = rate.pick(stream);
            std::vector<Standing> standings;
            for (const std::int32_t guess : people.guess({truth}, stream)) {
              standings.push_back({.above = guess == 0 ? 0U : 3U, .tied = 1, .candidates = 50});
            }
            const Mixture mixture = mixture_at(1, standings, people.subjects);
            return {{"rank-1 rate", truth, Interval{1 - mixture.ci.high, 1 - mixture.ci.low}}};
          }};
}

inline Finding simulated_finding(const SimulatedGuesses& people, const std::vector<std::int32_t>& guesses,
                                 const std::string& technique, std::size_t draws, std::uint64_t seed) {
  Finding finding;
  finding.attacker = "simulated";
  finding.measure = "balanced accuracy";
  finding.unit = "rate";
  const ClassificationResult result = classify_result(guesses, people.truth, people.classes());
  finding.value = result.balanced;
  finding.chance = result.chance;
  finding.counts["identities"] = people.people();
  finding.axes = {{"technique", technique}, {"attribute", "gender"}};
  finding.unprotected = technique == "none";
  finding.ci = balanced_accuracy_interval(guesses, people.truth, people.classes(), people.subjects);
  finding.draws = drawn_balanced_accuracy(guesses, people.truth, people.classes(), people.subjects, {draws, seed});
  finding.drawn_over = "people";
  return finding;
}

/// One attacker and the rightful user before and after a protection, on the same people.
inline Scenario gain_scenario(const std::string& name, const std::vector<std::uint32_t>& class_sizes) {
  return {name, [=](std::size_t draws, std::uint64_t item) -> std::vector<Measured> {
            Stream stream(34, name, item);
            const SimulatedGuesses people(class_sizes, 4, 0.4, stream);
            const SimulatedComparisons comparisons(static_cast<std::uint32_t>(people.people()), 3, stream);
            struct Form {
              const char* technique;
              double recall, eer;
            };
            const std::array forms = {Form{"none", Range{0.75, 0.9}.pick(stream), Range{0.05, 0.15}.pick(stream)},
                                      Form{"csn", Range{0.5, 0.7}.pick(stream), Range{0.1, 0.3}.pick(stream)}};
            std::vector<Finding> findings;
            for (const Form& form : forms) {
              const std::vector<double> recalls(people.classes(), form.recall);
              findings.push_back(simulated_finding(people, people.guess(recalls, stream), form.technique, draws, item));
              const auto recognised = comparisons.measure(form.eer, draws, item, stream);
              Finding& user = findings.emplace_back(findings.back());
              user.about = About::recognition;
              user.measure = "EER";
              user.axes = {{"technique", form.technique}, {"data", "test"}};
              user.value = recognised.eer;
              user.ci = recognised.eer_ci;
              user.draws = recognised.eer_draws;
            }
            const auto ranking = rank_attackers(findings);
            const Gain& gain = ranking.at(1).gain;
            const auto& [clear, after] = forms;
            return {{"PIC", *pic(1 - clear.recall, 1 - after.recall, clear.eer, after.eer).value,
                     gain.pic ? gain.pic->ci : std::nullopt},
                    {"suppression", (clear.recall - after.recall) / clear.recall,
                     gain.suppression ? gain.suppression->ci : std::nullopt}};
          }};
}

/// The best of several attackers that are equally good.
inline Scenario largest_scenario(const std::string& name, std::uint32_t subjects, std::size_t attackers, double rate) {
  return {name, [=](std::size_t draws, std::uint64_t item) -> std::vector<Measured> {
            Stream stream(35, name, item);
            const SimulatedGuesses people({subjects / 2, subjects - subjects / 2}, 4, 0.4, stream);
            std::vector<std::vector<std::int32_t>> guesses;
            for (std::size_t j = 0; j < attackers; ++j) guesses.push_back(people.guess({rate, rate}, stream));
            const std::vector<Predictions> views(guesses.begin(), guesses.end());
            return {{"best of " + std::to_string(attackers), rate,
                     worst_case(views, people.truth, 2, people.subjects, draws, item).ci}};
          }};
}

inline std::vector<Scenario> scenarios() {
  std::vector<Scenario> all = {
      recognition_scenario("10 people", 10, 4, {0.02, 0.2}),
      recognition_scenario("20 people", 20, 4, {0.02, 0.2}),
      recognition_scenario("20 people, few errors", 20, 4, {0.0005, 0.02}),
      recognition_scenario("200 people", 200, 3, {0.02, 0.2}),
      balanced_scenario("10 and 10 people", {10, 10}, {0.5, 0.95}),
      balanced_scenario("30 and 2 people", {30, 2}, {0.5, 0.95}),
      balanced_scenario("30 and 5 people", {30, 5}, {0.5, 0.95}),
      balanced_scenario("200 and 4 people", {200, 4}, {0.5, 0.95}),
      balanced_scenario("150, 100 and 50 people", {150, 100, 50}, {0.5, 0.95}),
      balanced_scenario("10 and 10 people, few errors", {10, 10}, {0.9, 0.999}),
      first_rank_scenario("10 people", 10, {0.3, 0.95}),
      first_rank_scenario("20 people", 20, {0.3, 0.95}),
      first_rank_scenario("200 people", 200, {0.3, 0.95}),
      first_rank_scenario("20 people, few errors", 20, {0.9, 0.999}),
      gain_scenario("10 and 10 people", {10, 10}),
      gain_scenario("30 and 4 people", {30, 4}),
      gain_scenario("100 and 100 people", {100, 100}),
      largest_scenario("40 people at 50 %", 40, 6, 0.5),
      largest_scenario("40 people at 75 %", 40, 6, 0.75),
      largest_scenario("100 people at 90 %", 100, 6, 0.9),
      largest_scenario("200 people at 97 %", 200, 6, 0.97),
  };
  for (Scenario none :
       {recognition_scenario("12 people, no errors", 12, 3, {1e-6, 1e-4}),
        balanced_scenario("12 and 12 people, no errors", {12, 12}, {0.9999, 1}),
        balanced_scenario("30 and 3 people, no errors", {30, 3}, {0.9999, 1}),
        first_rank_scenario("12 people, no errors", 12, {0.9999, 1}),
        balanced_scenario("30 and 3 people, the first with 100 samples", {30, 3}, {0.5, 0.95}, 0.5, 100),
        balanced_scenario("10 people, the first with 300 samples", {10}, {0.5, 0.95}, 0.5, 300)}) {
    none.at_least = true;
    all.push_back(std::move(none));
  }
  return all;
}

/// Of the intervals of one measure over populations.
struct Coverage {
  std::size_t populations = 0, intervals = 0, covered = 0;
  std::size_t above = 0, below = 0;  ///< the truth lies
  double width = 0;                  ///< mean

  [[nodiscard]] double share() const { return static_cast<double>(covered) / static_cast<double>(intervals); }
  void add(const Measured& one) {
    ++populations;
    if (!one.ci) return;
    width = (width * static_cast<double>(intervals) + one.ci->high - one.ci->low) / static_cast<double>(intervals + 1);
    ++intervals;
    below += one.truth < one.ci->low;
    above += one.truth > one.ci->high;
    covered += one.ci->low <= one.truth && one.truth <= one.ci->high;
  }
};

/// By measure.
inline std::map<std::string, Coverage> cover(const Scenario& scenario, std::size_t populations, std::size_t draws) {
  std::vector<std::vector<Measured>> measured(populations);
  parallel_for(populations, [&](std::size_t item, int) { measured[item] = scenario.measure(draws, item); });
  std::map<std::string, Coverage> result;
  for (const auto& population : measured) {
    for (const Measured& one : population) result[one.measure].add(one);
  }
  return result;
}

}  // namespace bauta
