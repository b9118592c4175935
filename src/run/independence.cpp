#include "independence.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/provenance_file.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/question/protecting.hpp"

namespace bauta {

namespace {

/// Pairs that are too close to be independent are listed, and remarked on; where the experiment is strict they stop it.
Json near_duplicate_list(const std::vector<NearDuplicate>& pairs, const Dataset& a, const Dataset& b,
                         const Experiment& experiment, Json& remarks) {
  constexpr std::size_t listed_at_most = 20;
  std::size_t count = 0;
  std::set<std::pair<std::size_t, std::size_t>> seen;  // within a data set each pair is found from either side
  Json list = Json::array();
  for (const NearDuplicate& pair : pairs) {
    // In a closed set everybody is on both sides: a copy of their own sample gives them away.
    if (pair.same_subject && !experiment.closed_set) continue;
    const std::string first = fmt::format("{} row {}", a.origin, pair.row_a + 1);
    const std::string second = fmt::format("{} row {}", b.origin, pair.row_b + 1);
    if (experiment.strict) {
      throw_input(first + " and " + second,
                  a.templates.empty()
                      ? "the same medium stands in both, byte by byte"
                      : fmt::format("nearly the same template stands in both, cosine distance {:.2g}", pair.distance),
                  "remove one of them, or allow near-duplicates by leaving out strict");
    }
    ++count;
    const bool again = &a == &b && !seen.insert(std::minmax(pair.row_a, pair.row_b)).second;
    if (!again && list.size() < listed_at_most) {
      list.push_back({{"first", first}, {"second", second}, {"distance", pair.distance}});
    }
  }
  const bool media = a.templates.empty();
  if (count > 0) {
    remarks.push_back(
        fmt::format("{} {} one that may stand on the other side ({}), the first: {} and {}", count,
                    media ? "media are the same as" : "samples nearly equal",
                    media ? "byte by byte" : fmt::format("cosine distance below {:g}", near_duplicate_distance),
                    list[0]["first"].get<std::string>(), list[0]["second"].get<std::string>()));
  }
  return {{"count", count}, {"below", media ? 0.0 : near_duplicate_distance}, {"pairs", std::move(list)}};
}

/// What the record of a data set says that a technique brings: a folder, or the templates in it.
std::optional<Provenance> record_of(const std::filesystem::path& brought) {
  const bool templates = brought.filename() == "templates.npy";
  const std::filesystem::path record = (templates ? brought.parent_path() : brought) / "dataset.toml";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(record, ignored)) return std::nullopt;
  return read_dataset_file(record).provenance;
}

}  // namespace

Json find_near_duplicates(const Experiment& experiment, const ExperimentData& data, Json& remarks) {
  const Dataset& target = data.target.data;
  if (experiment.pep || experiment.closed_set) {
    return near_duplicate_list(near_duplicates(target), target, target, experiment, remarks);
  }
  if (!data.attacker) return nullptr;
  const Dataset& attacker = data.attacker->data;
  return near_duplicate_list(near_duplicates(attacker, target), attacker, target, experiment, remarks);
}

void remark_on_suspects(const Experiment& experiment, const ExperimentData& data, const Arrangement& arrangement,
                        Json& remarks) {
  for (std::string& text : suspected_leaks(arrangement, data.sources())) {
    if (experiment.strict) throw_input("protocol.strict", text, "rename or remove them, or leave out strict");
    remarks.push_back(std::move(text));
  }
}

void remark_on_made_together(const Experiment& experiment, const ExperimentData& data, const Arrangement& arrangement,
                             Json& remarks) {
  const auto say = [&](std::string text) {
    if (!text.empty()) remarks.push_back(std::move(text));
  };
  const std::vector<const Dataset*> given = data.sources().given();
  for (std::size_t a = 0; a < given.size(); ++a) {
    for (std::size_t b = a + 1; b < given.size(); ++b) say(made_together(*given[a], *given[b]));
  }
  const Roles& roles = arrangement.rotations.front();
  const bool dealt = std::ranges::any_of(arrangement.disjoint, [&](const auto& pair) {
    return roles.at(pair.first).source == roles.at(pair.second).source;
  });
  if (!dealt) return;
  say(made_together(data.target.data, data.target.data));
  for (const auto& technique : experiment.setting.techniques) {
    const ResolvedProtection resolved = make_protection(technique);
    for (const Parameter& parameter : resolved.declaration->parameters) {
      if (parameter.type != ParameterType::file && parameter.type != ParameterType::folder) continue;
      const std::string& brought = resolved.parameters.text(parameter.name);
      const std::optional<Provenance> record = brought.empty() ? std::nullopt : record_of(brought);
      if (record) say(made_together(brought, *record));
    }
  }
}

Json earlier_masks(const ExperimentData& data, Json& remarks) {
  for (const Dataset* dataset : data.sources().given()) {
    const auto before = dataset->provenance ? earlier_masks(*dataset->provenance) : std::vector<std::string>();
    if (before.empty()) continue;
    remarks.push_back(fmt::format("{} was masked before it came here ({}): what is called clear below is that",
                                  dataset->origin, fmt::join(before, ", after ")));
  }
  const auto& target = data.target.data.provenance;
  return target ? earlier_masks(*target) : std::vector<std::string>();
}

}  // namespace bauta
