#include "bauta/question/identification.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "bauta/attack/recogniser.hpp"
#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/protocol/closed_set.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/question/attack_data.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/recovery.hpp"
#include "cells.hpp"
#include "levels.hpp"
#include "standings.hpp"

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

void require_names(const Dataset& data) {
  if (!data.identity_column.empty()) return;
  throw_input(data.origin, "names no identities", "say which column does: --identity COLUMN");
}

class Identification {
 public:
  Identification(const Dataset& enrolled, const Dataset& probes, const IdentifyRun& run)
      : enrolled_(enrolled), probes_(probes), run_(run) {
    for (const Dataset* data : {&enrolled, &probes}) require_names(*data);
    if (const std::string difference = difference_in_kind(enrolled.templates, probes.templates); !difference.empty()) {
      throw_input(enrolled.origin + " and " + probes.origin, difference, "both must be made alike");
    }
    const ComparatorChoice choice = choose_comparator(probes, run.comparator);
    for (const auto& remark : choice.remarks) remarks_.push_back(remark);
    options_ = {choice.specification, run.preparation, run.temperature, run.seed, enrolled.origin, probes.origin};
    people_ = enrolled_people();
    const Known references = known_of(enrolled, people_);
    const std::vector<bool> lost = enrolled.failed();
    enrolled_failures_ = static_cast<std::size_t>(std::count(lost.begin(), lost.end(), true));
    for (const std::size_t i : usable(references, enrolled.failed())) {
      reference_rows_.push_back(references.rows[i]);
      reference_people_.push_back(references.identities[i]);
    }
    asked_ = known_of(probes, people_);
    answered_ = usable(asked_, probes.failed());
    if (answered_.empty()) {
      throw_input(probes.origin, "holds no sample of anybody who is enrolled",
                  "both must name people alike; see --identity");
    }
    if (asked_.strangers > 0) {
      remarks_.push_back(
          fmt::format("{} probes are of people who are not enrolled, and are left out", asked_.strangers));
    }
  }

  [[nodiscard]] const RecogniserOptions& options() const { return options_; }

  [[nodiscard]] ResolvedRecogniser learned(const std::string& name) const {
    ResolvedRecogniser recogniser = make_recogniser(name);
    recogniser->fit(enrolled_.templates.select(reference_rows_), reference_people_, people_.size(), options_);
    return recogniser;
  }

  [[nodiscard]] const std::vector<std::string>& people() const { return people_; }
  [[nodiscard]] std::size_t references() const { return reference_rows_.size(); }
  [[nodiscard]] std::size_t failures() const { return asked_.failures + enrolled_failures_; }
  [[nodiscard]] const Known& asked() const { return asked_; }
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

  /// Whom a recogniser takes the probes for.
  [[nodiscard]] std::vector<Standing> standings_by(const Recogniser& recogniser) const {
    std::vector<std::size_t> rows;
    std::vector<std::int32_t> truth;
    for (const std::size_t i : answered_) {
      rows.push_back(asked_.rows[i]);
      truth.push_back(asked_.identities[i]);
    }
    const Templates& presented = probes_.probe_templates.empty() ? probes_.templates : probes_.probe_templates;
    const Likelihoods said = recogniser.likelihoods(presented.select(rows));
    const std::vector<Standing> found = standings_of(said.probabilities.view(), said.order(), truth);
    // No answer: everybody is as likely.
    const auto all = static_cast<std::uint32_t>(people_.size());
    std::vector<Standing> standings(asked_.rows.size(),
                                    Standing{.tied = all, .candidates = all, .posterior = 1.0 / all});
    for (std::size_t k = 0; k < answered_.size(); ++k) standings[answered_[k]] = found[k];
    return standings;
  }

 private:
  /// In the order of their names.
  [[nodiscard]] std::vector<std::string> enrolled_people() {
    const std::vector<bool> failed = enrolled_.failed();
    const auto& names = enrolled_.labels.column(enrolled_.identity_column);
    std::set<std::string> people;
    for (std::size_t row = 0; row < enrolled_.size(); ++row) {
      if (!failed[row] && !names[row].empty()) people.insert(names[row]);
    }
    if (people.size() < 2) {
      throw_input(enrolled_.origin, fmt::format("enrols {} person(s), two are needed at least", people.size()));
    }
    std::vector<std::string> all(people.begin(), people.end());
    if (run_.most_people == 0 || all.size() <= run_.most_people) return all;
    remarks_.push_back(fmt::format("{} of {} people are enrolled, drawn at random", run_.most_people, all.size()));
    // Only somebody of whom there are probes can be named rightly.
    const auto& probed = probes_.labels.column(probes_.identity_column);
    const std::set<std::string> asked(probed.begin(), probed.end());
    std::erase_if(all, [&](const std::string& name) { return !asked.contains(name); });
    Stream(run_.seed, "people who are named").shuffle(std::span(all));
    all.resize(std::min(all.size(), run_.most_people));
    std::sort(all.begin(), all.end());
    return all;
  }

