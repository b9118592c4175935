// Text for four readers: HTML, script blocks, TeX and CSV each have their own dangerous characters; people read
// percent.
#pragma once

#include <string>
#include <string_view>

#include "values.hpp"

namespace bauta::report {

/// Safe between tags and inside double-quoted attributes.
std::string escape_html(std::string_view text);
/// The same, and no line ends between a number and its percent sign.
std::string escape_prose(std::string_view text);
/// JSON that may stand in a <script> block: the HTML parser finds neither an end tag nor a comment in it.
std::string script_safe_json(std::string_view json);
/// Program text of a <script> block: the same promise, and no reference to a source map that a browser would go and
/// fetch.
std::string script_safe_code(std::string_view code);
std::string escape_tex(std::string_view text);
/// Quoted only where RFC 4180 asks for it.
std::string escape_csv(std::string_view text);

/// "86.3 %": one decimal, or more where a small rate would otherwise lose its second digit. "–" if absent.
std::string percent(Number rate);
/// "86.3 % [84.1, 88.2]"; the bounds have the decimals of the value.
std::string percent(Number rate, const std::optional<Interval>& ci);
/// The same for a rate that may be near 1 as well as near 0: "99.97 %".
std::string precise_percent(Number rate, const std::optional<Interval>& ci = std::nullopt);
/// An error rate that stands as a name, without padding: "10 %", "0.1 %".
std::string percent_name(double rate);
/// Fixed decimals without percent, "–" if absent.
std::string decimal(Number value, int decimals);
/// The shortest text that reads back as the same double; empty if absent. For CSV.
std::string exact(Number value);
/// Digits in groups of three, because comparisons come in millions.
std::string grouped(Number count);

std::string capital(std::string text);
/// A capital at the beginning and a full stop at the end, where they are missing.
std::string sentence(std::string text);

/// A technique's text is one long word; spaces let it break.
std::string spaced(const std::string& technique);
/// Letters, digits and single dashes, for file names and element ids.
std::string slug(std::string_view text);

}  // namespace bauta::report
