// From a specification to a recovery, and from a protected data set to a recovered one.
#include "bauta/recover/recovery.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "bauta/core/finite.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/protect/media.hpp"
#include "bauta/recover/media.hpp"
#include "provenance.hpp"

namespace bauta {
namespace {

template <class T, class ViewOf>
Matrix<T> without_rows(const Templates& templates, const std::vector<bool>& failed, ViewOf&& view_of) {
  const MatrixView<const T> source = view_of(templates);
  Matrix<T> copy(source.rows, source.cols);
  for (std::size_t i = 0; i < source.rows; ++i) {
    if (failed[i]) {
      std::fill_n(copy.row(i).data(), source.cols, T{0});
    } else {
      std::memcpy(copy.row(i).data(), source.row(i).data(), source.cols * sizeof(T));
    }
  }
  return copy;
}

Templates zero_failed(const Templates& templates, const std::vector<bool>& failed) {
  if (std::find(failed.begin(), failed.end(), true) == failed.end()) return templates;
  switch (templates.kind()) {
    case ElementKind::float32:
      return Templates(without_rows<float>(templates, failed, [](const Templates& t) { return t.floats(); }));
    case ElementKind::code8:
      return Templates(without_rows<std::uint8_t>(templates, failed, [](const Templates& t) { return t.codes(); }));
    case ElementKind::bits:
      return Templates(without_rows<std::uint64_t>(templates, failed, [](const Templates& t) { return t.words(); }),
                       templates.cols());
  }
  BAUTA_ASSERT(false);
}

void require_templates(const Dataset& dataset) {
  if (dataset.templates.rows() == dataset.size() && dataset.templates.cols() > 0) return;
  throw_input(dataset.origin,
              fmt::format("holds {} templates for {} samples, a recovery takes templates", dataset.templates.rows(),
                          dataset.size()),
              "extract templates from media first");
}

void require_pairs(const Dataset& clear, const Dataset& protected_clear) {
  const std::string both = clear.origin + " and " + protected_clear.origin;
  const std::string hint = "the second must be the first as `bauta protect` made it, in the same order";
  if (clear.size() != protected_clear.size()) {
    throw_input(both, fmt::format("{} clear samples against {} protected ones", clear.size(), protected_clear.size()),
                hint);
  }
  for (const auto& name : clear.labels.names()) {
    // Masked media have files of their own, and some that could not be read.
    if (!protected_clear.labels.has(name) || name == "file" || name == "failed") continue;
    const auto& ours = clear.labels.column(name);
    const auto& theirs = protected_clear.labels.column(name);
    const auto [mine, yours] = std::mismatch(ours.begin(), ours.end(), theirs.begin());
    if (mine == ours.end()) continue;
    throw_input(both, fmt::format("row {} has {} '{}' against '{}'", mine - ours.begin() + 1, name, *mine, *yours),
                hint);
  }
}

/// False for what leaves data as they are. What is in no catalogue may mask.
bool masks(const std::string& technique) {
  const std::string name = Specification::parse(technique).name;
  return std::none_of(protections().begin(), protections().end(), [&](const Entry<Protection>& entry) {
    return entry.declaration.name == name && !entry.declaration.masks;
  });
}

class UndoneMedia : public MediaSource {
 public:
  UndoneMedia(std::shared_ptr<const MediaSource> masked, MediaUndoing undo)
      : masked_(std::move(masked)), undo_(std::move(undo)) {}

  [[nodiscard]] std::size_t size() const override { return masked_->size(); }
  [[nodiscard]] bool present(std::size_t row) const override { return masked_->present(row); }
  [[nodiscard]] Medium load(std::size_t row) const override { return undo_(masked_->load(row), row); }

