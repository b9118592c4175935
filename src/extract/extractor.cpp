// From a specification to an extractor, and from media to templates.
#include "bauta/extract/extractor.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/public_specification.hpp"
#include "bauta/data/media_source.hpp"

namespace bauta {

namespace {

constexpr std::size_t told_at_most = 3;

struct Outcome {
  std::vector<float> features;  // empty: failed
  std::string reason;
};

/// Damaged media and those that give nothing fail; one of another kind than all should be is an error.
Outcome extract_one(const ResolvedExtractor& resolved, const Dataset& data, std::size_t row) {
  const auto failed = [](const Error& error) -> Outcome {
    if (error.fault != Fault::input) throw error;
    return {{}, error.finding};
  };
  std::optional<Medium> medium;
  try {
    medium = data.media->load(row);
  } catch (const Error& error) {
    return failed(error);
  }
  const Declaration& declaration = *resolved.declaration;
  if (declaration.medium != "any" && declaration.medium != kind_of(*medium)) {
    refuse_kind(fmt::format("{} row {}: {}", data.labels.origin(), row + 1, declaration.name), declaration.medium,
                *medium);
  }
  try {
    if (auto features = resolved->extract(*medium)) return {std::move(*features), {}};
    return {{}, "nothing to extract"};
  } catch (const Error& error) {
    return failed(error);
  }
}

void require_media(const Dataset& data, const std::vector<bool>& failed) {
  if (!data.media) {
    throw_input(data.origin, "has no column `file`, so there are no media to extract from",
                "templates need no extraction");
  }
  BAUTA_ASSERT(data.media->size() == data.size());
  for (std::size_t row = 0; row < data.size(); ++row) {
    if (failed[row] || data.media->present(row)) continue;
    throw_input(fmt::format("{} row {}", data.labels.origin(), row + 1),
                data.labels.has("file") ? fmt::format("there is no file '{}'", data.labels.column("file")[row])
                                        : "there is no medium");
  }
}

/// "3 of 40 samples failed, e.g. row 7 (nothing to extract)": file names may name people, row numbers do not.
void remark_failures(const std::vector<Outcome>& outcomes, const std::vector<bool>& failed, Dataset& result) {
  const auto count = std::count(failed.begin(), failed.end(), true);
  if (count == 0) return;
  std::string examples;
  std::size_t told = 0;
  for (std::size_t row = 0; row < failed.size() && told < told_at_most; ++row) {
    if (!failed[row]) continue;
    examples += fmt::format("{}row {} ({})", told++ == 0 ? "" : ", ", row + 1, outcomes[row].reason);
  }
  result.remarks.push_back(fmt::format("{} of {} samples failed, e.g. {}", count, failed.size(), examples));
}

}  // namespace

void Extractor::fit(const Dataset&) {}

ResolvedExtractor make_extractor(std::string_view specification) {
  return resolve(extractors(), "extractor", specification);
}

Dataset extract_dataset(const ResolvedExtractor& resolved, const Dataset& media) {
  const std::string model = resolved->model();
  if (resolved.declaration->learns && model.empty()) {
    throw_usage(resolved.declaration->name, "learns, and has not been fitted", "name training data with --fit");
  }
  std::vector<bool> failed = media.failed();
  require_media(media, failed);
  std::vector<Outcome> outcomes(media.size());
  Progress progress("extract", media.size(), "media");
  parallel_for(media.size(), [&](std::size_t i, int) {
    outcomes[i] = failed[i] ? Outcome{{}, "marked in the data"} : extract_one(resolved, media, i);
    progress.add(1);
  });

  std::size_t width = 0;
  for (const Outcome& outcome : outcomes) width = width == 0 ? outcome.features.size() : width;
  if (width == 0) {
    throw_input(media.origin,
                fmt::format("{} extracts nothing from any of {} files", resolved.declaration->name, media.size()),
                outcomes.empty() ? "" : fmt::format("the first: {}", outcomes[0].reason));
  }
  Dataset result = media;
  Matrix<float> values(media.size(), width, 0.0F);
  std::vector<std::string> marks(media.size(), "0");
  for (std::size_t i = 0; i < media.size(); ++i) {
    const auto& features = outcomes[i].features;
    failed[i] = features.empty();
    if (failed[i]) {
      marks[i] = "1";
      continue;
    }
    if (features.size() != width) {
      throw_input(
          fmt::format("{} row {}", media.labels.origin(), i + 1),
          fmt::format("{} gives {} features, of others {}", resolved.declaration->name, features.size(), width));
    }
    std::ranges::copy(features, values.row(i).begin());
  }
  result.templates = Templates(std::move(values));
  if (result.labels.has("failed")) {
    result.labels.replace_column("failed", std::move(marks));
  } else {
    result.labels.add_column("failed", std::move(marks));
  }
  remark_failures(outcomes, failed, result);
  Provenance provenance = media.provenance.value_or(Provenance{});
  provenance.properties["extractor"] = public_specification(resolved);
  provenance.properties["extraction_failures"] = std::to_string(std::count(failed.begin(), failed.end(), true));
  if (!model.empty()) provenance.properties["extractor_model"] = model;
  result.provenance = std::move(provenance);
  return result;
}

}  // namespace bauta
