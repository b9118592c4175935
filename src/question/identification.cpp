#include "bauta/question/identification.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/compare/top_n.hpp"
#include "bauta/core/error.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/measure/identification.hpp"
#include "bauta/question/comparing.hpp"

namespace bauta {

namespace {

/// The usable samples of one side, with the numbers of the people they are of.
struct Known {
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> identities;
  std::size_t failures = 0, strangers = 0;
};

Known known_of(const Dataset& data, const std::vector<std::string>& people) {
  Known known;
  const std::vector<bool> failed = data.failed();
  const auto& names = data.labels.column(data.identity_column);
  for (std::size_t row = 0; row < data.size(); ++row) {
    const auto found = std::lower_bound(people.begin(), people.end(), names[row]);
    if (found == people.end() || *found != names[row]) {
      ++known.strangers;
      continue;
    }
    if (failed[row]) ++known.failures;
    known.rows.push_back(row);
    known.identities.push_back(static_cast<std::int32_t>(found - people.begin()));
  }
  return known;
}

std::vector<std::size_t> usable(const Known& known, const std::vector<bool>& failed) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < known.rows.size(); ++i) {
    if (!failed[known.rows[i]]) places.push_back(i);
  }
  return places;
}

class Identification {
 public:
  Identification(const Dataset& enrolled, const Dataset& probes, const IdentifyRun& run)
      : enrolled_(enrolled), probes_(probes), run_(run) {
    for (const Dataset* data : {&enrolled, &probes}) {
      if (data->identity_column.empty()) {
        throw_input(data->origin, "names no identities", "say which column does: --identity COLUMN");
      }
    }
    if (enrolled.templates.kind() != probes.templates.kind() || enrolled.templates.cols() != probes.templates.cols()) {
      throw_input(
          enrolled.origin + " and " + probes.origin,
          fmt::format("{} {} per template against {} {}", enrolled.templates.cols(), to_text(enrolled.templates.kind()),
                      probes.templates.cols(), to_text(probes.templates.kind())),
          "both must be made alike");
    }
    const std::vector<bool> failed = enrolled.failed();
    const auto& names = enrolled.labels.column(enrolled.identity_column);
    for (std::size_t row = 0; row < enrolled.size(); ++row) {
      if (!failed[row] && !names[row].empty()) people_.push_back(names[row]);
    }
    std::sort(people_.begin(), people_.end());
    people_.erase(std::unique(people_.begin(), people_.end()), people_.end());
    if (people_.size() < 2) {
      throw_input(enrolled.origin, fmt::format("enrols {} person(s), two are needed at least", people_.size()));
    }
    const Known references = known_of(enrolled, people_);
    for (const std::size_t i : usable(references, failed)) {
      reference_rows_.push_back(references.rows[i]);
      reference_people_.push_back(references.identities[i]);
    }
    asked_ = known_of(probes, people_);
    answered_ = usable(asked_, probes.failed());
    if (answered_.empty()) {
      throw_input(probes.origin, "holds no sample of anybody who is enrolled",
                  "both must name people alike; see --identity");
    }
  }

  [[nodiscard]] Json run() const {
    std::vector<std::uint32_t> subjects(asked_.identities.begin(), asked_.identities.end());
    Json results = Json::array();
    Json remarks = Json::array();
    if (asked_.strangers > 0) {
      remarks.push_back(
          fmt::format("{} probes are of people who are not enrolled, and are left out", asked_.strangers));
    }
    for (const std::string& recogniser : run_.recognisers) {
      const std::vector<Standing> standings = standings_by(recogniser, remarks);
      const Mixture first = mixture_at(1, standings, subjects, run_.bootstrap, run_.seed);
      Json top = Json::array();
      for (std::size_t k = 1; k <= people_.size(); k *= 2) {
        const Mixture at = mixture_at(k, standings, subjects, 0, run_.seed);
        top.push_back({{"k", k}, {"mixture", at.value}, {"chance", at.chance}});
      }
      results.push_back({{"recogniser", recogniser},
                         {"rank1", 1 - first.value},
                         {"ci", run_.bootstrap > 0 ? Json{1 - first.ci.high, 1 - first.ci.low} : Json(nullptr)},
                         {"rank5", 1 - mixture_at(5, standings, subjects, 0, run_.seed).value},
                         {"mixture", first.value},
                         {"kl_from_uniform", mean_divergence(standings)},
                         {"top", std::move(top)}});
    }
    const Json worst = *std::max_element(results.begin(), results.end(), [](const Json& a, const Json& b) {
      return a["rank1"].get<double>() < b["rank1"].get<double>();
    });
    return {{"identities", people_.size()},  {"enrolled", reference_rows_.size()},
            {"probes", asked_.rows.size()},  {"failures", asked_.failures},
            {"strangers", asked_.strangers}, {"chance", 1 / static_cast<double>(people_.size())},
            {"results", std::move(results)}, {"worst", worst},
            {"remarks", std::move(remarks)}};
  }

