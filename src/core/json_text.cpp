#include "bauta/core/json_text.hpp"

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

constexpr int most_levels = 100;

}  // namespace

Json parse_json(const std::string& text, const std::string& where, const std::string& hint) {
  try {
    return Json::parse(text, [&](int depth, Json::parse_event_t, Json&) {
      if (depth > most_levels) throw_input(where, fmt::format("nested more than {} levels deep", most_levels));
      return true;
    });
  } catch (const Json::parse_error& error) {
    throw_input(where, fmt::format("not valid JSON at byte {}", error.byte), hint);
  }
}

}  // namespace bauta
