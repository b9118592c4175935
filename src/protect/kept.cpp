#include "bauta/protect/kept.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta {

KeptAttribute parse_kept(std::string_view text, const std::string& where) {
  const std::string place = fmt::format("{} {}", where, text);
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) throw_usage(place, "is not NAME=SHARE");
  const std::string_view share = text.substr(equals + 1);
  const std::optional<double> value = parse_share(share);
  if (!value) throw_usage(place, fmt::format("'{}' is not a number", share));
  if (!(*value >= 0 && *value <= 1)) throw_usage(place, fmt::format("{} is outside of [0, 1]", share));
  return {std::string(text.substr(0, equals)), *value};
}

std::vector<KeptAttribute> parse_kept_list(std::string_view text, const std::string& where) {
  std::vector<KeptAttribute> kept;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('/'), text.size());
    if (end > 0) kept.push_back(parse_kept(text.substr(0, end), where));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return kept;
}

const Parameter* kept_parameter(const Declaration& technique) {
  for (const Parameter& parameter : technique.parameters) {
    if (!parameter.shares.empty()) return &parameter;
  }
  return nullptr;
}

std::vector<KeptAttribute> kept_attributes(const Resolved<Protection>& protection) {
  const Parameter* parameter = kept_parameter(*protection.declaration);
  if (parameter == nullptr) return {};
  return parse_kept_list(protection.parameters.text(parameter->name), parameter->name);
}

std::size_t retained_features(double share, std::size_t width, bool of_interest) {
  const std::size_t least = !of_interest && share == 0 ? 0 : 1;
  return std::max(least, static_cast<std::size_t>(std::lround(share * static_cast<double>(width))));
}

}  // namespace bauta