 private:
  [[nodiscard]] std::vector<Standing> standings_by(const std::string& recogniser, Json& remarks) const {
    std::vector<std::size_t> rows;
    std::vector<std::int32_t> truth;
    for (const std::size_t i : answered_) {
      rows.push_back(asked_.rows[i]);
      truth.push_back(asked_.identities[i]);
    }
    const Templates references = enrolled_.templates.select(reference_rows_);
    const Templates& presented = probes_.probe_templates.empty() ? probes_.templates : probes_.probe_templates;
    const Matrix<double> probabilities = recogniser == "nearest"
                                             ? nearest(references, presented.select(rows), remarks)
                                             : learned(recogniser, references, presented.select(rows));
    const std::vector<Standing> found = standings_of(probabilities.view(), truth);
    // No answer: everybody is as likely.
    const auto all = static_cast<std::uint32_t>(people_.size());
    std::vector<Standing> standings(asked_.rows.size(),
                                    Standing{.tied = all, .candidates = all, .posterior = 1.0 / all});
    for (std::size_t k = 0; k < answered_.size(); ++k) standings[answered_[k]] = found[k];
    return standings;
  }

  [[nodiscard]] Matrix<double> nearest(const Templates& references, const Templates& probes, Json& remarks) const {
    const ComparatorChoice choice = choose_comparator(probes_, run_.comparator);
    for (const auto& remark : choice.remarks) remarks.push_back(remark);
    const auto comparator = make_comparator(choice.specification);
    TopN best(1, probes.rows(), references.rows(), run_.seed, {reference_people_, people_.size()});
    TileConsumer* consumers[] = {&best};
    compare_all(*comparator, *comparator->prepare(probes, Side::probe, probes_.origin),
                *comparator->prepare(references, Side::reference, enrolled_.origin), Pairs::all, consumers,
                "identifying");
    Matrix<double> probabilities(probes.rows(), people_.size());
    for (std::size_t i = 0; i < probes.rows(); ++i) {
      auto row = probabilities.row(i);
      for (std::size_t c = 0; c < row.size(); ++c) row[c] = best.best(i, c)[0].score / run_.temperature;
      const double most = *std::max_element(row.begin(), row.end());
      double sum = 0;
      for (double& value : row) sum += value = std::exp(value - most);
      for (double& value : row) value /= sum;
    }
    return probabilities;
  }

  [[nodiscard]] Matrix<double> learned(const std::string& recogniser, const Templates& references,
                                       const Templates& probes) const {
    const auto estimator = make_estimator(recogniser);
    Preparation steps(run_.preparation);
    Matrix<float> x = to_features(references);
    steps.fit(x.view());
    x = steps.apply(x.view());
    estimator->fit(x.view(), reference_people_, people_.size(), {.seed = run_.seed, .where = enrolled_.origin});
    return estimator->predict_proba(steps.apply(to_features(probes).view()).view());
  }

  const Dataset& enrolled_;
  const Dataset& probes_;
  const IdentifyRun& run_;
  std::vector<std::string> people_;  // sorted
  std::vector<std::size_t> reference_rows_;
  std::vector<std::int32_t> reference_people_;
  Known asked_;                        // probes of people who are enrolled
  std::vector<std::size_t> answered_;  // places in asked_ of those that did not fail
};

}  // namespace

const std::vector<Declaration>& plain_recognisers() {
  static const std::vector<Declaration> known = {
      {.name = "nearest",
       .paper = "",
       .doc = "the most similar enrolled sample of each person; every estimator is a recogniser, too: it learns people",
       .medium = "template"}};
  return known;
}

Json run_identify(const Dataset& enrolled, const Dataset& probes, const IdentifyRun& run) {
  if (run.recognisers.empty()) throw_usage("--recogniser", "none is named");
  if (!(run.temperature > 0)) throw_usage("--temperature", "a number above 0 is expected");
  for (const auto& recogniser : run.recognisers) {
    if (recogniser != "nearest") (void)make_estimator(recogniser);
  }
  return Identification(enrolled, probes, run).run();
}

}  // namespace bauta