  const Dataset& enrolled_;
  const Dataset& probes_;
  const IdentifyRun& run_;
  RecogniserOptions options_;
  std::vector<std::string> people_;  // sorted
  std::vector<std::size_t> reference_rows_;
  std::vector<std::int32_t> reference_people_;
  std::size_t enrolled_failures_ = 0;
  Known asked_;                        // probes of people who are enrolled
  std::vector<std::size_t> answered_;  // places in asked_ of those that did not fail
  std::vector<std::string> remarks_;
};

/// Probes of one or more repetitions, pooled: a person counts as one in every interval.
class Repetitions {
 public:
  void begin(const Identification& identification) {
    const Known& asked = identification.asked();
    const std::vector<std::string>& people = identification.people();
    for (const auto& name : people) {
      if (numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size())).second) names_.push_back(name);
    }
    for (const std::int32_t person : asked.identities) {
      subjects_.push_back(numbers_.at(people[static_cast<std::size_t>(person)]));
    }
    identities_ = people.size();
    references_ += identification.references();
    failures_ += identification.failures();
    strangers_ += asked.strangers;
    for (const auto& remark : identification.remarks()) {
      if (std::find(remarks_.begin(), remarks_.end(), remark) == remarks_.end()) remarks_.push_back(remark);
    }
    ++count_;
  }

  /// Of the repetition that was begun last; each has the same recognisers in the same order.
  void add(const std::string& recogniser, const std::vector<Standing>& standings) {
    const auto known =
        std::find_if(named_.begin(), named_.end(), [&](const Named& named) { return named.recogniser == recogniser; });
    Named& named = known == named_.end() ? named_.emplace_back(Named{recogniser, {}}) : *known;
    named.standings.insert(named.standings.end(), standings.begin(), standings.end());
  }

  [[nodiscard]] Answer answer(const IdentifyRun& run) const {
    const Judged judged(subjects_, names_, run.bootstrap, run.seed);
    Json results = Json::array();
    std::vector<Finding> findings;
    for (const auto& [name, standings] : named_) {
      const Mixture first = mixture_of(standings, judged);
      const PeopleNamed people = people_named(standings, judged.subjects);
      Finding finding = first_finding(standings, judged);
      finding.attacker = name;
      finding.counts["identities"] = names_.size();
      finding.axes = {{"recogniser", name}};
      results.push_back({{"recogniser", name},
                         {"rank1", finding.value},
                         {"ci", finding.ci ? Json{finding.ci->low, finding.ci->high} : Json(nullptr)},
                         {"rank5", 1 - mixture_at(5, standings, judged.subjects).value},
                         {"above_chance", (first.chance - first.value) / first.chance},
                         {"always", people.always},
                         {"always_ci", {people.always_ci.low, people.always_ci.high}},
                         {"never", people.never},
                         {"mixture", first.value},
                         {"mean_rank", mean_rank(standings)},
                         {"kl_from_uniform", mean_divergence(standings)},
                         {"top", top_json(standings, judged, run.top)}});
      findings.push_back(std::move(finding));
    }
    const auto worst = std::max_element(results.begin(), results.end(), [](const Json& a, const Json& b) {
      return a["rank1"].get<double>() < b["rank1"].get<double>();
    });
    Json values = {
        {"identities", identities_}, {"enrolled", references_}, {"probes", subjects_.size()},
        {"failures", failures_},     {"strangers", strangers_}, {"chance", 1 / static_cast<double>(identities_)},
        {"results", results},        {"worst", *worst},         {"remarks", remarks_}};
    if (count_ > 1) values.update({{"repetitions", count_}, {"identities_in_all", names_.size()}});
    return {std::move(values), std::move(findings)};
  }

 private:
  struct Named {
    std::string recogniser;
    std::vector<Standing> standings;
  };

  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> names_;  // by number
  std::vector<std::uint32_t> subjects_;
  std::vector<Named> named_;
  std::size_t identities_ = 0;  // of one repetition
  std::size_t references_ = 0, failures_ = 0, strangers_ = 0, count_ = 0;
  std::vector<std::string> remarks_;
};

}  // namespace

