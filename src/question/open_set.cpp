// Who is it, if it is anybody who is enrolled? A share of the people is not, and searches for them should raise no
// alarm. The score of a search is what puts its candidates in order, of the best of them (Likelihoods::order): a
// similarity, a log density, a logit, votes. Probabilities among those enrolled would not do. They tell which of them
// it is if it is one of them, which is not asked here: whoever is far from everybody and a little less far from one has
// a posterior, and odds, as good as certain. And they are rounded to 1, which leaves nothing to put a threshold at.
#include "bauta/measure/open_set.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "bauta/attack/recogniser.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/question/comparing.hpp"
#include "known_people.hpp"
#include "levels.hpp"
#include "recogniser_cells.hpp"
#include "standings.hpp"

namespace bauta {

namespace {

Key open_set_key() {
  return {"measure", "open_set", "share of the people who are searched for and not enrolled; 0: nobody is", 0.0,
          [](const Json& given, const std::string& where) {
            const double share = given.is_number() ? given.get<double>() : -1;
            if (!(share >= 0 && share < 1)) throw_usage(where, "a share of the people between 0 and 1 is expected");
            return Json(share);
          }};
}

Key fpir_key() {
  return rates_key("measure", "fpir", {0.1, 0.01}, "false alarm rates at which misses are counted in an open set");
}

/// Those who are searched for and not enrolled, of all of whom there are probes: at least one, and two stay.
std::set<std::string> left_out(const Dataset& probes, double share, std::uint64_t seed, std::size_t rotation) {
  const auto& names = probes.labels.column(probes.identity_column);
  std::set<std::string> all(names.begin(), names.end());
  all.erase("");
  if (all.size() < 3) {
    throw_input(probes.origin, fmt::format("has {} people: two are enrolled and one is not at least", all.size()));
  }
  std::vector<std::string> people(all.begin(), all.end());
  Stream(seed, "people who are not enrolled", rotation).shuffle(std::span(people));
  const auto wanted = static_cast<std::size_t>(std::lround(share * static_cast<double>(people.size())));
  people.resize(std::clamp<std::size_t>(wanted, 1, people.size() - 2));
  return {people.begin(), people.end()};
}

std::optional<Interval> found_of(const std::optional<Interval>& missed) {
  if (!missed) return std::nullopt;
  return Interval{1 - missed->high, 1 - missed->low};
}

class OpenSetQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "open-set",
            .paper = "ISO/IEC 19795-1",
            .doc = "who is it, if it is anybody of those who are known?",
            .keys = {open_set_key(), fpir_key(), recogniser_key(), temperature_key(), bootstrap_key()},
            .only = "in a closed set: elsewhere nobody is known from another sample"};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    const Json values = parameters(setting);
    if (values["open_set"] == 0.0 || !names_people(setting, views, "measure.open_set")) return {};
    return recogniser_cells(setting, views, technique, "open-set", values);
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    Answer answer = searched(asked, {asked.views[0], asked.views[1]}, views);
    if (asked.views.size() == 2 || answer.findings.empty()) return answer;
    const std::vector<Recipe> clear(asked.views.begin() + 2, asked.views.end());
    const Json levels = views.remember({{"open-set", asked.parameters}}, clear,
                                       [&] { return searched(asked, clear, views).values["points"]; });
    std::size_t finding = 0;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      answer.values["points"][k]["clear"] = {{"fnir", levels[k]["fnir"]}, {"ci", levels[k]["ci"]}};
      if (answer.values["points"][k]["resolvable"] != true) continue;
      const std::optional<Level> missed = level_of(levels[k], "fnir");
      answer.findings[finding++].clear = Level{1 - missed->value, found_of(missed->ci)};
    }
    return answer;
  }

 private:
  struct Counts {
    std::size_t enrolled = 0;  ///< people, in the last repetition
    std::size_t failures = 0;  ///< probes, of all repetitions
    double guess = 0;          ///< that anybody who is enrolled is the right one, mean over repetitions
  };

  static Answer searched(const Asked& asked, const std::vector<Recipe>& parts, Views& views) {
    const Json& values = asked.parameters;
    IdentifyRun run;
    run.temperature = values["temperature"];
    run.seed = views.seed();
    std::vector<Search> searches;
    PeopleNumbers numbers;
    Counts counts;
    for (std::size_t r = 0; r < views.rotations(); ++r) {
      const Dataset all = views.view(parts[0], r), probes = views.view(parts[1], r);
      if (parts[0].form.technique != parts[1].form.technique) require_one_form(all, probes.templates, probes.origin);
      const std::set<std::string> others = left_out(views.clear(Role::probe, r), values["open_set"], views.seed(), r);
      const auto& names = all.labels.column(all.identity_column);
      std::vector<std::size_t> rows;
      for (std::size_t row = 0; row < all.size(); ++row) {
        if (!others.contains(names[row])) rows.push_back(row);
      }
      const Dataset enrolled = all.select(rows);
      const KnownPeople known(enrolled, probes, run);
      counts.enrolled = known.enrolled().size();
      const std::size_t named = std::max<std::size_t>(counts.enrolled, 1);
      counts.guess += 1 / static_cast<double>(named) / static_cast<double>(views.rotations());
      counts.failures += add_searches(known, values["recogniser"], probes, others, numbers, searches);
    }
    return told(asked, searches, numbers.names(), counts, views.seed());
  }

  /// Gives how many of the probes failed.
  static std::size_t add_searches(const KnownPeople& known, const std::string& recogniser, const Dataset& probes,
                                  const std::set<std::string>& others, PeopleNumbers& numbers,
                                  std::vector<Search>& searches) {
    const std::size_t before = searches.size();
    const std::vector<bool> failed = probes.failed();
    const auto& names = probes.labels.column(probes.identity_column);
    std::map<std::string, std::size_t> columns;
    for (const std::int32_t person : known.enrolled()) {
      columns.emplace(known.people()[static_cast<std::size_t>(person)], columns.size());
    }
    std::vector<std::size_t> rows, places;
    for (std::size_t row = 0; row < probes.size(); ++row) {
      if (names[row].empty()) continue;
      const bool enrolled = !others.contains(names[row]);
      if (!failed[row]) {
        rows.push_back(row);
        places.push_back(searches.size());
      }
      searches.push_back({numbers.of(names[row]), enrolled, -HUGE_VAL, 0});
    }
    const std::size_t lost = searches.size() - before - rows.size();
    // A mask may leave nobody to look at, or nobody to tell from somebody else: then no alarm is raised.
    if (rows.empty() || known.enrolled().size() < 2) return lost;
    const Likelihoods said = known.learned(recogniser)->likelihoods(known.presented().select(rows));
    const MatrixView<const double> order = said.order();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto scores = order.row(i);
      const double best = *std::max_element(scores.begin(), scores.end());
      Search& search = searches[places[i]];
      search.score = best;
      const auto found = columns.find(names[rows[i]]);
      if (found == columns.end()) continue;  // or none of their samples was usable
      if (scores[found->second] == best)
        search.hit = 1.0 / static_cast<double>(std::count(scores.begin(), scores.end(), best));
    }
    return lost;
  }

  static Answer told(const Asked& asked, const std::vector<Search>& searches, const std::vector<std::string>& names,
                     const Counts& counts, std::uint64_t seed) {
    const Json& values = asked.parameters;
    const std::string recogniser = values["recogniser"];
    const OpenSetResult result =
        measure_open_set(searches, {values["fpir"].get<std::vector<double>>(), values["bootstrap"], seed});
    Answer answer{{{"recogniser", recogniser},
                   {"score", "of the best candidate, not normalised"},
                   {"enrolled_people", counts.enrolled},
                   {"searches", result.mated},
                   {"searches_for_others", result.non_mated},
                   {"failures", counts.failures},
                   {"points", Json::array()},
                   {"curve", Json::array()}}};
    if (std::ranges::none_of(searches, [](const Search& search) { return std::isfinite(search.score); })) {
      answer.values["remarks"] = {"behind the mask there is nothing to search by: no alarm is ever raised"};
    }
    for (const ErrorTradeoff& point : result.curve) answer.values["curve"].push_back({point.fpir, point.fnir});
    for (const OpenSetPoint& point : result.points) {
      answer.values["points"].push_back({{"fpir", point.fpir},
                                         {"fnir", point.fnir},
                                         {"ci", point.ci ? Json{point.ci->low, point.ci->high} : Json(nullptr)},
                                         {"threshold", point.threshold},
                                         {"actual_fpir", point.actual_fpir},
                                         {"resolvable", point.resolvable}});
      if (!point.resolvable) continue;
      // Misses would stand beside rates of which a high one is a leak: whoever is not missed is found.
      Finding finding;
      finding.about = About::identity;
      finding.attacker = recogniser;
      finding.measure = fmt::format("enrolled people found at {:g} % false alarms", 100 * point.fpir);
      finding.unit = "rate";
      finding.value = 1 - point.fnir;
      finding.ci = found_of(point.ci);
      // Somebody who raises as many alarms without looking, and names anybody.
      finding.chance = point.actual_fpir * counts.guess;
      finding.counts = {{"samples", result.mated + result.non_mated}, {"identities", names.size()}};
      finding.axes = {{"recogniser", recogniser}, {"fpir", fmt::format("{:g}", point.fpir)}};
      for (const double missed : point.draws) finding.draws.push_back(1 - missed);
      if (!finding.draws.empty()) finding.drawn_over = drawn_over(names, seed);
      answer.findings.push_back(std::move(finding));
    }
    return answer;
  }
};

}  // namespace

std::unique_ptr<Question> open_set_question() {
  return std::make_unique<OpenSetQuestion>();
}

}  // namespace bauta
