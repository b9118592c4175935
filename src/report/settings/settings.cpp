#include "settings.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace bauta::report {
namespace {

// Its parameters, where all techniques of the run are of one kind.
void name_settings(Settings& settings) {
  std::set<std::string> kinds;
  for (const Setting& setting : settings) {
    const std::string& technique = setting.series.technique;
    if (!setting.series.unprotected) kinds.insert(technique.substr(0, technique.find(':')));
  }
  const bool several = representations_of(settings).size() > 1;
  for (Setting& setting : settings) {
    const std::string& technique = setting.series.technique;
    const std::size_t colon = technique.find(':');
    const bool short_form = kinds.size() == 1 && !setting.series.unprotected && colon != std::string::npos;
    setting.name = setting.series.prefix + (short_form ? technique.substr(colon + 1) : technique);
    if (!setting.series.variant.empty()) setting.name += " (" + setting.series.variant + ")";
    if (several && !setting.representation.empty()) setting.name += " (" + setting.representation + ")";
  }
}

}  // namespace

Settings settings_of(const RunResults& run, const Names& questions) {
  Settings out;
  for (const Cell& cell : run.cells) {
    const bool wanted = questions.empty()
                            ? !cell.findings.empty()
                            : std::find(questions.begin(), questions.end(), cell.question) != questions.end();
    if (!wanted) continue;
    const std::string representation = text(cell.key, "representation");
    // Whoever attacks, a setting stays the same; about some of the people it is another.
    const Series series = cell.series_without({"representation", "recogniser", "estimator", "adversary", "recovery"});
    auto found = std::find_if(out.begin(), out.end(), [&](const Setting& setting) {
      return setting.series.technique == series.technique && setting.series.variant == series.variant &&
             setting.representation == representation;
    });
    if (found == out.end()) found = out.insert(out.end(), {series, representation, {}, {}, &run.ranking});
    found->cells.push_back(&cell);
  }
  // What was asked of media themselves is no setting of a representation.
  const auto seen = [](const Setting& setting) { return !setting.representation.empty(); };
  if (questions.empty() && std::any_of(out.begin(), out.end(), seen)) std::erase_if(out, std::not_fn(seen));
  name_settings(out);
  return out;
}

Settings settings_of(const Runs& runs, const Names& questions) {
  Settings out;
  for (const RunResults& run : runs) {
    for (Setting& setting : settings_of(run, questions)) out.push_back(std::move(setting));
  }
  return out;
}

Settings protected_only(Settings settings) {
  std::erase_if(settings, [](const Setting& setting) { return setting.series.unprotected; });
  return settings;
}

const Setting* headline_setting(const Settings& settings, const Card& card) {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) {
    if (!card.headline || setting.cells.empty() || setting.series.technique != card.headline->technique) return false;
    const Finding& strongest = card.headline->strongest;
    const std::string representation = strongest.axis("representation");
    if (!representation.empty() && !setting.representation.empty() && representation != setting.representation) {
      return false;
    }
    const Json& key = setting.cells.front()->key;
    const auto same = [&](const char* name) { return text(key, name) == strongest.axis(name); };
    return same("identities") && same("selection") && same("selected_on");
  });
  return found == settings.end() ? nullptr : &*found;
}

Names representations_of(const Settings& settings) {
  Names out;
  for (const Setting& setting : settings) add_once(out, setting.representation);
  return out;
}

Row setting_row(Table& table, const Setting& setting) {
  Row row(table);
  row.field("run", Json(setting.series.run))
      .show("Setting", {setting.name, setting.series.unprotected ? "clear data" : ""}, Table::Align::left)
      .field("technique", Json(setting.series.technique))
      .field("variant", Json(setting.series.variant))
      .field("representation", Json(setting.representation));
  return row;
}

}  // namespace bauta::report
