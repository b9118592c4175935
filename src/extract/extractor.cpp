// From a specification to an extractor, and from media to templates.
#include "bauta/extract/extractor.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/finite.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/public_specification.hpp"
#include "bauta/data/media_source.hpp"
#include "confined.hpp"

namespace bauta {

namespace {

constexpr std::size_t told_at_most = 3;

Extracted failed(const Error& error) {
  if (error.fault != Fault::input) throw error;  // NOLINT(cert-err60-cpp): its texts are short
  return {{}, error.finding};
}

/// Damaged media fail.
Extracted extract_row(const ResolvedExtractor& resolved, const Dataset& data, std::size_t row) {
  std::optional<Medium> medium;
  try {
    medium = data.media->load(row);
  } catch (const Error& error) {
    return failed(error);
  }
  return extract_medium(resolved, *medium, data.labels.origin(), row);
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
void remark_failures(const std::vector<std::string>& reasons, std::size_t count, Dataset& result) {
  if (count == 0) return;
  std::string examples;
  std::size_t told = 0;
  for (std::size_t row = 0; row < reasons.size() && told < told_at_most; ++row) {
    if (reasons[row].empty()) continue;
    examples += fmt::format("{}row {} ({})", told++ == 0 ? "" : ", ", row + 1, reasons[row]);
  }
  result.remarks.push_back(fmt::format("{} of {} samples failed, e.g. {}", count, reasons.size(), examples));
}

}  // namespace

void Extractor::fit(const Dataset&) {}

void Extractor::fit_taught(const Dataset&, const Dataset&) {
  BAUTA_ASSERT(false);  // teacher() is empty
}

std::vector<float> Extractor::project(std::span<const float>) const {
  BAUTA_ASSERT(false);  // base() is empty
}

void Extractor::restore(LearnedArrays, const std::string&) {
  BAUTA_ASSERT(false);  // base() is empty
}

std::optional<std::vector<float>> Extractor::extract_beside(const Medium& made, const Medium&) const {
  return extract(made);
}

ResolvedExtractor make_extractor(std::string_view specification) {
  const Specification parsed = Specification::parse(specification);
  const Entry<Extractor>& entry = find_entry(extractors(), "extractor", parsed.name);
  Parameters parameters(entry.declaration, parsed);
  std::shared_ptr<Extractor> object =
      runs_files_of_users(parameters) ? confined_extractor(std::string(specification)) : entry.make(parameters);
  return {std::move(object), &entry.declaration, std::move(parameters)};
}

Extracted extract_medium(const ResolvedExtractor& resolved, const Medium& medium, const std::string& origin,
                         std::size_t row, const Medium* clear) {
  const Declaration& declaration = *resolved.declaration;
  if (declaration.medium != "any" && declaration.medium != kind_of(medium)) {
    refuse_kind(fmt::format("{} row {}: {}", origin, row + 1, declaration.name), declaration.medium, medium);
  }
  try {
    auto features = clear != nullptr ? resolved->extract_beside(medium, *clear) : resolved->extract(medium);
    if (!features || features->empty()) return {{}, "nothing to extract"};
    if (!all_finite(*features)) return {{}, "gives a feature that is not a finite number"};
    return {std::move(*features), {}};
  } catch (const Error& error) {
    return failed(error);
  }
}

Matrix<float> feature_rows(const ResolvedExtractor& resolved, const std::vector<Extracted>& extracted,
                           const std::string& origin, std::size_t first) {
  std::size_t width = 0;
  for (const Extracted& one : extracted) width = width == 0 ? one.features.size() : width;
  if (width == 0) return {};
  Matrix<float> values(extracted.size(), width, 0.0F);
  for (std::size_t i = 0; i < extracted.size(); ++i) {
    const auto& features = extracted[i].features;
    if (features.empty()) continue;
    if (features.size() != width) {
      throw_input(
          fmt::format("{} row {}", origin, first + i + 1),
          fmt::format("{} gives {} features, of others {}", resolved.declaration->name, features.size(), width));
    }
    std::ranges::copy(features, values.row(i).begin());
  }
  return values;
}

Dataset with_templates(const ResolvedExtractor& resolved, const Dataset& media, Templates templates,
                       const std::vector<std::string>& reasons) {
  BAUTA_ASSERT(reasons.size() == media.size());
  if (templates.empty()) {
    throw_input(media.origin,
                fmt::format("{} extracts nothing from any of {} files", resolved.declaration->name, media.size()),
                reasons.empty() ? "" : fmt::format("the first: {}", reasons[0]));
  }
  Dataset result = media;
  result.templates = std::move(templates);
  std::vector<bool> marks;
  for (const std::string& reason : reasons) marks.push_back(!reason.empty());
  const auto failures = static_cast<std::size_t>(std::count(marks.begin(), marks.end(), true));
  result.mark_failed(marks);
  remark_failures(reasons, failures, result);
  Provenance provenance = media.provenance.value_or(Provenance{});
  provenance.properties["extractor"] = public_specification(resolved);
  provenance.properties["extraction_failures"] = std::to_string(failures);
  if (const std::string model = resolved->model(); !model.empty()) provenance.properties["extractor_model"] = model;
  result.provenance = std::move(provenance);
  return result;
}

Dataset extract_dataset(const ResolvedExtractor& resolved, const Dataset& media) {
  if (resolved.declaration->learns && resolved->model().empty()) {
    throw_usage(resolved.declaration->name, "learns, and has not been fitted", "name training data with --fit");
  }
  const std::vector<bool> marked = media.failed();
  require_media(media, marked);
  std::vector<Extracted> extracted(media.size());
  Progress progress("extract", media.size(), "media");
  parallel_for(media.size(), [&](std::size_t i, int) {
    extracted[i] = marked[i] ? Extracted{{}, "marked in the data"} : extract_row(resolved, media, i);
    progress.add(1);
  });
  Matrix<float> values = feature_rows(resolved, extracted, media.labels.origin());
  std::vector<std::string> reasons;
  for (Extracted& one : extracted) reasons.push_back(std::move(one.reason));
  return with_templates(resolved, media, values.rows() == 0 ? Templates() : Templates(std::move(values)), reasons);
}

}  // namespace bauta
