#include "bauta/question/identification.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "bauta/attack/recogniser.hpp"
#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/protocol/closed_set.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/question/comparing.hpp"
#include "known_people.hpp"
#include "levels.hpp"
#include "recogniser_cells.hpp"
#include "standings.hpp"

namespace bauta {

namespace {

/// Probes of one or more repetitions, pooled: a person counts as one in every interval.
class Repetitions {
 public:
  void begin(const KnownPeople& identification) {
    const Known& asked = identification.asked();
    const std::vector<std::string>& people = identification.people();
    for (const auto& name : people) (void)numbers_.of(name);
    for (const std::int32_t person : asked.identities) {
      subjects_.push_back(numbers_.of(people[static_cast<std::size_t>(person)]));
    }
    identities_ = people.size();
    // Where everybody is guessed, nobody is missed for not being enrolled.
    std::vector<bool> known(people.size(), identification.guessing());
    for (const std::int32_t person : identification.enrolled()) known[static_cast<std::size_t>(person)] = true;
    for (std::size_t p = 0; p < people.size(); ++p) {
      if (!known[p]) lost_people_.insert(people[p]);
    }
    for (const std::int32_t person : asked.identities) lost_probes_ += !known[static_cast<std::size_t>(person)];
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
    Named& named = known == named_.end() ? named_.emplace_back(Named{recogniser}) : *known;
    named.standings.insert(named.standings.end(), standings.begin(), standings.end());
    double hits = 0;
    for (const Standing& standing : standings) hits += standing.hit(1);
    named.rates.push_back(hits / static_cast<double>(standings.size()));
  }

  /// How often each person is named at once, and how often everybody is in each repetition; of the first recogniser.
  [[nodiscard]] Json details(const std::map<std::string, std::size_t>& first_rows) const {
    return {{"people", people_json(named_.front(), first_rows)}, {"repeats", named_.front().rates}};
  }

  /// The same of every recogniser, in the order in which they were added.
  [[nodiscard]] std::vector<Json> per_identity(const std::map<std::string, std::size_t>& first_rows) const {
    std::vector<Json> all;
    for (const Named& named : named_) all.push_back(people_json(named, first_rows));
    return all;
  }

  [[nodiscard]] Answer answer(const IdentifyRun& run) const {
    const Judged judged(subjects_, numbers_.names(), run.bootstrap, run.seed);
    Json results = Json::array();
    std::vector<Finding> findings;
    for (const auto& [name, standings, rates] : named_) {
      const Mixture first = mixture_of(standings, judged);
      const PeopleNamed people = people_named(standings, judged.subjects);
      Finding finding = first_finding(standings, judged);
      finding.attacker = name;
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
    if (!lost_people_.empty()) {
      values.update({{"unenrolled_people", lost_people_.size()}, {"unenrolled_probes", lost_probes_}});
    }
    if (count_ > 1) values.update({{"repetitions", count_}, {"identities_in_all", numbers_.names().size()}});
    return {std::move(values), std::move(findings)};
  }

 private:
  struct Named {
    std::string recogniser;
    std::vector<Standing> standings = {};
    std::vector<double> rates = {};  // by repetition
  };

  /// Hits and probes of people, who are called by their first row in the data, from 1: names have no place in results.
  [[nodiscard]] Json people_json(const Named& named, const std::map<std::string, std::size_t>& first_rows) const {
    std::map<std::size_t, std::pair<double, std::size_t>> people;  // by row
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      auto& [hits, probes] = people[first_rows.at(numbers_.names()[subjects_[i]]) + 1];
      hits += named.standings[i].hit(1);
      ++probes;
    }
    Json rows = Json::array(), hits = Json::array(), probes = Json::array();
    for (const auto& [row, counts] : people) {
      rows.push_back(row);
      hits.push_back(counts.first);
      probes.push_back(counts.second);
    }
    return {{"row", std::move(rows)}, {"hits", std::move(hits)}, {"probes", std::move(probes)}};
  }

