#include "controls.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bauta/attack/planted_leak.hpp"
#include "bauta/core/random.hpp"
#include "bauta/protocol/subjects.hpp"
#include "bauta/recover/recovery.hpp"

namespace bauta {

namespace {

/// Rows that have a class, grouped so that each group has one: by subject where subjects have one class, else by row.
std::vector<std::vector<std::size_t>> groups_of_one_class(const Dataset& data, const std::string& attribute) {
  const auto& classes = data.labels.column(attribute);
  const Subjects subjects = subjects_of(data);
  std::map<std::size_t, std::vector<std::size_t>> by_subject;
  bool constant = true;
  for (std::size_t row = 0; row < data.size(); ++row) {
    if (classes[row].empty()) continue;
    auto& rows = by_subject[subjects.of_row[row]];
    constant = constant && (rows.empty() || classes[rows[0]] == classes[row]);
    rows.push_back(row);
  }
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [subject, rows] : by_subject) {
    if (constant) {
      groups.push_back(std::move(rows));
    } else {
      for (const std::size_t row : rows) groups.push_back({row});
    }
  }
  return groups;
}

void exchange_within(Dataset& data, const std::string& attribute, Stream stream) {
  std::vector<std::string> column = data.labels.column(attribute);
  const auto groups = groups_of_one_class(data, attribute);
  const std::vector<std::size_t> order = stream.permutation(groups.size());
  const std::vector<std::string> before = column;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::size_t row : groups[g]) column[row] = before[groups[order[g]][0]];
  }
  data.labels.replace_column(attribute, std::move(column));
}

/// Blocks that the technique shuffles: a leak must repeat in each.
std::size_t block_length(const Dataset& data) {
  const std::optional<ResolvedProtection> technique = recorded_protection(data);
  return technique ? (*technique)->known_mask({}).block : 0;
}

}  // namespace

AttackSplit exchange_labels(AttackSplit split, const std::string& attribute, std::uint64_t seed) {
  exchange_within(split.train, attribute, Stream(seed, "exchanged labels", 1));
  exchange_within(split.test, attribute, Stream(seed, "exchanged labels", 2));
  if (split.dev) exchange_within(*split.dev, attribute, Stream(seed, "exchanged labels", 3));
  return split;
}

std::optional<AttackSplit> plant_leak(AttackSplit split, const std::string& attribute, double size,
                                      std::uint64_t seed) {
  split.dev.reset();
  split = exchange_labels(std::move(split), attribute, seed);
  const std::vector<std::string> classes = split.train.labels.categorical(attribute).classes;
  const PlantedLeak leak(split.train.templates, classes.size(), block_length(split.train), seed);
  if (!leak.possible()) return std::nullopt;
  const bool negative = !split.train.probe_templates.empty();
  for (Dataset* part : {&split.train, &split.test}) {
    const auto& column = part->labels.column(attribute);
    std::vector<std::int32_t> codes(column.size(), 0);  // rows without a known class are not attacked
    for (std::size_t row = 0; row < column.size(); ++row) {
      const auto found = std::find(classes.begin(), classes.end(), column[row]);
      if (found != classes.end()) codes[row] = static_cast<std::int32_t>(found - classes.begin());
    }
    part->templates = leak.plant(part->templates, codes, size, negative);
    if (negative) part->probe_templates = leak.plant(part->probe_templates, codes, size);
  }
  return split;
}

bool found_something(double balanced, double low, double chance) {
  constexpr double standard_errors = 3 / 1.96;  // an end of the interval is 1.96 of them away
  return balanced - chance > standard_errors * (balanced - low);
}

Json control_ladder(double chance, Json null, const std::function<Json(double size)>& attempt) {
  const auto judge = [&](Json& quality) {
    quality["found"] = found_something(quality["balanced"], quality["ci"][0], chance);
  };
  judge(null);
  Json planted = Json::array();
  Json smallest = nullptr;
  for (const double advantage : planted_advantages) {
    const double size = chance + advantage * (1 - chance);
    const Json quality = attempt(size);
    if (quality.is_null()) return nullptr;
    Json line = {{"size", size}};
    line.update(quality);
    judge(line);
    const bool found = line["found"];
    planted.push_back(std::move(line));
    if (!found) break;  // smaller ones would not be found either
    smallest = size;
  }
  return {{"null", std::move(null)}, {"planted", std::move(planted)}, {"smallest", std::move(smallest)}};
}

std::optional<bool> control_health(const Json& control) {
  if (!control.is_object()) return std::nullopt;
  return control["null"]["found"] == false;
}

AttackSplit thin_training(AttackSplit split, const std::string& attribute, double share, std::uint64_t seed) {
  const auto& column = split.train.labels.column(attribute);
  std::map<std::string, std::vector<std::vector<std::size_t>>> by_class;
  for (auto& group : groups_of_one_class(split.train, attribute))
    by_class[column[group[0]]].push_back(std::move(group));
  std::vector<std::size_t> rows;
  std::size_t item = 0;
  for (auto& [name, groups] : by_class) {
    Stream(seed, "learning curve", item++).shuffle(std::span(groups));
    const auto wanted = static_cast<std::size_t>(std::lround(share * static_cast<double>(groups.size())));
    groups.resize(std::clamp<std::size_t>(wanted, std::min<std::size_t>(2, groups.size()), groups.size()));
    for (const auto& group : groups) rows.insert(rows.end(), group.begin(), group.end());
  }
  std::sort(rows.begin(), rows.end());
  split.train = split.train.select(rows);
  return split;
}

}  // namespace bauta
