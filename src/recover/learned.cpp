// What recoveries of media learned, in one file.
#include <algorithm>

#include "bauta/core/error.hpp"
#include "bauta/core/finite.hpp"
#include "bauta/data/npz.hpp"
#include "bauta/recover/recovery.hpp"

namespace bauta {
namespace {

constexpr std::string_view recovery_key = "bauta.recovery";  // no array of a recovery has this name

}  // namespace

void save_recovery(const ResolvedRecovery& resolved, const std::filesystem::path& path) {
  NpzWriter writer(path);
  writer.add(recovery_key, std::vector<std::string>{resolved.parameters.resolved()});
  for (const auto& [name, values] : resolved->state()) writer.add(name, values.view());
  writer.commit();
}

ResolvedRecovery load_recovery(const std::filesystem::path& path, std::string_view specification) {
  const std::string where = path.string();
  ResolvedRecovery resolved = make_recovery(specification);
  std::vector<std::string> remarks;
  FittedState state;
  std::string learned;
  for (const NpzArray& array : read_npz(path, recovery_key, remarks)) {
    if (array.key == recovery_key) {
      const auto texts = to_text_column(array.array);
      if (!texts.empty()) learned = texts[0];
      continue;
    }
    const Templates values = to_float_templates(array.array);
    Matrix<float> copy(values.rows(), values.cols());
    for (std::size_t i = 0; i < values.rows(); ++i) std::ranges::copy(values.floats().row(i), copy.row(i).begin());
    if (!all_finite({copy.data(), copy.size()})) throw_input(where, "'" + array.key + "' holds what is no number");
    state.emplace(array.key, std::move(copy));
  }
  if (learned != resolved.parameters.resolved()) {
    throw_input(where, "was learned by '" + learned + "', not by '" + resolved.parameters.resolved() + "'");
  }
  resolved->restore(state, where);
  return resolved;
}

}  // namespace bauta