  PeopleNumbers numbers_;
  std::vector<std::uint32_t> subjects_;
  std::vector<Named> named_;
  std::size_t identities_ = 0;  // of one repetition
  std::size_t references_ = 0, failures_ = 0, strangers_ = 0, count_ = 0;
  std::set<std::string> lost_people_;  // of whom nothing was left to enrol, in any repetition
  std::size_t lost_probes_ = 0;
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
  const KnownPeople identification(apart.enrolled, apart.probes, run);
  Repetitions repetitions;
  repetitions.begin(identification);
  for (const auto& name : run.recognisers) {
    repetitions.add(name, identification.guessing() ? identification.guesses()
                                                    : identification.standings_by(*identification.learned(name)));
  }
  Answer answer = repetitions.answer(run);
  std::map<std::string, std::size_t> first_rows;
  const auto& names = enrolled.labels.column(enrolled.identity_column);
  for (std::size_t row = 0; row < names.size(); ++row) first_rows.try_emplace(names[row], row);
  std::vector<Json> people = repetitions.per_identity(first_rows);
  for (std::size_t k = 0; k < people.size(); ++k) answer.values["results"][k]["per_identity"] = std::move(people[k]);
  if (const std::string remark = unnamed_samples(enrolled, probes);
      !run.other_samples && run.test == 0 && !remark.empty()) {
    answer.values["remarks"].push_back(remark);
  }
  for (std::string& remark : suspected_copies(apart.enrolled, apart.probes)) {
    answer.values["remarks"].push_back(std::move(remark));
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
            .keys = {recogniser_key(), top_key(), temperature_key(), bootstrap_key()},
            .only = "in a closed set: elsewhere nobody is known from another sample"};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    if (!names_people(setting, views, "attack.recogniser")) return {};
    return recogniser_cells(setting, views, technique, "identification", parameters(setting));
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    Answer answer = named(asked, {asked.views[0], asked.views[1]}, views);
    if (asked.views.size() == 2) return answer;
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
      if (parts[0].form.technique != parts[1].form.technique) {
        require_one_form(enrolled, probes.templates, probes.origin);
      }
      const KnownPeople identification(enrolled, probes, run);
      repetitions.begin(identification);
      repetitions.add(recogniser, identification.guessing()
                                      ? identification.guesses()
                                      : identification.standings_by(*learned(identification, asked, parts[0], r, views)));
    }
    Answer answer = repetitions.answer(run);
    if (views.arrangement().has(Role::whole)) answer.values.update(repetitions.details(first_rows(views)));
    return answer;
  }

  /// Where each person begins in the data under attack.
  static std::map<std::string, std::size_t> first_rows(const Views& views) {
    std::map<std::string, std::size_t> firsts;
    for (std::size_t r = 0; r < views.rotations(); ++r) {
      const Dataset all = views.clear(Role::whole, r);
      const auto& rows = views.arrangement().rotations[r].at(Role::whole).rows;
      const auto& names = all.labels.column(all.identity_column);
      for (std::size_t i = 0; i < rows.size(); ++i) firsts.try_emplace(names[i], rows[i]);
    }
    return firsts;
  }

  /// What is learned from clear samples serves every technique, and is kept for the next as far as an eighth of the
  /// memory goes; the first stay, because all come round again in the same order. Who learns nothing only holds the
  /// samples once more.
  ResolvedRecogniser learned(const KnownPeople& identification, const Asked& asked, const Recipe& enrolled,
                             std::size_t rotation, const Views& views) const {
    const std::string recogniser = asked.parameters["recogniser"];
    if (!enrolled.form.clear() || !enrolled.representation.fitted_in.clear() ||
        !make_recogniser(recogniser).declaration->learns) {
      return identification.learned(recogniser);
    }
    const std::string address = digest(
        Json{asked.parameters, identification.options().comparator, views.digest(enrolled), views.seed()}.dump());
    auto& [kept, fitted] = kept_[fmt::format("{} {} {} {}", recogniser, enrolled.representation.extractor,
                                             enrolled.representation.fitted_on.has_value(), rotation)];
    if (kept == address) return fitted;
    // Recognisers hold about what they learned from.
    const std::uint64_t size = identification.enrolled_bytes();
    if (kept.empty()) {
      if (kept_bytes_ + size > views.memory() / 8) return identification.learned(recogniser);
      kept_bytes_ += size;
    }
    fitted = identification.learned(recogniser);
    kept = address;
    return fitted;
  }

  mutable std::map<std::string, std::pair<std::string, ResolvedRecogniser>> kept_;  // of the latest data, by address
  mutable std::uint64_t kept_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Question> identification_question() {
  return std::make_unique<IdentificationQuestion>();
}

}  // namespace bauta
