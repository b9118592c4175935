// From a specification to a protection, and from a data set to a protected one.
#include "bauta/protect/protection.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <sstream>
#include <variant>

#include <fmt/format.h>

#include "bauta/core/finite.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/public_specification.hpp"
#include "bauta/core/row_blocks.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/provenance_file.hpp"
#include "bauta/protect/bringing.hpp"
#include "bauta/protect/media.hpp"
#include "bauta/protect/promise.hpp"
#include "preparing.hpp"
#include "recorded_rows.hpp"

namespace bauta {
namespace {

constexpr std::size_t told_at_most = 3;

/// Rows of one kind and width, written in any order.
class Collected {
 public:
  Collected(const Templates& shape, std::size_t rows) : cols_(shape.cols()) {
    switch (shape.kind()) {
      case ElementKind::float32:
        hold<float>(rows, cols_);
        break;
      case ElementKind::code8:
        hold<std::uint8_t>(rows, cols_);
        break;
      case ElementKind::bits:
        hold<std::uint64_t>(rows, words_for_bits(cols_));
        break;
    }
  }

  void write(std::size_t first, const Templates& block) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      std::memcpy(data_ + (first + i) * row_size_, block.row_bytes(i).data(), row_size_);
    }
  }
  void clear(std::size_t row) { std::memset(data_ + row * row_size_, 0, row_size_); }

  [[nodiscard]] Templates take() {
    if (auto* words = std::get_if<Matrix<std::uint64_t>>(&values_)) return {std::move(*words), cols_};
    if (auto* codes = std::get_if<Matrix<std::uint8_t>>(&values_)) return Templates(std::move(*codes));
    return Templates(std::move(std::get<Matrix<float>>(values_)));
  }

 private:
  template <class T>
  void hold(std::size_t rows, std::size_t cols) {
    auto& values = values_.emplace<Matrix<T>>(rows, cols);
    data_ = reinterpret_cast<std::byte*>(values.data());
    row_size_ = cols * sizeof(T);
  }

  std::size_t cols_;
  std::variant<Matrix<float>, Matrix<std::uint8_t>, Matrix<std::uint64_t>> values_;
  std::byte* data_ = nullptr;
  std::size_t row_size_ = 0;
};

using ProtectBlock = std::function<Templates(const Templates& block, std::size_t first)>;

/// Hands each protected block, with zero rows for failed samples, to `take(first, block)`, on all threads.
void protect_blocks(const ProtectBlock& protect, std::size_t block_rows, const Templates& input,
                    const std::vector<bool>& failed, const TakeBlock& take) {
  Progress progress("protect", input.rows(), "templates");
  for_row_blocks(input, block_rows, [&](std::size_t first, std::size_t count) {
    Templates block = protect(input.slice(first, count), first);
    require_finite(block, failed, first, "the technique");
    std::optional<Collected> cleared;
    for (std::size_t i = 0; i < count && !failed.empty(); ++i) {
      if (!failed[first + i]) continue;
      if (!cleared) cleared.emplace(block, count).write(0, block);
      cleared->clear(i);
    }
    take(first, cleared ? cleared->take() : block);
    progress.add(count);
  });
}

}  // namespace

Provenance provenance_of(const ResolvedProtection& resolved, const Dataset& dataset, const ProtectContext& context) {
  Provenance provenance = dataset.provenance.value_or(Provenance{});
  if (!provenance.technique.empty()) provenance.properties["applied_to"] = provenance.technique;
  provenance.technique = public_specification(resolved);
  if (!resolved.comparator.empty()) provenance.comparator = resolved.comparator;
  if (resolved.declaration->keyed) {
    const bool from_file = !resolved.parameters.text("keyfile").empty();
    provenance.properties["key_source"] =
        from_file ? "keyfile" : (context.randomness.reproducible() ? "seed" : "operating system");
  }
  if (const std::string model = model_of(resolved); !model.empty()) provenance.properties["model"] = model;
  for (const auto& [name, text] : resolved->record(context)) provenance.properties[name] = text;
  provenance.properties[rows_property] = recorded_rows(dataset);
  if (!resolved.attributes.empty()) {
    provenance.properties[resolved.declaration->keeps ? "keeps" : "hides"] = resolved.attributes;
  }
  return provenance;
}

