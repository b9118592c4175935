// Reading of experiment files: tables that know where they stand, and values that say what is wrong with them.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/toml.hpp"
#include "bauta/run/experiment.hpp"

namespace bauta {

/// A table of the file that knows where it stands and which of its keys were read.
class Section {
 public:
  Section(const toml::table* table, std::string where, std::string name)
      : table_(table), where_(std::move(where)), name_(std::move(name)) {}

  const toml::node* find(const std::string& key) {
    known_.insert(key);
    return table_ == nullptr ? nullptr : table_->get(key);
  }

  /// Keys that the format has but this version does not act on: silence would be taken for a result.
  void refuse_later(const std::vector<std::string>& keys) {
    for (const auto& key : keys) {
      if (find(key) != nullptr) throw_usage(place(key), "not available in this version", "remove the key");
    }
  }

  void finish() const {
    if (table_ == nullptr) return;
    for (const auto& [key, node] : *table_) {
      const std::string name(key.str());
      if (!known_.contains(name)) {
        throw_usage(place(name, &node), "unknown key", suggest(name, {known_.begin(), known_.end()}));
      }
    }
  }

  [[nodiscard]] std::string place(const std::string& key, const toml::node* node = nullptr) const {
    const std::string line = node != nullptr && node->source().begin.line > 0
                                 ? fmt::format(" line {}", node->source().begin.line)
                                 : std::string();
    return where_ + line + ": " + (name_.empty() ? key : name_ + "." + key);
  }

  /// A value or a list of values, each converted by `convert`; nothing if the key is absent.
  template <class T, class Convert>
  std::vector<T> list(const std::string& key, Convert&& convert) {
    std::vector<T> values;
    const toml::node* node = find(key);
    if (node == nullptr) return values;
    if (const auto* array = node->as_array()) {
      for (const auto& element : *array) values.push_back(convert(element, place(key, &element)));
      if (values.empty()) throw_usage(place(key, node), "is an empty list");
    } else {
      values.push_back(convert(*node, place(key, node)));
    }
    return values;
  }

 private:
  const toml::table* table_;
  std::string where_;
  std::string name_;
  std::set<std::string> known_;
};

inline std::string as_text(const toml::node& node, const std::string& where) {
  const auto value = node.value<std::string>();
  if (!node.is_string() || !value) throw_usage(where, "a text in quotes is expected");
  return *value;
}

inline std::size_t as_count(const toml::node& node, const std::string& where) {
  const auto value = node.value<std::int64_t>();
  constexpr std::int64_t most = 10'000'000;
  if (!node.is_integer() || *value < 0 || *value > most) {
    throw_usage(where, fmt::format("a whole number from 0 to {} is expected", most));
  }
  return static_cast<std::size_t>(*value);
}

inline double as_rate(const toml::node& node, const std::string& where) {
  const auto value = node.value<double>();
  if (!value || !(*value > 0 && *value < 1)) throw_usage(where, "a rate between 0 and 1 is expected");
  return *value;
}

inline bool as_switch(const toml::node& node, const std::string& where) {
  const auto value = node.value<bool>();
  if (!node.is_boolean() || !value) throw_usage(where, "true or false is expected");
  return *value;
}

template <class T>
T single(std::vector<T> values, T otherwise, const std::string& where) {
  if (values.size() > 1) throw_usage(where, "one value is expected, not a list");
  return values.empty() ? otherwise : values[0];
}

/// The file as a table: what the variant sets replaces what stands there, and `overrides` ("a.b=c") replace both.
toml::table parse_experiment(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                             const std::string& variant);
/// In the order of the file.
std::vector<std::string> variant_names(const toml::table& root, const std::filesystem::path& path);

/// identities, selection, selected_on, selected_by and metadata of [protocol].
void read_selections(Section& protocol, Experiment& experiment);
/// What the file leaves open: the first recogniser chooses, by the attributes of the data.
void complete_choosing(Experiment& experiment);
/// Who takes part, as results repeat it.
Json people_json(const Experiment& experiment);

/// [[protect.sweep]] tables, their keys in the order of the file: the first is what figures have on their x axis.
std::vector<std::vector<Sweep::Axis>> read_sweeps(Section& section);
/// Every point of the grid as a technique; an axis may also be the share that it gives to each attribute of `keep`.
Sweep sweep_of(const std::string& technique, std::vector<Sweep::Axis> axes, const std::map<std::string, double>& keep,
               const std::string& where);

}  // namespace bauta
