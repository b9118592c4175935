// The card at the top of the page as HTML.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "section.hpp"
#include "text.hpp"
#include "wording.hpp"

namespace bauta::report {
namespace {

std::string gauge_name(double at, const char* row, const std::string& text) {
  const char* end = at > 0.75 ? " at-end" : at < 0.2 ? " at-start" : "";
  return fmt::format("<span class=\"name {}{}\" style=\"left:{:.2f}%\">{}</span>", row, end, 100 * at,
                     escape_html(text));
}

// Where the attacker stands between blind guessing and clear data.
std::string gauge(const Strongest& entry) {
  const auto within = [](double rate) { return std::clamp(rate, 0.0, 1.0); };
  const double value = within(entry.strongest.value);
  const double start = within(entry.strongest.chance.value_or(0));
  std::string spoken = percent(entry.strongest.value) + " on a scale from 0 to 100 %";
  std::string out =
      fmt::format("<span class=\"track\"></span><span class=\"fill\" style=\"left:{:.2f}%;width:{:.2f}%\"></span>",
                  100 * std::min(start, value), 100 * std::abs(value - start));
  const auto level = [&](double at, const char* look, const char* row, const std::string& text) {
    spoken += "; " + text;
    out += fmt::format("<span class=\"tick{}\" style=\"left:{:.2f}%\"></span>", look, 100 * at);
    out += gauge_name(at, row, text);
  };
  if (entry.strongest.chance) level(start, " chance", "below", "chance " + percent(entry.strongest.chance));
  const Number clear = entry.on_clear().value;
  if (clear && !entry.unprotected) level(within(*clear), "", "above", entry.on_clear_name() + " " + percent(clear));
  return fmt::format("<div class=\"gauge\" role=\"img\" aria-label=\"{}\">{}</div>\n", escape_html(spoken), out);
}

std::string number_html(const Strongest& entry) {
  const Table::Cell value = value_cell(entry.value(), entry.strongest.unit);
  std::string measure = entry.strongest.measure;
  if (entry.about == About::attribute) measure += " on " + target_name(entry.about, entry.attribute);
  if (!value.detail.empty()) measure += " " + value.detail;
  return fmt::format("<div class=\"reading\"><div class=\"number\">{}<small>{}</small></div>\n{}</div>\n",
                     escape_html(value.text), escape_html(measure),
                     entry.strongest.unit == "rate" ? gauge(entry) : std::string());
}

}  // namespace

std::string card_html(const Card& card) {
  std::string out = "<article class=\"card\">\n";
  if (!card.origin.empty()) out += fmt::format("<p class=\"origin\">{}</p>\n", escape_html(card.origin));
  out += fmt::format("<p class=\"verdict\">{}</p>\n", escape_prose(card.verdict));
  if (card.headline) out += number_html(*card.headline);
  std::string facts;
  for (const Card::Fact& item : card.facts) facts += fact(item.name, item.value, item.wide ? "wide" : "narrow");
  if (!facts.empty()) out += "<dl class=\"facts\">\n" + facts + "</dl>\n";
  if (!card.threat_model.empty()) {
    out += fmt::format("<p class=\"threat\"><strong>Threat model.</strong> {}</p>\n",
                       escape_prose(joined(card.threat_model, " ")));
  }
  return out + "</article>\n";
}

}  // namespace bauta::report
