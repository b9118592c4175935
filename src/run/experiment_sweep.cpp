// Grids over the parameters of a technique.
#include <algorithm>

#include "bauta/protect/kept.hpp"
#include "bauta/protect/protection.hpp"
#include "experiment_section.hpp"

namespace bauta {

namespace {

std::string as_parameter(const toml::node& node, const std::string& where) {
  if (const auto text = node.value<std::string>(); node.is_string()) return *text;
  if (const auto count = node.value<std::int64_t>(); node.is_integer()) return std::to_string(*count);
  if (const auto number = node.value<double>(); node.is_floating_point()) return fmt::format("{}", *number);
  throw_usage(where, "a number or a text is expected");
}

}  // namespace

std::vector<std::vector<Sweep::Axis>> read_sweeps(Section& section) {
  std::vector<std::vector<Sweep::Axis>> sweeps;
  const toml::node* node = section.find("sweep");
  if (node == nullptr) return sweeps;
  const auto* array = node->as_array();
  if (array == nullptr || !array->is_array_of_tables()) {
    throw_usage(section.place("sweep", node), "tables are expected", "write [[protect.sweep]] and t = [0.2, 0.4]");
  }
  for (const auto& element : *array) {
    const toml::table& table = *element.as_table();
    std::vector<std::pair<toml::source_position, std::string>> names;
    for (const auto& [key, values] : table) names.emplace_back(values.source().begin, std::string(key.str()));
    std::stable_sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Sweep::Axis> axes;
    for (const auto& [position, name] : names) {
      Section inner(&table, section.place("sweep", &element), "");
      axes.push_back({name, inner.list<std::string>(name, as_parameter)});
    }
    if (axes.empty()) throw_usage(section.place("sweep", &element), "is empty", "name a parameter and its values");
    sweeps.push_back(std::move(axes));
  }
  return sweeps;
}

Sweep sweep_of(const std::string& technique, std::vector<Sweep::Axis> axes, const std::map<std::string, double>& keep,
               const std::string& where) {
  Sweep sweep{std::move(axes), {}};
  const auto& entry = find_entry(protections(), "protection", Specification::parse(technique).name);
  const Parameter* kept = kept_parameter(entry.declaration);
  std::size_t points = 1;
  for (const auto& axis : sweep.axes) points *= axis.values.size();
  for (std::size_t point = 0; point < points; ++point) {
    Specification specification = Specification::parse(technique);
    std::size_t rest = point;
    // NOLINTNEXTLINE(modernize-loop-convert): clang 14 does not read libstdc++'s views
    for (auto axis = sweep.axes.rbegin(); axis != sweep.axes.rend(); ++axis) {
      const std::string& value = axis->values[rest % axis->values.size()];
      rest /= axis->values.size();
      if (kept == nullptr || axis->name != kept->shares) {
        specification.values[axis->name] = value;
        continue;
      }
      if (keep.empty())
        throw_usage(where + ": " + axis->name, "varies the share of additional attributes", "name them: data.keep");
      std::string shares;
      for (const auto& [name, weight] : keep) shares += (shares.empty() ? "" : "/") + name + "=" + value;
      specification.values[kept->name] = shares;
    }
    (void)entry.make(Parameters(entry.declaration, specification));
    sweep.techniques.push_back(Parameters(entry.declaration, specification).brief());
  }
  return sweep;
}

}  // namespace bauta