namespace {

/// Whoever is named by a sample that is enrolled is named by that sample, not by who they are.
struct EnrolledAndProbes {
  Dataset enrolled, probes;
};

EnrolledAndProbes told_apart(const Dataset& enrolled, const Dataset& probes, const IdentifyRun& run) {
  for (const Dataset* data : {&enrolled, &probes}) require_names(*data);
  const std::string both = enrolled.origin + " and " + probes.origin;
  const std::vector<std::size_t> rows =
      run.other_samples ? std::vector<std::size_t>() : rows_of_same_samples(enrolled, probes);
  if (rows.empty()) {
    if (run.test > 0) throw_usage("--test", fmt::format("{} do not hold the same samples", both));
    if (!run.other_samples) require_other_samples(enrolled, probes);
    return {enrolled, probes};
  }
  if (run.test == 0) {
    throw_input(
        both, fmt::format("hold the same {} samples: people would be named by what they enrolled", rows.size()),
        "--test 0.25 probes a quarter of each person's samples and enrols the others; --other-samples says that "
        "only the labels are alike");
  }
  ClosedSet split = closed_set_split(enrolled, {}, run.test, run.seed);
  if (split.one_sample_each) throw_input(both, "everybody has one sample: none is left to be named by");
  for (std::size_t& row : split.test) row = rows[row];
  return {enrolled.select(split.train), probes.select(split.test)};
}

}  // namespace

Answer run_identify(const Dataset& enrolled, const Dataset& probes, const IdentifyRun& run) {
  if (run.recognisers.empty()) throw_usage("--recogniser", "none is named");
  if (!(run.temperature > 0)) throw_usage("--temperature", "a number above 0 is expected");
  if (!(run.test >= 0 && run.test < 1)) throw_usage("--test", "a share between 0 and 1 is expected");
  for (const auto& recogniser : run.recognisers) (void)make_recogniser(recogniser);
  const EnrolledAndProbes apart = told_apart(enrolled, probes, run);
  const Identification identification(apart.enrolled, apart.probes, run);
  Repetitions repetitions;
  repetitions.begin(identification);
  for (const auto& name : run.recognisers) {
    repetitions.add(name, identification.standings_by(*identification.learned(name)));
  }
  Answer answer = repetitions.answer(run);
  if (const std::string remark = unnamed_samples(enrolled, probes);
      !run.other_samples && run.test == 0 && !remark.empty()) {
    answer.values["remarks"].push_back(remark);
  }
  const std::vector<NearDuplicate> near = near_duplicates(apart.enrolled, apart.probes);
  if (!near.empty()) {
    answer.values["remarks"].push_back(
        fmt::format("{} enrolled samples nearly equal a probe (cosine distance below {:g}), the first: rows {} and {}: "
                    "where they are the same sample, people are named by what they enrolled",
                    near.size(), near_duplicate_distance, near[0].row_a + 1, near[0].row_b + 1));
  }
  return answer;
}