 private:
  std::shared_ptr<const MediaSource> masked_;
  MediaUndoing undo_;
};

Dataset recover_media(const ResolvedRecovery& resolved, const Dataset& target) {
  MediaUndoing undo = media_undoing(resolved, target);
  Dataset result = target;
  result.folder.clear();  // what lies there is masked
  result.provenance = undo.provenance;
  result.media = std::make_shared<UndoneMedia>(target.media, std::move(undo));
  return result;
}

}  // namespace

Provenance recovered_provenance(const ResolvedRecovery& resolved, const Dataset& target, const std::string& comparator,
                                const std::map<std::string, std::string>& found) {
  Provenance provenance = target.provenance.value_or(Provenance{});
  auto& properties = provenance.properties;
  if (!provenance.technique.empty() && masks(provenance.technique)) {
    properties["recovered_from"] = provenance.technique;
  }
  // One recovery peels one layer. Which key and model the layer had says nothing about what lies below it.
  const auto below = properties.find("applied_to");
  provenance.technique = below == properties.end() ? "none" : below->second;
  provenance.comparator = below == properties.end() ? std::string() : make_protection(below->second).comparator;
  if (provenance.comparator.empty()) provenance.comparator = comparator;
  for (const char* name : {"applied_to", "key_source", "model", "hides", "keeps", "guarantee", "guarantee_before",
                           "in_pixels", "noise_source", "noise_source_before"}) {
    properties.erase(name);
  }
  std::string& by = properties["recovered_by"];
  by += (by.empty() ? "" : " then ") + resolved.parameters.resolved();
  for (const auto& [name, value] : found) properties[name] = value;
  return provenance;
}

bool can_undo(const Declaration& recovery, const Declaration& technique) {
  if (!technique.masks || (recovery.undoes && recovery.undoes != technique.does)) return false;
  // Whoever stole a technique runs it on templates, one by one; there must be something that can be stolen.
  return !recovery.keyed ||
         (technique.medium == "template" && !technique.mixes && (technique.keyed || technique.learns));
}

bool undoes_media(const Declaration& recovery) {
  return recovery.medium != "template";
}

void require_taken(const ResolvedRecovery& resolved, const Dataset& dataset) {
  if (!undoes_media(*resolved.declaration)) return require_templates(dataset);
  const Declaration& recovery = *resolved.declaration;
  if (!dataset.templates.empty() || !dataset.media) {
    throw_usage(recovery.name, fmt::format("undoes media ({}), {} holds templates", recovery.medium, dataset.origin),
                "name data with media");
  }
  require_kind(recovery, dataset);
}

MediaUndoing media_undoing(const ResolvedRecovery& resolved, const Dataset& masked) {
  require_taken(resolved, masked);
  std::shared_ptr<const Recovery> there = resolved->among(masked);
  if (!there) there = resolved.object;
  return {std::move(there), recovered_provenance(resolved, masked, {}, resolved->properties())};
}

void Recovery::fit(const Knowledge&) {}

Recovered Recovery::recover(const Dataset&) const {
  BAUTA_ASSERT(false);  // the declared medium says who takes templates
}

Medium Recovery::undo(const Medium&, std::size_t) const {
  BAUTA_ASSERT(false);  // and who takes media
}

std::unique_ptr<const Recovery> Recovery::among(const Dataset&) const {
  return nullptr;
}

void Recovery::restore(const FittedState&, const std::string&) {}

ResolvedRecovery make_recovery(std::string_view specification) {
  return resolve(recoveries(), "recovery", specification);
}

void fit_recovery(const ResolvedRecovery& resolved, const Knowledge& knowledge) {
  Knowledge checked = knowledge;
  Dataset clear;
  Dataset protected_clear;
  if (knowledge.clear != nullptr) {
    require_taken(resolved, *knowledge.clear);
    const bool pairs = knowledge.protected_clear != nullptr;
    if (pairs) {
      require_taken(resolved, *knowledge.protected_clear);
      require_pairs(*knowledge.clear, *knowledge.protected_clear);
    }
    const std::vector<bool> failed = knowledge.clear->failed();
    const std::vector<bool> failed_too = pairs ? knowledge.protected_clear->failed() : failed;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < failed.size(); ++i) {
      if (!failed[i] && !failed_too[i]) rows.push_back(i);
    }
    clear = knowledge.clear->select(rows);
    checked.clear = &clear;
    if (pairs) {
      protected_clear = knowledge.protected_clear->select(rows);
      checked.protected_clear = &protected_clear;
    }
  } else if (knowledge.protected_clear != nullptr) {
    throw_usage("--protected", "is the protected form of --clear, which is missing");
  }
  resolved->fit(checked);
}

Dataset recover_dataset(const ResolvedRecovery& resolved, const Dataset& target) {
  if (undoes_media(*resolved.declaration)) return recover_media(resolved, target);
  require_templates(target);
  Recovered recovered = resolved->recover(target);
  Dataset result = target;
  result.probe_templates = Templates();
  if (!recovered.rows.empty()) {
    result.templates = Templates();  // not worth a copy of the rows
    result = result.select(recovered.rows);
  }
  BAUTA_ASSERT(recovered.templates.rows() == result.size());
  require_finite(recovered.templates, result.failed(), 0, "the recovery");
  result.templates = zero_failed(recovered.templates, result.failed());
  const ElementKind kind = result.templates.kind();
  result.provenance = recovered_provenance(resolved, target,
                                           kind == ElementKind::float32 ? "cosine"
                                           : kind == ElementKind::bits  ? "hamming"
                                                                        : "iom",
                                           recovered.properties);
  return result;
}

ResolvedProtection stolen_technique(const Dataset& target, const std::string& keyfile, const std::string& model) {
  if (!target.provenance || target.provenance->technique.empty()) {
    throw_input(target.origin, "does not say which technique protected it",
                "write technique = \"NAME:key=value\" into its dataset.toml");
  }
  std::string specification = target.provenance->technique;
  if (!model.empty()) {
    if (!keyfile.empty()) throw_usage("--model", "takes no --keyfile beside it");
    return load_protection(model, specification);
  }
  const auto source = target.provenance->properties.find("key_source");
  const std::string key_source = source == target.provenance->properties.end() ? "" : source->second;
  if (keyfile.empty() && key_source == "keyfile") {
    throw_usage(target.origin, "was protected with a key file", "name it with --keyfile; this attacker has stolen it");
  }
  if (keyfile.empty() && key_source == "operating system") {
    throw_input(target.origin, "was protected with a key that was never kept", "nobody can steal it");
  }
  if (!keyfile.empty()) {
    specification += specification.find(':') == std::string::npos ? ":" : ",";
    specification += "keyfile=" + keyfile;
  }
  return make_protection(specification);
}

std::optional<ResolvedProtection> recorded_protection(const Dataset& target) {
  if (!target.provenance || target.provenance->technique.empty()) return std::nullopt;
  try {
    return make_protection(target.provenance->technique);
  } catch (const Error&) {
    return std::nullopt;  // a record names no files
  }
}

}  // namespace bauta
