#include "bauta/question/identification.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/attack/recogniser.hpp"
#include "bauta/core/error.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/measure/identification.hpp"
#include "bauta/question/adversary.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/protecting.hpp"

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
    const ComparatorChoice choice = choose_comparator(probes, run.comparator);
    comparator_remarks_ = choice.remarks;
    options_ = {choice.specification, run.preparation, run.temperature, run.seed, enrolled.origin, probes.origin};
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

  [[nodiscard]] Answer run() const {
    std::vector<std::uint32_t> subjects(asked_.identities.begin(), asked_.identities.end());
    Json results = Json::array();
    Json remarks = comparator_remarks_;
    std::vector<Finding> findings;
    if (asked_.strangers > 0) {
      remarks.push_back(
          fmt::format("{} probes are of people who are not enrolled, and are left out", asked_.strangers));
    }
    for (const std::string& recogniser : run_.recognisers) {
      const std::vector<Standing> standings = standings_by(recogniser);
      const Mixture first = mixture_at(1, standings, subjects, run_.bootstrap, run_.seed);
      findings.push_back(finding_of(recogniser, first, standings, subjects));
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
    return {{{"identities", people_.size()},
             {"enrolled", reference_rows_.size()},
             {"probes", asked_.rows.size()},
             {"failures", asked_.failures},
             {"strangers", asked_.strangers},
             {"chance", 1 / static_cast<double>(people_.size())},
             {"results", std::move(results)},
             {"worst", worst},
             {"remarks", std::move(remarks)}},
            std::move(findings)};
  }

 private:
  [[nodiscard]] Finding finding_of(const std::string& recogniser, const Mixture& first,
                                   const std::vector<Standing>& standings,
                                   const std::vector<std::uint32_t>& subjects) const {
    Finding finding;
    finding.about = About::identity;
    finding.attacker = recogniser;
    finding.measure = "rank-1 rate";
    finding.unit = "rate";
    finding.value = 1 - first.value;
    finding.chance = 1 - first.chance;
    finding.counts = {{"samples", asked_.rows.size()}, {"identities", people_.size()}};
    finding.axes = {{"recogniser", recogniser}};
    if (run_.bootstrap == 0) return finding;
    finding.ci = Interval{1 - first.ci.high, 1 - first.ci.low};
    finding.draws = drawn_mixture(1, standings, subjects, {run_.bootstrap, run_.seed});
    for (double& value : finding.draws) value = 1 - value;
    finding.drawn_over = drawn_over(people_, run_.seed);
    return finding;
  }

  [[nodiscard]] std::vector<Standing> standings_by(const std::string& recogniser) const {
    std::vector<std::size_t> rows;
    std::vector<std::int32_t> truth;
    for (const std::size_t i : answered_) {
      rows.push_back(asked_.rows[i]);
      truth.push_back(asked_.identities[i]);
    }
    const Templates references = enrolled_.templates.select(reference_rows_);
    const Templates& presented = probes_.probe_templates.empty() ? probes_.templates : probes_.probe_templates;
    const ResolvedRecogniser resolved = make_recogniser(recogniser);
    resolved->fit(references, reference_people_, people_.size(), options_);
    const Matrix<double> probabilities = resolved->probabilities(presented.select(rows));
    const std::vector<Standing> found = standings_of(probabilities.view(), truth);
    // No answer: everybody is as likely.
    const auto all = static_cast<std::uint32_t>(people_.size());
    std::vector<Standing> standings(asked_.rows.size(),
                                    Standing{.tied = all, .candidates = all, .posterior = 1.0 / all});
    for (std::size_t k = 0; k < answered_.size(); ++k) standings[answered_[k]] = found[k];
    return standings;
  }

  const Dataset& enrolled_;
  const Dataset& probes_;
  const IdentifyRun& run_;
  std::vector<std::string> comparator_remarks_;
  RecogniserOptions options_;
  std::vector<std::string> people_;  // sorted
  std::vector<std::size_t> reference_rows_;
  std::vector<std::int32_t> reference_people_;
  Known asked_;                        // probes of people who are enrolled
  std::vector<std::size_t> answered_;  // places in asked_ of those that did not fail
};

}  // namespace

