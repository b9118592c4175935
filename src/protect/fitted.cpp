// Fitted protections: learning, and what was learned in one file.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/public_specification.hpp"
#include "bauta/data/npz.hpp"
#include "bauta/protect/bringing.hpp"

namespace bauta {
namespace {

// Member names that cannot be confused with arrays of a technique.
constexpr std::string_view technique_key = "bauta.technique";
constexpr std::string_view attributes_key = "bauta.attributes";

std::string digest(const FittedState& state) {
  Hash hash;
  for (const auto& [name, values] : state) {
    hash.add(name);
    hash.add(fmt::format("{} {}", values.rows(), values.cols()));
    hash.add(values.data(), values.size() * sizeof(float));
  }
  return hash.hex();
}

std::string text_of(const std::vector<NpzArray>& arrays, std::string_view key, const std::string& where) {
  const auto found =
      std::find_if(arrays.begin(), arrays.end(), [&](const NpzArray& array) { return array.key == key; });
  if (found == arrays.end()) {
    throw_input(where, fmt::format("holds no '{}', so it is no fitted protection", key),
                "name a file that was written with --save");
  }
  const auto texts = to_text_column(found->array);
  return texts.empty() ? std::string() : texts[0];
}

Matrix<float> copy_of(const NpyArray& array) {
  const Templates values = to_float_templates(array);
  Matrix<float> copy(values.rows(), values.cols());
  for (std::size_t i = 0; i < values.rows(); ++i) std::ranges::copy(values.floats().row(i), copy.row(i).begin());
  return copy;
}

}  // namespace

std::string model_of(const ResolvedProtection& protection) {
  if (!protection.model.empty()) return protection.model;
  const auto* const brings = dynamic_cast<const BringingProtection*>(protection.object.get());
  return brings == nullptr ? std::string() : brings->brought();
}

void fit_protection(ResolvedProtection& resolved, const Dataset& train, const std::vector<std::string>& attributes,
                    const ProtectContext& context) {
  if (!resolved.declaration->learns && dynamic_cast<const BringingProtection*>(resolved.object.get()) == nullptr) {
    throw_usage("--fit", resolved.declaration->name + " does not learn");
  }
  for (const auto& attribute : attributes) (void)train.labels.column(attribute);
  resolved->fit(train, attributes, context);
  resolved.attributes = fmt::format("{}", fmt::join(attributes, ","));
  resolved.model = digest(resolved->state());
}

void save_protection(const ResolvedProtection& resolved, const std::filesystem::path& path) {
  BAUTA_ASSERT(!resolved.model.empty());
  NpzWriter writer(path);
  writer.add(technique_key, std::vector<std::string>{public_specification(resolved)});
  writer.add(attributes_key, std::vector<std::string>{resolved.attributes});
  for (const auto& [name, values] : resolved->state()) writer.add(name, values.view());
  writer.commit();
}

ResolvedProtection load_protection(const std::filesystem::path& path, std::string_view specification) {
  const std::string where = path.string();
  std::vector<std::string> remarks;
  const std::vector<NpzArray> arrays = read_npz(path, technique_key, remarks);
  const std::string technique = text_of(arrays, technique_key, where);
  ResolvedProtection resolved = make_protection(technique);
  const Specification asked = Specification::parse(specification);
  if (asked.name != resolved.declaration->name) {
    throw_usage(where, fmt::format("holds a fitted {}, not {}", resolved.declaration->name, asked.name));
  }
  const Parameters wanted(*resolved.declaration, asked);
  for (const auto& [name, value] : asked.values) {
    if (wanted.text(name) != resolved.parameters.text(name)) {
      throw_usage(where, fmt::format("was fitted with {}={}, not {}", name, resolved.parameters.text(name), value),
                  "leave the parameter out, or fit anew");
    }
  }
  FittedState state;
  for (const NpzArray& array : arrays) {
    if (array.key != technique_key && array.key != attributes_key) state.emplace(array.key, copy_of(array.array));
  }
  resolved->restore(state, where);
  resolved.attributes = text_of(arrays, attributes_key, where);
  if (resolved.declaration->keeps && resolved.attributes.empty()) {
    throw_input(where, "does not say which attributes it was fitted to keep", "fit it anew");
  }
  resolved.model = digest(state);
  return resolved;
}

}  // namespace bauta
