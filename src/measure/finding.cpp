#include "bauta/measure/finding.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace bauta {

namespace {

constexpr std::array<std::pair<About, std::string_view>, 6> words = {{{About::attribute, "attribute"},
                                                                      {About::identity, "identity"},
                                                                      {About::link, "link"},
                                                                      {About::recognition, "recognition"},
                                                                      {About::utility, "utility"},
                                                                      {About::original, "original"}}};

}  // namespace

std::string_view to_text(About about) {
  for (const auto& [known, word] : words) {
    if (known == about) return word;
  }
  return {};
}

std::optional<About> parse_about(std::string_view text) {
  for (const auto& [known, word] : words) {
    if (word == text) return known;
  }
  return std::nullopt;
}

std::optional<double> share_at(const Finding& finding, double value) {
  if (!finding.chance || !std::isfinite(value)) return std::nullopt;
  const double way = finding.certainty - *finding.chance;
  if (!std::isfinite(way) || !(finding.worse == Worse::higher ? way > 0 : way < 0)) return std::nullopt;
  return (value - *finding.chance) / way;
}

std::optional<double> share_of_way(const Finding& finding) {
  return share_at(finding, finding.value);
}

}  // namespace bauta
