#include "standings.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/measure/draws.hpp"
#include "bauta/protocol/subjects.hpp"

namespace bauta {

People people_of(const Dataset& data, std::span<const std::string> nameless) {
  const Subjects subjects = subjects_of(data);
  People people{{subjects.of_row.begin(), subjects.of_row.end()}, std::vector<std::string>(subjects.count)};
  std::string own;  // samples of other data must not pass for these
  for (std::size_t row = 0; row < data.size(); ++row) {
    std::string& name = people.names[people.of_row[row]];
    if (!data.identity_column.empty()) name = data.labels.column(data.identity_column)[row];
    if (!name.empty()) continue;
    if (nameless.empty() && own.empty()) own = digest(data);
    name = nameless.empty() ? fmt::format("sample {} of {}", row, own) : nameless[row];
  }
  return people;
}

std::uint32_t PeopleNumbers::of(const std::string& name) {
  const auto [found, fresh] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (fresh) names_.push_back(name);
  return found->second;
}

Judged::Judged(std::vector<std::uint32_t> subjects_of_samples, std::span<const std::string> names, std::size_t draws,
               std::uint64_t random)
    : subjects(std::move(subjects_of_samples)), bootstrap(draws), seed(random) {
  std::vector<std::string> present;
  for (const std::uint32_t subject : std::set<std::uint32_t>(subjects.begin(), subjects.end())) {
    present.push_back(names[subject]);
  }
  people = drawn_over(present, seed);
}

Mixture mixture_of(const std::vector<Standing>& standings, const Judged& judged, std::size_t k) {
  return mixture_at(k, standings, judged.subjects);
}

Json to_json(const Mixture& mixture, const Judged& judged) {
  return {{"mixture", mixture.value},
          {"ci", judged.bootstrap > 0 ? Json{mixture.ci.low, mixture.ci.high} : Json(nullptr)}};
}

Json top_json(const std::vector<Standing>& standings, const Judged& judged, const std::vector<std::size_t>& top) {
  Json list = Json::array();
  for (const std::size_t k : top) {
    if (k > 1 && k >= standings.front().candidates) continue;
    const Mixture mixture = mixture_of(standings, judged, k);
    Json entry = to_json(mixture, judged);
    entry.update({{"k", k}, {"chance", mixture.chance}});
    list.push_back(std::move(entry));
  }
  return list;
}

double mean_rank(const std::vector<Standing>& standings) {
  double ranks = 0;
  for (const Standing& standing : standings) ranks += standing.above + (standing.tied + 1) / 2.0;
  return ranks / static_cast<double>(standings.size());
}

Level first_level(const Mixture& mixture, const Judged& judged) {
  Level level{1 - mixture.value};
  if (judged.bootstrap > 0) level.ci = Interval{1 - mixture.ci.high, 1 - mixture.ci.low};
  return level;
}

Finding first_finding(const std::vector<Standing>& standings, const Judged& judged) {
  const Mixture mixture = mixture_of(standings, judged);
  const Level level = first_level(mixture, judged);
  Finding finding;
  finding.about = About::identity;
  finding.measure = "rank-1 rate";
  finding.unit = "rate";
  finding.value = level.value;
  finding.ci = level.ci;
  finding.chance = 1 - mixture.chance;
  const std::set<std::uint32_t> people(judged.subjects.begin(), judged.subjects.end());
  finding.counts = {{"samples", standings.size()}, {"identities", people.size()}};
  if (judged.bootstrap == 0) return finding;
  finding.draws = drawn_mixture(1, standings, judged.subjects, {judged.bootstrap, judged.seed});
  for (double& value : finding.draws) value = 1 - value;
  finding.drawn_over = judged.people;
  return finding;
}

}  // namespace bauta