namespace {

class IdentificationQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "identification",
            .paper = "Hanisch et al. (S4); Moriarty et al. (S2)",
            .doc = "who is it, among people of whom other samples are known?",
            .keys = {recogniser_key(), top_key(), temperature_key(), bootstrap_key()}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    const Arrangement& arrangement = views.arrangement();
    if (!arrangement.has(Role::enrol)) {
      if (setting.given.contains("attack.recogniser")) {
        throw_usage("attack.recogniser", "names people, which needs a closed set",
                    "choose protocol.kind = \"closed-set\", or remove it");
      }
      return {};
    }
    if (arrangement.one_sample_each) return {};
    const std::vector<Attempt> attempts = attempts_of(setting, arrangement, technique);
    const Json values = parameters(setting);
    std::vector<Asked> cells;
    for (const Json& name : values["recogniser"]) {
      Json own = values;
      own["recogniser"] = name;
      require_media(name, views.clear(Role::enrol, 0));
      for (const std::string& extractor : representations(setting, name)) {
        add(technique, attempts, extractor, own, cells);
      }
    }
    return cells;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    Answer answer = named(asked, {asked.views[0], asked.views[1]}, views);
    if (asked.views.size() == 2 || answer.findings.empty()) return answer;
    const std::vector<Recipe> clear(asked.views.begin() + 2, asked.views.end());
    const Json level = views.remember({{"identification", asked.parameters}}, clear, [&] {
      const Json worst = named(asked, clear, views).values["worst"];
      return Json{{"rank1", worst["rank1"]}, {"ci", worst["ci"]}};
    });
    answer.values["clear"] = level["rank1"];
    answer.findings.front().clear = level_of(level, "rank1");
    return answer;
  }

 private:
  /// Those whom the experiment names, or else the one who is claimed to fail and one who knows the technique.
  static std::vector<Attempt> attempts_of(const Setting& setting, const Arrangement& arrangement,
                                          const std::string& technique) {
    if (!masks(technique)) return {};
    const std::vector<std::string> both = {"naive", "parrot"};
    const auto& names = setting.given.contains("protocol.adversary") ? setting.adversaries : both;
    std::vector<Attempt> attempts = attempts_on(technique, names, setting);
    for (const Attempt& attempt : attempts) {
      if (!attempt.recovery.empty() && needs_other_people(attempt.recovery) && !arrangement.has(Role::background)) {
        throw_usage("protocol.adversary",
                    "'" + attempt.who->name + "' learns the way back from other people, and none are named",
                    "name them: data.background");
      }
    }
    return attempts;
  }

  static void require_media(const std::string& recogniser, const Dataset& data) {
    if (data.media != nullptr || representation_of(make_recogniser(recogniser)).empty()) return;
    throw_usage("attack.recogniser",
                fmt::format("'{}' looks at media, and {} holds templates", recogniser, data.origin),
                "choose one that takes templates (see: bauta list recognisers)");
  }

  /// The recogniser's own, or else those of the experiment.
  static std::vector<std::string> representations(const Setting& setting, const std::string& recogniser) {
    const std::string own = representation_of(make_recogniser(recogniser));
    if (!own.empty()) return {own};
    return representations_of(setting);
  }

  static void add(const std::string& technique, const std::vector<Attempt>& attempts, const std::string& extractor,
                  const Json& parameters, std::vector<Asked>& cells) {
    Json key = cell_key("identification", technique, extractor);
    key["recogniser"] = parameters["recogniser"];
    const std::vector<Recipe> clear = {{Role::enrol, {}, {extractor}}, {Role::probe, {}, {extractor}}};
    if (!masks(technique)) cells.push_back({key, parameters, clear});
    for (const Attempt& attempt : attempts) {
      const Adversary& who = *attempt.who;
      const Representation seen = who.sees(extractor, technique);
      Json own = key;
      own["adversary"] = who.name;
      if (!attempt.recovery.empty()) own["recovery"] = attempt.recovery;
      cells.push_back({std::move(own),
                       parameters,
                       {{Role::enrol, who.learns(technique, attempt.recovery), seen},
                        {Role::probe, who.meets(technique, attempt.recovery), seen},
                        clear[0],
                        clear[1]}});
    }
  }

  [[nodiscard]] Answer named(const Asked& asked, const std::vector<Recipe>& parts, Views& views) const {
    const Json& values = asked.parameters;
    const std::string recogniser = values["recogniser"];
    IdentifyRun run;
    run.temperature = values["temperature"];
    run.top = values["top"].get<std::vector<std::size_t>>();
    run.most_people = values.value("most_people", std::size_t{0});
    run.bootstrap = values["bootstrap"];
    run.seed = views.seed();
    Repetitions repetitions;
    for (std::size_t r = 0; r < views.rotations(); ++r) {
      const Dataset enrolled = views.view(parts[0], r), probes = views.view(parts[1], r);
      if (parts[0].form.technique != parts[1].form.technique &&
          !difference_in_kind(enrolled.templates, probes.templates).empty()) {
        const char* const why =
            "protected samples have another form than clear ones: who learned from those cannot name them";
        return {{{"results", Json::array()}, {"remarks", Json::array({why})}}};
      }
      const Identification identification(enrolled, probes, run);
      repetitions.begin(identification);
      repetitions.add(recogniser, identification.standings_by(*learned(identification, asked, parts[0], r, views)));
    }
    return repetitions.answer(run);
  }

  /// What is learned from clear samples serves every technique. Who learns nothing only holds the samples once more.
  ResolvedRecogniser learned(const Identification& identification, const Asked& asked, const Recipe& enrolled,
                             std::size_t rotation, const Views& views) const {
    const std::string recogniser = asked.parameters["recogniser"];
    if (!enrolled.form.clear() || !enrolled.representation.fitted_in.clear() ||
        !make_recogniser(recogniser).declaration->learns) {
      return identification.learned(recogniser);
    }
    const std::string address = digest(
        Json{asked.parameters, identification.options().comparator, views.digest(enrolled), views.seed()}.dump());
    auto& [kept, fitted] = kept_[fmt::format("{} {} {}", recogniser, enrolled.representation.extractor, rotation)];
    if (kept != address) {
      fitted = identification.learned(recogniser);
      kept = address;
    }
    return fitted;
  }

  mutable std::map<std::string, std::pair<std::string, ResolvedRecogniser>> kept_;  // of the latest data, by address
};

}  // namespace

std::unique_ptr<Question> identification_question() {
  return std::make_unique<IdentificationQuestion>();
}

}  // namespace bauta
