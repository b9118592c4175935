// The text of an experiment file, with what the command line changes in it.
#include <algorithm>

#include "bauta/core/input.hpp"
#include "experiment_section.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

void apply_override(toml::table& root, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
    throw_usage("--set " + text, "section.key=value is expected", "e.g. --set measure.bootstrap=200");
  }
  const std::string value = text.substr(equals + 1);
  toml::table parsed;
  try {
    parsed = parse_toml("value = " + value, "--set");
  } catch (const std::exception&) {
    parsed.insert_or_assign("value", value);  // plain words need no quotes on a command line
  }
  toml::table* table = &root;
  std::string path = text.substr(0, equals);
  for (std::size_t at = path.find('.'); at != std::string::npos; at = path.find('.')) {
    const std::string name = path.substr(0, at);
    path = path.substr(at + 1);
    if (table->get(name) == nullptr) table->insert(name, toml::table{});
    table = table->get(name)->as_table();
    if (table == nullptr) throw_usage("--set " + text, "'" + name + "' is not a section");
  }
  table->insert_or_assign(path, *parsed.get("value"));
}

toml::table parse_file(const fs::path& path) {
  return parse_toml(read_text(path, largest_toml), path.string());
}

/// Tables of both are merged, anything else is replaced. Nodes are moved: a copy does not know its line.
void merge(toml::table& into, toml::table&& from) {
  for (auto&& [key, node] : from) {
    toml::node* const there = into.get(key.str());
    if (there != nullptr && there->is_table() && node.is_table()) {
      merge(*there->as_table(), std::move(*node.as_table()));
    } else {
      node.visit([&, &key = key](auto& value) { into.insert_or_assign(key.str(), std::move(value)); });
    }
  }
}

}  // namespace

std::vector<std::string> variant_names(const toml::table& root, const fs::path& path) {
  const toml::node* const node = root.get("variant");
  if (node == nullptr) return {};
  std::vector<std::pair<toml::source_position, std::string>> places;
  if (!node->is_table() || node->as_table()->empty()) {
    throw_usage(path.string() + ": variant", "is not a table of variants", "write [variant.NAME.data] and the like");
  }
  for (const auto& [key, variant] : *node->as_table()) {
    const std::string name(key.str());
    if (!variant.is_table()) throw_usage(path.string() + ": variant." + name, "is not a table");
    if (name.empty() || name.find_first_of("/.") != std::string::npos) {
      throw_usage(path.string() + ": variant", fmt::format("'{}' cannot be the name of a folder", name));
    }
    // A table that only holds tables has no place of its own: its first part's counts.
    toml::source_position place = variant.source().begin;
    for (const auto& [part, inner] : *variant.as_table()) {
      if (place.line == 0 || inner.source().begin < place) place = inner.source().begin;
    }
    places.emplace_back(place, name);
  }
  std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  names.reserve(places.size());
  for (const auto& [place, name] : places) names.push_back(name);
  return names;
}

toml::table parse_experiment(const fs::path& path, const std::vector<std::string>& overrides,
                             const std::string& variant) {
  toml::table root = parse_file(path);
  if (!variant.empty()) {
    const std::vector<std::string> names = variant_names(root, path);
    if (std::find(names.begin(), names.end(), variant) == names.end()) {
      throw_usage(path.string(), "has no variant '" + variant + "'", suggest(variant, names));
    }
    toml::table chosen = std::move(*root["variant"][variant].as_table());
    root.erase("variant");
    merge(root, std::move(chosen));
  }
  for (const auto& text : overrides) apply_override(root, text);
  return root;
}

}  // namespace bauta
