// Attributes that a technique keeps, each with the share of features that is retained for it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"

namespace bauta {

class Protection;

struct KeptAttribute {
  std::string name;
  double share = 0;
};

/// "NAME=SHARE"; the share is within [0, 1], as a number or in percent ("0.01", "1%"). Usage errors name `where`.
KeptAttribute parse_kept(std::string_view text, const std::string& where);
/// Several of them, separated by '/'.
std::vector<KeptAttribute> parse_kept_list(std::string_view text, const std::string& where);

/// The parameter that names them; null: the technique keeps none beside the attribute that it is fitted for.
const Parameter* kept_parameter(const Declaration& technique);
/// What it names, in this order.
std::vector<KeptAttribute> kept_attributes(const Resolved<Protection>& protection);

/// Features that a share of `width` comes to. The attribute of interest has at least one; another of share 0 has none.
std::size_t retained_features(double share, std::size_t width, bool of_interest);

}  // namespace bauta
