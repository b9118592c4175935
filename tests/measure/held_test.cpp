// What is made of draws, as it was on 2026-11-16.
#include "../held.hpp"

#include "bauta/measure/gain.hpp"
#include "bauta/measure/paired.hpp"
#include "bauta/measure/ranking.hpp"
#include "bauta/measure/regression.hpp"
#include "bauta/measure/unlinkability.hpp"
#include "bauta/measure/verification.hpp"
#include "score_vectors.hpp"
#include "simulated_attackers.hpp"

namespace bauta {
namespace {

using Values = std::vector<double>;

void add(Values& values, const std::optional<Interval>& interval) {
  values.push_back(interval ? interval->low : -9);
  values.push_back(interval ? interval->high : -9);
}

TEST(HeldMeasures, OfTheBestOfSeveral) {
  test::expect_held({{"alike", -0.0389066648}, {"apart", 0.18906763}}, [](const std::string& what) {
    const Values rates = what == "alike" ? Values(5, 0.55) : Values{0.5, 0.62, 0.66, 0.6};
    const WorstCase worst = simulate_attackers(rates, 40, 3, 0.4, 1).worst(150, 2);
    Values values = {static_cast<double>(worst.best), worst.balanced, worst.corrected, worst.p};
    add(values, worst.ci);
    return values;
  });
}

TEST(HeldMeasures, OfTwoCompared) {
  test::expect_held({{"few", -0.0594390963}, {"many", -0.0503504045}}, [](const std::string& what) {
    const auto g = simulate_attackers({0.7, 0.6}, what == "few" ? 12 : 100, 3, 0.4, 3);
    const auto paired = compare_paired(g.predicted[0], g.predicted[1], g.truth, 2, g.subjects, {150, 5000, 7});
    Values values = {paired.difference, paired.p};
    add(values, paired.ci);
    return values;
  });
}

/// Attackers on clear and on protected data, some of them told as errors and drawn over others, and recognition.
std::vector<Finding> whole_experiment(const Values& clear, const Values& after) {
  Values rates = clear;
  rates.insert(rates.end(), after.begin(), after.end());
  rates.insert(rates.end(), {0.9, 0.8});  // of recognition
  const auto g = simulate_attackers(rates, 60, 3, 0.4, 11);
  std::vector<Finding> findings;
  for (std::size_t j = 0; j < rates.size(); ++j) {
    const bool recognises = j + 2 >= rates.size();
    const bool unprotected = recognises ? j + 2 == rates.size() : j < clear.size();
    Finding finding = g.finding(g.predicted[j], 200, 4, unprotected ? "none" : "csn");
    if (recognises || j == 2) {  // told as errors
      finding.worse = Worse::lower;
      finding.certainty = 0;
      finding.value = 1 - finding.value;
      finding.ci = Interval{1 - finding.ci->high, 1 - finding.ci->low};
      for (double& draw : finding.draws) draw = 1 - draw;
      finding.drawn_over = "others";
    }
    if (recognises) {
      finding.about = About::recognition;
      finding.measure = "EER";
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

TEST(HeldMeasures, OfARankingAndWhatIsGained) {
  test::expect_held({{"one and five", 0.829077508}, {"five and one", -0.165644859}}, [](const std::string& what) {
    const Values guesses = {0.57, 0.45, 0.55, 0.56, 0.56}, readers = {0.8, 0.82, 0.7, 0.8, 0.8};
    const auto findings =
        what == "one and five" ? whole_experiment({0.85}, guesses) : whole_experiment(readers, {0.65});
    Values values;
    for (const RankedTarget& target : rank_attackers(findings)) {
      values.insert(values.end(), {target.share, target.corrected.value_or(-9), target.allowance,
                                   static_cast<double>(target.of), static_cast<double>(target.attackers[0])});
      add(values, target.ci);
      add(values, target.share_ci);
      if (target.unprotected) continue;
      EXPECT_TRUE(target.gain.suppression && target.gain.suppression->ci && target.gain.pic && target.gain.pic->ci);
      values.insert(values.end(), {*target.gain.kept, target.gain.suppression->value,
                                   target.gain.suppression->reachable, *target.gain.pic->coefficient.value});
      add(values, target.gain.suppression->ci);
      add(values, target.gain.pic->ci);
    }
    return values;
  });
}

TEST(HeldMeasures, OfErrorsAndSuppression) {
  test::expect_held({{"errors", -0.0536917405}, {"suppression", -0.199103679}, {"null levels", -0.0315921189}},
                    [](const std::string& what) {
                      const auto g = simulate_attackers({0.8, 0.6}, 30, 3, 0.4, 5);
                      Values values;
                      if (what == "null levels") {
                        const Values mated = {1, 4, 9, 30}, non_mated = {40, 35, 20, 12};
                        values = null_levels(d_sys, mated, non_mated, 50, 3);
                      } else if (what == "suppression") {
                        const SubjectTallies tallies(g.views(), g.truth, 2, g.subjects);
                        const auto rate = suppression_rate(tallies, 150, 3);
                        values = {rate->value, rate->reachable};
                        add(values, rate->ci);
                      } else {
                        Values guesses, truth;
                        for (std::size_t i = 0; i < g.truth.size(); ++i) {
                          truth.push_back(static_cast<double>(i % 11));
                          guesses.push_back(truth.back() + g.predicted[0][i] + 0.1 * static_cast<double>(i % 3));
                        }
                        add(values, mae_interval(guesses, truth, g.subjects));
                      }
                      return values;
                    });
}

TEST(HeldMeasures, OfVerification) {
  test::expect_held({{"continuous", 8.58033243}, {"tied", 2.73673593}}, [](const std::string& what) {
    Stream stream(8, "held scores");
    std::vector<float> scores;
    std::vector<std::uint32_t> probes, references;
    for (std::uint32_t a = 0; a < 60; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        const double v = stream.normal() + (a / 4 == b / 4 ? 1.5 : 0);
        scores.push_back(static_cast<float>(what == "tied" ? std::round(4 * v) / 4 : v));
        probes.push_back(a / 4);
        references.push_back(b / 4);
      }
    }
    VerificationOptions options;
    options.bootstrap = 100;
    options.seed = 5;
    const auto r = measure_verification(ScoreVectors<float>(scores, probes, references, 15), options);
    Values values = {r.d_sys_null,
                     r.d_sys_null_high,
                     r.maximal_linkability,
                     r.maximal_linkability_null,
                     r.maximal_linkability_null_high,
                     static_cast<double>(r.det.size())};
    for (const auto& ci :
         {r.eer_ci, r.rocch_eer_ci, r.auc_ci, r.d_prime_ci, r.cllr_ci, r.fnmr_at_fmr[0].ci, r.fnmr_at_fmr[1].ci}) {
      add(values, ci);
    }
    for (const CurvePoint& point : r.det) values.insert(values.end(), {point.threshold, point.fmr, point.fnmr});
    for (const auto* edges : {&r.d_sys_edges, &r.maximal_linkability_edges}) {
      values.insert(values.end(), edges->begin(), edges->end());
    }
    return values;
  });
}

}  // namespace
}  // namespace bauta