Answer run_identify(const Dataset& enrolled, const Dataset& probes, const IdentifyRun& run) {
  if (run.recognisers.empty()) throw_usage("--recogniser", "none is named");
  if (!(run.temperature > 0)) throw_usage("--temperature", "a number above 0 is expected");
  for (const auto& recogniser : run.recognisers) (void)make_recogniser(recogniser);
  return Identification(enrolled, probes, run).run();
}

namespace {

class IdentificationQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "identification",
            .paper = "Hanisch et al. (S4)",
            .doc = "who is it, among people of whom other samples are known?",
            .keys = {recogniser_key(), real_key("measure", "temperature", 1, "of the softmax of similarities"),
                     bootstrap_key()}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    const Arrangement& arrangement = views.arrangement();
    const bool wanted = setting.given.contains("protocol.adversary") || setting.attributes.empty();
    if (!arrangement.has(Role::enrol) || arrangement.one_sample_each || !wanted) return {};
    const Json values = parameters(setting);
    std::vector<Asked> cells;
    for (const Json& name : values["recogniser"]) {
      Json own = values;
      own["recogniser"] = name;
      for (const std::string& extractor : representations(setting, name)) {
        add(setting, technique, extractor, own, cells);
      }
    }
    return cells;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    IdentifyRun run;
    run.recognisers = {asked.parameters["recogniser"]};
    run.temperature = asked.parameters["temperature"];
    run.bootstrap = asked.parameters["bootstrap"];
    run.seed = views.seed();
    Answer answer = run_identify(views.view(asked.views[0], 0), views.view(asked.views[1], 0), run);
    if (asked.views.size() == 2) return answer;
    run.bootstrap = 0;
    const std::vector<Recipe> clear(asked.views.begin() + 2, asked.views.end());
    const Json key = {{"rank-1 rate of", run.recognisers.front()}, {"temperature", run.temperature}};
    const Json level = views.remember(key, clear, [&] {
      return run_identify(views.view(clear[0], 0), views.view(clear[1], 0), run).values["worst"]["rank1"];
    });
    answer.values["clear"] = level;
    for (Finding& finding : answer.findings) finding.clear = Level{level.get<double>()};
    return answer;
  }

 private:
  /// The recogniser's own, or else those of the experiment.
  static std::vector<std::string> representations(const Setting& setting, const std::string& recogniser) {
    const std::string own = representation_of(make_recogniser(recogniser));
    if (!own.empty()) return {own};
    return setting.representations.empty() ? std::vector<std::string>{""} : setting.representations;
  }

  static void add(const Setting& setting, const std::string& technique, const std::string& extractor,
                  const Json& parameters, std::vector<Asked>& cells) {
    Json key = {{"question", "identification"}, {"technique", technique}, {"recogniser", parameters["recogniser"]}};
    if (!extractor.empty()) key["representation"] = extractor;
    if (!masks(technique)) {
      cells.push_back({key, parameters, {{Role::enrol, {}, {extractor}}, {Role::probe, {}, {extractor}}}});
      return;
    }
    for (const auto& name : setting.adversaries) {
      const Adversary& who = find_adversary(name);
      if (who.undoes) {
        throw_usage("protocol.adversary",
                    "'" + name + "' needs people to learn the way back from, a closed set has none", "leave it out");
      }
      key["adversary"] = who.name;
      const Representation seen = who.sees(extractor, technique);
      cells.push_back({key,
                       parameters,
                       {{Role::enrol, who.learns(technique, {}), seen},
                        {Role::probe, who.meets(technique, {}), seen},
                        {Role::enrol, {}, {extractor}},
                        {Role::probe, {}, {extractor}}}});
    }
  }
};

}  // namespace

std::unique_ptr<Question> identification_question() {
  return std::make_unique<IdentificationQuestion>();
}

}  // namespace bauta
