// Flags that are keys of a question: their words, defaults and checks stand in its declaration, once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "bauta/question/key.hpp"

namespace bauta {

/// Of a question: "similarity", "bootstrap"; one within a table: "similarity", "similarity.n".
Key declared_key(std::string_view question, std::string_view name);

/// `take` gets what was given, checked. Values of a list are separated by commas, or the flag is given several times.
void add_key_flag(CLI::App& command, const std::string& flag, const Key& key, std::function<void(const Json&)> take,
                  const Json& usual);

/// Where the declaration has no default, what `target` holds is it.
template <class Value>
void add_key_flag(CLI::App& command, const std::string& flag, const Key& key, Value& target) {
  const Json no_list = Json::array();
  const bool none = key.fallback.is_null() || key.fallback == "" || key.fallback == no_list;
  if (!none) target = key.fallback.get<Value>();
  add_key_flag(
      command, flag, key, [&target](const Json& value) { target = value.get<Value>(); }, Json(target));
}

/// Without a default: empty where it was not given.
template <class Value>
void add_key_flag(CLI::App& command, const std::string& flag, const Key& key, std::optional<Value>& target) {
  add_key_flag(
      command, flag, key, [&target](const Json& value) { target = value.get<Value>(); }, nullptr);
}

/// Off unless it is given, even where experiments have it on by default: a command would take much longer.
void add_switch(CLI::App& command, const std::string& flag, const Key& key, bool& target);

}  // namespace bauta
