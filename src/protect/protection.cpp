// From a specification to a protection, and from a data set to a protected one.
#include "bauta/protect/protection.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"

namespace bauta {
namespace {

// A block and its result stay in the cache, and there are enough blocks for all threads.
constexpr std::size_t block_rows = 1024;

template <class T>
void copy_rows(MatrixView<const T> from, MatrixView<T> to) {
  for (std::size_t i = 0; i < from.rows; ++i) std::memcpy(to.row(i).data(), from.row(i).data(), from.cols * sizeof(T));
}

using ProtectBlock = std::function<Templates(const Templates& block, std::size_t first)>;

/// Protects block after block into one result. `view_of` looks at a block's elements.
template <class T, class ViewOf>
Matrix<T> protect_blocks(const ProtectBlock& protect, const Templates& input, const ProtectContext& context,
                         std::size_t storage_cols, ViewOf&& view_of) {
  Matrix<T> result(input.rows(), storage_cols);
  Progress progress("protect", input.rows(), "templates");
  parallel_for((input.rows() + block_rows - 1) / block_rows, [&](std::size_t block, int) {
    const std::size_t first = block * block_rows;
    const std::size_t count = std::min(block_rows, input.rows() - first);
    const MatrixView<T> target = result.view().slice(first, count);
    copy_rows<T>(view_of(protect(input.slice(first, count), first)), target);
    for (std::size_t i = 0; i < count && !context.failed.empty(); ++i) {
      if (context.failed[first + i]) std::fill_n(target.row(i).data(), storage_cols, T{0});
    }
    progress.add(count);
  });
  return result;
}

Templates protect_templates(const ProtectBlock& protect, const Templates& input, const ProtectContext& context) {
  const Templates shape = protect(input.slice(0, 0), 0);
  switch (shape.kind()) {
    case ElementKind::float32:
      return Templates(protect_blocks<float>(protect, input, context, shape.cols(),
                                             [](const Templates& block) { return block.floats(); }));
    case ElementKind::code8:
      return Templates(protect_blocks<std::uint8_t>(protect, input, context, shape.cols(),
                                                    [](const Templates& block) { return block.codes(); }));
    case ElementKind::bits:
      return Templates(protect_blocks<std::uint64_t>(protect, input, context, words_for_bits(shape.cols()),
                                                     [](const Templates& block) { return block.words(); }),
                       shape.cols());
  }
  BAUTA_ASSERT(false);
}

}  // namespace

std::string public_specification(const ResolvedProtection& resolved) {
  std::string text = resolved.declaration->name;
  char separator = ':';
  for (const Parameter& parameter : resolved.declaration->parameters) {
    if (parameter.name == "keyfile" || resolved.parameters.text(parameter.name).empty()) continue;
    text += fmt::format("{}{}={}", separator, parameter.name, resolved.parameters.text(parameter.name));
    separator = ',';
  }
  return text;
}

namespace {

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
  if (!resolved.model.empty()) provenance.properties["model"] = resolved.model;
  if (!resolved.hides.empty()) provenance.properties["hides"] = resolved.hides;
  return provenance;
}

}  // namespace

void Protection::fit(const Dataset&, const std::vector<std::string>&, const ProtectContext&) {}

FittedState Protection::state() const {
  return {};
}

void Protection::restore(const FittedState&, const std::string&) {}

Templates Protection::protect_probes(const Templates& block, std::size_t first, const ProtectContext& context) const {
  return protect(block, first, context);
}

void Protection::require_floats(const Templates& input, std::string_view technique, const std::string& where) {
  if (input.kind() == ElementKind::float32) return;
  throw_input(where, fmt::format("templates are {}, {} takes {}", to_text(input.kind()), technique,
                                 to_text(ElementKind::float32)));
}

ResolvedProtection make_protection(std::string_view specification) {
  const Specification parsed = Specification::parse(specification);
  const Entry<Protection>& entry = find_entry(protections(), "protection", parsed.name);
  ResolvedProtection resolved;
  resolved.declaration = &entry.declaration;
  resolved.parameters = Parameters(entry.declaration, parsed);
  resolved.comparator = resolved.parameters.fill(entry.declaration.comparator);
  resolved.protection = entry.make(resolved.parameters);
  return resolved;
}

Dataset protect_dataset(const ResolvedProtection& resolved, const Dataset& dataset, const ProtectContext& context) {
  const std::string& technique = resolved.declaration->name;
  if (dataset.templates.rows() != dataset.size()) {
    throw_input(dataset.origin,
                fmt::format("holds {} templates for {} samples, {} protects templates", dataset.templates.rows(),
                            dataset.size(), technique),
                "extract templates from media first");
  }
  if (!dataset.probe_templates.empty()) {
    throw_input(dataset.origin, "its probes differ from its stored templates, so it cannot be protected again");
  }
  if (resolved.declaration->learns && resolved.model.empty()) {
    throw_usage(technique, "learns, and has not been fitted",
                "name training data with --fit, or a fitted one with --load");
  }
  ProtectContext complete = context;
  if (complete.subjects.empty() && !dataset.identity_column.empty()) {
    complete.subjects = dataset.labels.column(dataset.identity_column);
  }
  if (complete.failed.empty()) complete.failed = dataset.failed();
  BAUTA_ASSERT(complete.failed.empty() || complete.failed.size() == dataset.size());
  resolved.protection->check(dataset.templates, dataset.origin, complete);

  Dataset result = dataset;
  const Protection& protection = *resolved.protection;
  result.templates = protect_templates(
      [&](const Templates& block, std::size_t first) { return protection.protect(block, first, complete); },
      dataset.templates, complete);
  if (protection.probes_differ() && complete.randomness.reproducible()) {
    result.probe_templates = protect_templates(
        [&](const Templates& block, std::size_t first) { return protection.protect_probes(block, first, complete); },
        dataset.templates, complete);
  }
  result.provenance = provenance_of(resolved, dataset, complete);
  return result;
}

}  // namespace bauta