void Protection::fit(const Dataset&, const std::vector<std::string>&, const ProtectContext&) {}

FittedState Protection::state() const {
  return {};
}

void Protection::restore(const FittedState&, const std::string&) {}

std::unique_ptr<const Protection> Protection::among(const Dataset&, const std::vector<std::string>&,
                                                    const ProtectContext&) const {
  return nullptr;
}

Templates Protection::protect_probes(const Templates& block, std::size_t first, const ProtectContext& context) const {
  return protect(block, first, context);
}

Medium Protection::mask(const Medium&, std::size_t, const ProtectContext&) const {
  BAUTA_ASSERT(false);  // the declared medium says who masks media
}

void Protection::require_floats(const Templates& input, std::string_view technique, const std::string& where) {
  if (input.kind() == ElementKind::float32) return;
  throw_input(where, fmt::format("templates are {}, {} takes {}", to_text(input.kind()), technique,
                                 to_text(ElementKind::float32)));
}

ResolvedProtection make_protection(std::string_view specification) {
  ResolvedProtection resolved{resolve(protections(), "protection", specification)};
  resolved.comparator = resolved.parameters.fill(resolved.declaration->comparator);
  return resolved;
}

ProtectContext complete_context(const ResolvedProtection& resolved, const Dataset& dataset,
                                const ProtectContext& context) {
  if (resolved.declaration->learns && resolved.model.empty()) {
    throw_usage(resolved.declaration->name, "learns, and has not been fitted",
                "name training data with --fit, or a fitted one with --load");
  }
  ProtectContext complete = context;
  if (complete.subjects.empty() && !dataset.identity_column.empty()) {
    complete.subjects = dataset.labels.column(dataset.identity_column);
  }
  if (complete.failed.empty()) complete.failed = dataset.failed();
  BAUTA_ASSERT(complete.failed.empty() || complete.failed.size() == dataset.size());
  return complete;
}

std::shared_ptr<const Protection> on_data(const ResolvedProtection& resolved, const Dataset& dataset,
                                          const ProtectContext& context) {
  std::vector<std::string> attributes;
  std::istringstream stream(resolved.attributes);
  for (std::string name; std::getline(stream, name, ',');) attributes.push_back(name);
  std::shared_ptr<const Protection> there = resolved->among(dataset, attributes, context);
  return there ? there : resolved.object;
}

namespace {

/// A protection on one data set: what it makes of a block as stored and, where that differs, as presented.
struct Sides {
  std::shared_ptr<const ProtectContext> context;
  std::map<std::size_t, std::string> lost = {};  ///< samples that the technique lost, which failed in the context
  ProtectBlock stored;
  ProtectBlock presented;  // empty: none
  std::size_t block_rows = 0;
};

/// Rows are told as the data set has them.
void warn_of_lost(const std::map<std::size_t, std::string>& lost, const std::string& technique,
                  const Dataset& dataset) {
  std::vector<std::string> examples;
  for (const auto& [row, reason] : lost) {
    if (examples.size() == told_at_most) break;
    examples.push_back(fmt::format("row {} ({})", dataset.labels.row_there(row) + 1, reason));
  }
  warn(fmt::format("{}: {} of {} samples failed, e.g. {}", technique, lost.size(), dataset.size(),
                   fmt::join(examples, ", ")));
}

/// Everything is checked here, before any work is done.
Sides prepare(const ResolvedProtection& resolved, const Dataset& dataset, const ProtectContext& context) {
  require_medium(*resolved.declaration, dataset);
  if (!dataset.probe_templates.empty()) {
    throw_input(dataset.origin, "its probes differ from its stored templates, so it cannot be protected again");
  }
  ProtectContext complete = complete_context(resolved, dataset, context);
  resolved->check(dataset.templates, dataset.origin, complete);
  const std::shared_ptr<const Protection> protection = on_data(resolved, dataset, complete);
  std::map<std::size_t, std::string> lost = protection->lost();
  if (!lost.empty()) warn_of_lost(lost, resolved.declaration->name, dataset);
  for (const auto& [row, reason] : lost) complete.failed[row] = true;
  const auto shared = std::make_shared<const ProtectContext>(std::move(complete));
  Sides sides{.context = shared,
              .lost = std::move(lost),
              .stored = [protection, shared](const Templates& block,
                                             std::size_t first) { return protection->protect(block, first, *shared); },
              .presented = {},
              .block_rows = protection->block_rows()};
  if (protection->probes_differ() && shared->randomness.reproducible()) {
    sides.presented = [protection, shared](const Templates& block, std::size_t first) {
      return protection->protect_probes(block, first, *shared);
    };
  }
  return sides;
}

}  // namespace

