#include "lost_samples.hpp"

#include "bauta/question/protecting.hpp"

namespace bauta {

namespace {

/// Text of a file, which need not be well formed.
std::string printable(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

}  // namespace

// Names of files often name people: rows stand for them.
Json to_json(const LostSamples& lost) {
  if (lost.failed == 0) return nullptr;
  Json json = {{"data", lost.data},
               {"technique", lost.technique.empty() ? baseline() : lost.technique},
               {"unprotected", lost.technique.empty() || !masks(lost.technique)},
               {"extractor", lost.extractor},
               {"samples", lost.samples},
               {"failed", lost.failed},
               {"reasons", Json::array()}};
  if (!lost.recovery.empty()) json["recovery"] = lost.recovery;
  if (lost.role) json["role"] = to_text(*lost.role);
  if (lost.rotation) json["rotation"] = *lost.rotation + 1;
  std::map<std::string, std::set<std::size_t>> by_text;
  for (const auto& [reason, rows] : lost.why) {
    for (const std::size_t row : rows) by_text[printable(reason)].insert(row + 1);
  }
  for (const auto& [reason, rows] : by_text) json["reasons"].push_back({{"reason", reason}, {"rows", rows}});
  return json;
}

}  // namespace bauta
