#include "bauta/protect/media.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/provenance_file.hpp"
#include "bauta/protect/promise.hpp"
#include "preparing.hpp"

namespace bauta {
namespace {

constexpr std::size_t rows_per_batch = 256;
constexpr std::size_t told_at_most = 3;

class MaskedMedia : public MediaSource {
 public:
  MaskedMedia(std::shared_ptr<const MediaSource> clear, MediaMask mask)
      : clear_(std::move(clear)), mask_(std::move(mask)) {}

  [[nodiscard]] std::size_t size() const override { return clear_->size(); }
  [[nodiscard]] bool present(std::size_t row) const override { return clear_->present(row); }
  [[nodiscard]] Medium load(std::size_t row) const override { return mask_(clear_->load(row), row); }

 private:
  std::shared_ptr<const MediaSource> clear_;
  MediaMask mask_;
};

/// The first medium whose kind can be told; damaged ones are counted later.
std::optional<std::size_t> first_medium(const Dataset& dataset) {
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    try {
      (void)dataset.media->kind(row);
      return row;
    } catch (const Error& error) {
      if (error.fault != Fault::input) throw;
    }
  }
  return std::nullopt;
}

}  // namespace

bool masks_media(const Declaration& technique, const Dataset& dataset) {
  if (technique.medium == "any") return dataset.templates.empty() && dataset.media != nullptr;
  return technique.medium != "template";
}

void require_medium(const Declaration& technique, const Dataset& dataset) {
  if (masks_media(technique, dataset)) {
    if (dataset.templates.empty() && dataset.media) return;
    throw_usage(technique.name, fmt::format("masks media ({}), {} holds templates", technique.medium, dataset.origin),
                "name data with media");
  }
  if (dataset.templates.rows() == dataset.size()) return;
  throw_usage(technique.name, fmt::format("protects templates, {} holds none", dataset.origin),
              "make templates of media first: bauta extract EXTRACTOR");
}

std::string medium_of(const Dataset& dataset) {
  if (!dataset.templates.empty() || !dataset.media) return "template";
  const auto first = first_medium(dataset);
  return first ? std::string(dataset.media->kind(*first)) : std::string();
}

// One stands for all.
void require_kind(const Declaration& technique, const Dataset& dataset) {
  if (technique.medium == "any") return;
  const auto first = first_medium(dataset);
  if (!first || dataset.media->kind(*first) == technique.medium) return;
  refuse_kind(fmt::format("{} row {}: {}", dataset.labels.origin(), *first + 1, technique.name), technique.medium,
              dataset.media->load(*first));
}

MediaMask media_mask(const ResolvedProtection& resolved, const Dataset& dataset, const ProtectContext& context) {
  const Declaration& technique = *resolved.declaration;
  require_medium(technique, dataset);
  BAUTA_ASSERT(masks_media(technique, dataset));
  ProtectContext complete = complete_context(resolved, dataset, context);
  require_kind(technique, dataset);
  Provenance provenance = provenance_of(resolved, dataset, complete);
  auto protection = on_data(resolved, dataset, complete);
  return {std::move(protection), std::move(complete), std::move(provenance)};
}

Dataset protect_media(const ResolvedProtection& resolved, const Dataset& dataset, const ProtectContext& context) {
  MediaMask mask = media_mask(resolved, dataset, context);
  Dataset result = dataset;
  result.folder.clear();  // what lies there is clear
  result.provenance = mask.provenance;
  result.media = std::make_shared<MaskedMedia>(dataset.media, std::move(mask));
  return result;
}

void write_joint_names(const MediaSource& media, const std::vector<std::string>& files,
                       const std::filesystem::path& folder) {
  const auto found = std::ranges::find_if_not(files, &std::string::empty);
  if (found == files.end()) return;
  const auto first = static_cast<std::size_t>(found - files.begin());
  if (media.kind(first) != kind_of(Motion())) return;
  const Medium medium = media.load(first);
  std::string lines;
  for (const std::string& name : std::get<Motion>(medium).names) lines += name + "\n";
  if (!lines.empty()) write_file(folder / "joints.txt", lines);
}

MaskedFolder write_media_files(const Dataset& dataset, const std::filesystem::path& folder, const std::string& doing) {
  MaskedFolder result{dataset.provenance.value_or(Provenance{}), {}, 0, {}, {}};
  std::string examples;
  std::vector<double> rates;
  Progress progress(doing, dataset.size(), "media");
  for (std::size_t first = 0; first < dataset.size(); first += rows_per_batch) {
    const std::size_t count = std::min(rows_per_batch, dataset.size() - first);
    WrittenMedia written = write_media(*dataset.media, first, count, folder);
    for (std::size_t i = 0; i < count; ++i) {
      if (written.files[i].empty() && result.failures++ < told_at_most) {
        examples += fmt::format("{}row {} ({})", examples.empty() ? "" : ", ", first + i + 1, written.reasons[i]);
      }
      result.files.push_back(std::move(written.files[i]));
      rates.push_back(written.rates[i]);
    }
    progress.add(count);
  }
  write_joint_names(*dataset.media, result.files, folder);
  write_rates(result.files, rates, folder);
  if (result.failures > 0) {
    result.remarks.push_back(
        fmt::format("{} of {} media could not be read, e.g. {}", result.failures, dataset.size(), examples));
  }
  return result;
}

MaskedFolder write_media_folder(const Dataset& dataset, const std::filesystem::path& folder, const std::string& doing) {
  MaskedFolder result = write_media_files(dataset, folder, doing);
  const std::vector<bool> before = dataset.failed();
  std::vector<std::string> failed;
  for (std::size_t i = 0; i < before.size(); ++i) failed.emplace_back(before[i] || result.files[i].empty() ? "1" : "0");
  LabelTable labels = dataset.labels;
  labels.set_column("file", result.files);
  if (labels.has("failed") || result.failures > 0) labels.set_column("failed", std::move(failed));
  write_description(folder, {result.provenance, {}}, labels);
  return result;
}

MaskedFolder write_masked_media(const ResolvedProtection& resolved, const Dataset& dataset,
                                const ProtectContext& context, const std::filesystem::path& folder) {
  return write_media_files(protect_media(resolved, dataset, context), folder, "protect");
}

MaskedFolder protect_media_to_folder(const ResolvedProtection& resolved, const Dataset& dataset,
                                     const ProtectContext& context, const std::filesystem::path& folder) {
  Dataset masked = protect_media(resolved, dataset, context);
  // Sizes are looked at for it: of media that are written, and not each time that some are masked.
  Promise promise = promise_on(resolved, dataset);
  record_promise(promise, context.randomness, *masked.provenance);
  MaskedFolder written = write_media_folder(masked, folder, "protect");
  written.promise = std::move(promise);
  return written;
}

}  // namespace bauta
