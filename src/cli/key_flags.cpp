#include "key_flags.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "bauta/core/declaration.hpp"
#include "bauta/core/error.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

namespace {

const Key& named_key(const std::vector<Key>& keys, std::string_view name) {
  const auto found = std::ranges::find(keys, name, &Key::name);
  if (found == keys.end()) throw std::logic_error(fmt::format("no question declares '{}'", name));
  return *found;
}

/// As the experiment file would have it. What is no number stays a text: the key says what it expects.
Json typed(const std::string& text, Key::Kind kind) {
  if (kind == Key::Kind::text) return text;
  const char* end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto [stop, status] = std::from_chars(text.data(), end, whole); status == std::errc() && stop == end) {
    return whole;
  }
  double real = 0;
  if (const auto [stop, status] = std::from_chars(text.data(), end, real); status == std::errc() && stop == end) {
    return real;
  }
  return text;
}

std::string plain(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::vector<std::string> texts;
  for (const Json& one : value) texts.push_back(plain(one));
  return fmt::format("{}", fmt::join(texts, ","));
}

}  // namespace

Key declared_key(std::string_view question, std::string_view name) {
  for (const auto& known : questions()) {
    QuestionDeclaration declaration = known->declaration();
    if (declaration.name != question) continue;
    const std::size_t dot = name.find('.');
    const Key& key = named_key(declaration.keys, name.substr(0, dot));
    return dot == std::string_view::npos ? key : named_key(key.inner, name.substr(dot + 1));
  }
  throw std::logic_error(fmt::format("no question is called '{}'", question));
}

void add_key_flag(CLI::App& command, const std::string& flag, const Key& key, std::function<void(const Json&)> take,
                  const Json& usual) {
  const auto read = [flag, key, take = std::move(take)](const std::vector<std::string>& given) {
    Json values = Json::array();
    for (const std::string& text : given) {
      const std::vector<std::string> parts = key.several ? split_specifications(text) : std::vector<std::string>{text};
      for (const std::string& part : parts) values.push_back(typed(part, key.kind));
    }
    take(key.check(key.several ? values : values.back(), fmt::format("{} {}", flag, fmt::join(given, ","))));
  };
  CLI::Option* option = command.add_option_function<std::vector<std::string>>(flag, read, key.doc);
  option->type_name(std::string(key.kind == Key::Kind::number ? "NUMBER" : "TEXT") + (key.several ? ",..." : ""));
  // One text each time it is given: what stands behind that may be a data set.
  option->expected(1)->allow_extra_args(false);
  if (key.several) option->take_all();
  if (!usual.is_null()) option->default_str(plain(usual));
}

void add_switch(CLI::App& command, const std::string& flag, const Key& key, bool& target) {
  command.add_flag(flag, target, key.doc);
}

}  // namespace bauta
