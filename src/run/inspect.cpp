#include "bauta/run/inspect.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/question/comparing.hpp"

namespace bauta {

namespace {

constexpr std::size_t listed_at_most = 10;

Json describe_column(const Dataset& dataset, const std::string& name) {
  const Categorical column = dataset.labels.categorical(name);
  const auto counts = column.counts();
  const auto missing = static_cast<std::size_t>(std::count(column.codes.begin(), column.codes.end(), -1));
  Json json = {{"name", name}, {"missing", missing}, {"distinct", column.classes.size()}};
  if (name == dataset.identity_column) {
    json["kind"] = "identity";
    std::vector<std::size_t> sorted = counts;
    std::sort(sorted.begin(), sorted.end());
    if (!sorted.empty()) {
      json["samples_per_identity"] = {
          {"min", sorted.front()}, {"median", sorted[sorted.size() / 2]}, {"max", sorted.back()}};
    }
  } else if (column.classes.size() == dataset.size() && dataset.size() > 1) {
    json["kind"] = "name";  // a different value for every sample: an id or a file
  } else if (dataset.labels.kind(name) == ColumnKind::continuous) {
    json["kind"] = "continuous";
    std::vector<double> values = dataset.labels.numbers(name);
    std::erase_if(values, [](double value) { return value != value; });
    std::sort(values.begin(), values.end());
    json["range"] = {{"min", values.front()}, {"median", values[values.size() / 2]}, {"max", values.back()}};
  } else {
    json["kind"] = "categorical";
    json["classes"] = Json::object();
    for (std::size_t i = 0; i < counts.size(); ++i) json["classes"][column.classes[i]] = counts[i];
  }
  return json;
}

/// An attribute of a person that differs between samples of one identity is a labelling error, or not of the person.
void check_attributes(const Dataset& dataset, Json& problems) {
  if (dataset.identity_column.empty()) return;
  const Categorical identity = dataset.labels.categorical(dataset.identity_column);
  for (const auto& name : dataset.labels.names()) {
    if (name != "gender" && name != "ethnicity" && name != "sex") continue;
    const Categorical attribute = dataset.labels.categorical(name);
    std::vector<std::int32_t> first(identity.classes.size(), -1);
    std::vector<bool> mixed(identity.classes.size(), false);
    for (std::size_t i = 0; i < dataset.size(); ++i) {
      if (identity.codes[i] < 0 || attribute.codes[i] < 0) continue;
      const auto person = static_cast<std::size_t>(identity.codes[i]);
      if (first[person] < 0) first[person] = attribute.codes[i];
      if (first[person] != attribute.codes[i]) mixed[person] = true;
    }
    const auto count = std::count(mixed.begin(), mixed.end(), true);
    if (count > 0) {
      const auto example = static_cast<std::size_t>(std::find(mixed.begin(), mixed.end(), true) - mixed.begin());
      problems.push_back(
          fmt::format("'{}' differs within {} identities, e.g. '{}'", name, count, identity.classes[example]));
    }
  }
}

/// Identical and nearly identical templates are copies, not evidence.
void find_duplicates(const Dataset& dataset, Json& json) {
  if (dataset.templates.kind() != ElementKind::float32) return;
  std::size_t identical = 0;
  std::size_t near = 0;
  Json pairs = Json::array();
  for (const NearDuplicate& pair : near_duplicates(dataset)) {
    ++(pair.identical ? identical : near);
    if (pair.row_a < pair.row_b && pairs.size() < listed_at_most) {
      pairs.push_back({{"rows", {pair.row_a + 1, pair.row_b + 1}},
                       {"identical", pair.identical},
                       {"cosine_distance", pair.distance}});
    }
  }
  json["duplicates"] = {{"identical_rows", identical},
                        {"near_identical_rows", near},
                        {"near_means_cosine_distance_below", near_duplicate_distance},
                        {"pairs", pairs}};
}

/// Templates without a direction cannot be compared by cosine, nor brought to unit length.
void check_zero_templates(const Dataset& dataset, Json& problems) {
  if (dataset.templates.kind() != ElementKind::float32) return;
  const std::vector<bool> failed = dataset.failed();
  const auto values = dataset.templates.floats();
  std::size_t zero = 0, first = 0;
  for (std::size_t row = dataset.size(); row-- > 0;) {
    const auto own = values.row(row);
    if (failed[row] || std::any_of(own.begin(), own.end(), [](float v) { return v != 0; })) continue;
    ++zero;
    first = row;
  }
  if (zero > 0) {
    problems.push_back(fmt::format(
        "{} templates are all zero, e.g. row {}; mark them in a 'failed' column (1) so that they are counted and left "
        "out",
        zero, first + 1));
  }
}

/// Every file is read: what is damaged, or is none of the others' kind, is better known before long work.
void check_media(const Dataset& dataset, Json& json, Json& problems) {
  const std::vector<bool> failed = dataset.failed();
  std::vector<std::string> kinds(dataset.size()), reasons(dataset.size());
  Progress progress("inspect", dataset.size(), "media");
  parallel_for(dataset.size(), [&](std::size_t row, int) {
    try {
      if (!failed[row]) kinds[row] = kind_of(dataset.media->load(row));
    } catch (const Error& error) {
      if (error.fault != Fault::input) throw;
      reasons[row] = error.finding;
    }
    progress.add(1);
  });
  std::map<std::string, std::size_t> counts;
  for (const std::string& kind : kinds) {
    if (!kind.empty()) ++counts[kind];
  }
  Json unreadable = Json::array();
  for (std::size_t row = 0; row < reasons.size(); ++row) {
    if (reasons[row].empty()) continue;
    unreadable.push_back({{"row", row + 1}, {"file", dataset.labels.column("file")[row]}, {"reason", reasons[row]}});
  }
  for (std::size_t i = 0; i < std::min(unreadable.size(), listed_at_most); ++i) {
    problems.push_back(fmt::format("row {} ({}) cannot be read: {}", unreadable[i]["row"].get<std::size_t>(),
                                   unreadable[i]["file"].get<std::string>(),
                                   unreadable[i]["reason"].get<std::string>()));
  }
  if (unreadable.size() > listed_at_most) {
    problems.push_back(fmt::format("{} media cannot be read in all; --json names them", unreadable.size()));
  }
  if (counts.size() > 1) problems.push_back("media are of several kinds: each technique takes one");
  json["kinds"] = counts;
  json["unreadable"] = std::move(unreadable);
}

std::string first_reason(const Json& json) {
  if (json["unreadable"].empty()) return "every sample is marked as failed";
  const Json& first = json["unreadable"][0];
  return fmt::format("the first: {}: {}", first["file"].get<std::string>(), first["reason"].get<std::string>());
}

}  // namespace

Json run_inspect(const Dataset& dataset) {
  const std::vector<bool> failed = dataset.failed();
  Json json = {{"origin", dataset.origin},
               {"samples", dataset.size()},
               {"failures", std::count(failed.begin(), failed.end(), true)}};
  Json problems = Json::array();
  if (dataset.templates.empty()) {
    json["medium"] = "files";
    check_media(dataset, json, problems);
    if (json["kinds"].empty()) throw_input(dataset.origin, "holds nothing that can be read", first_reason(json));
  } else {
    json["medium"] = "template";
    json["elements"] = to_text(dataset.templates.kind());
    json["dimension"] = dataset.templates.cols();
  }
  if (dataset.provenance) {
    const auto& [technique, comparator, properties] = *dataset.provenance;
    if (!technique.empty()) json["technique"] = technique;
    json["comparator"] = choose_comparator(dataset, {}).specification;
    if (properties.contains("extractor")) json["extractor"] = properties.at("extractor");
  }
  json["columns"] = Json::array();
  for (const auto& name : dataset.labels.names()) json["columns"].push_back(describe_column(dataset, name));
  if (dataset.identity_column.empty()) {
    problems.push_back("no identities: recognition cannot be measured, and intervals treat samples as independent");
  } else {
    const auto counts = dataset.labels.categorical(dataset.identity_column).counts();
    std::uint64_t mated = 0;
    for (const std::size_t count : counts) mated += static_cast<std::uint64_t>(count) * (count - 1) / 2;
    json["identities"] = counts.size();
    json["mated_comparisons"] = mated;
    if (mated == 0) problems.push_back("no identity has two samples: recognition cannot be measured");
  }
  check_attributes(dataset, problems);
  if (!dataset.templates.empty()) {
    check_zero_templates(dataset, problems);
    find_duplicates(dataset, json);
  }
  json["remarks"] = dataset.remarks;
  json["problems"] = std::move(problems);
  return json;
}

}  // namespace bauta