Dataset protect_dataset(const ResolvedProtection& resolved, const Dataset& dataset, const ProtectContext& context) {
  return protect_and_explain(resolved, dataset, context).data;
}

ProtectedDataset protect_and_explain(const ResolvedProtection& resolved, const Dataset& dataset,
                                     const ProtectContext& context) {
  Sides sides = prepare(resolved, dataset, context);
  const auto collect = [&](const ProtectBlock& protect) {
    Collected collected(protect(dataset.templates.slice(0, 0), 0), dataset.size());
    protect_blocks(protect, sides.block_rows, dataset.templates, sides.context->failed,
                   [&](std::size_t first, const Templates& block) { collected.write(first, block); });
    return collected.take();
  };
  Dataset result = dataset;
  result.media.reset();  // they are clear
  result.templates = collect(sides.stored);
  if (sides.presented) result.probe_templates = collect(sides.presented);
  if (!sides.lost.empty()) result.mark_failed(sides.context->failed);
  result.provenance = provenance_of(resolved, dataset, *sides.context);
  record_promise(promise_on(resolved, dataset), sides.context->randomness, *result.provenance);
  return {std::move(result), std::move(sides.lost)};
}

void protect_stream(const ResolvedProtection& resolved, const Dataset& dataset, const ProtectContext& context,
                    const std::function<TakeBlock(const Templates& shape)>& start) {
  const Sides sides = prepare(resolved, dataset, context);
  if (!sides.lost.empty()) {
    throw_input(dataset.origin,
                fmt::format("{} made nothing of {} of {} samples", resolved.declaration->name, sides.lost.size(),
                            dataset.size()),
                "leave these out of the data");
  }
  const TakeBlock take = start(sides.stored(dataset.templates.slice(0, 0), 0));
  protect_blocks(sides.stored, sides.block_rows, dataset.templates, sides.context->failed, take);
}

ProtectedFolder protect_to_folder(const ResolvedProtection& resolved, const Dataset& dataset,
                                  const ProtectContext& context, const std::filesystem::path& folder) {
  const Sides sides = prepare(resolved, dataset, context);
  const auto write = [&](const ProtectBlock& protect, const char* name) {
    const Templates shape = protect(dataset.templates.slice(0, 0), 0);
    NpyTemplateWriter writer(folder / name, shape.kind(), dataset.size(), shape.cols());
    protect_blocks(protect, sides.block_rows, dataset.templates, sides.context->failed,
                   [&](std::size_t first, const Templates& block) { writer.write(first, block); });
    writer.commit();
    return shape;
  };
  const Templates shape = write(sides.stored, "templates.npy");
  if (sides.presented) (void)write(sides.presented, "probes.npy");
  const std::vector<bool>& failed = sides.context->failed;
  ProtectedFolder result{provenance_of(resolved, dataset, *sides.context), shape.kind(), shape.cols(),
                         static_cast<std::size_t>(std::ranges::count(failed, true)), promise_on(resolved, dataset)};
  record_promise(result.promise, sides.context->randomness, result.provenance);
  Dataset described;
  described.labels = dataset.labels;
  if (!sides.lost.empty()) described.mark_failed(failed);
  write_description(folder, {result.provenance, {shape.kind(), shape.cols()}}, described.labels);
  return result;
}

}  // namespace bauta
