// Which people take part in an experiment, as its file says.
#include <algorithm>

#include "bauta/attack/recogniser.hpp"
#include "experiment_section.hpp"

namespace bauta {

namespace {

/// [1.0, "25%", 3]: a share of the people, or so many.
Selection as_size(const toml::node& node, const std::string& where) {
  Selection size;
  if (node.is_integer()) {
    size.count = as_count(node, where);
    if (size.count < 2) throw_usage(where, "two people are needed at least", "write 1.0 for everybody");
    return size;
  }
  const auto share = node.is_string() ? parse_share(*node.value<std::string>()) : node.value<double>();
  if (!share || !(*share > 0 && *share <= 1)) {
    throw_usage(where, "a share of the people (0.5, \"50%\") or a whole number of them is expected");
  }
  size.share = *share;
  return size;
}

bool same_people(const Selection& one, const Selection& other) {
  if (one.size_text() != other.size_text()) return false;
  return one.everybody() || (one.by == other.by && (!one.looks() || one.selected_on == other.selected_on));
}

/// Where a key has nothing to say, because no way of choosing reads it.
void refuse_idle(Section& protocol, const char* key, bool read, const char* reader) {
  if (protocol.find(key) != nullptr && !read) {
    throw_usage(protocol.place(key), fmt::format("nothing in protocol.selection goes by it ({})", reader), "remove it");
  }
}

}  // namespace

void read_selections(Section& protocol, Experiment& experiment) {
  const auto sizes = protocol.list<Selection>("identities", as_size);
  std::vector<std::string> ways = protocol.list<std::string>("selection", as_text);
  for (const auto& way : ways) require_selection(way, protocol.place("selection"));
  std::vector<SelectedOn> looked_at;
  for (const auto& text : protocol.list<std::string>("selected_on", as_text)) {
    looked_at.push_back(parse_selected_on(text, protocol.place("selected_on")));
  }
  Choosing& choosing = experiment.choosing;
  choosing.recogniser =
      single(protocol.list<std::string>("selected_by", as_text), std::string(), protocol.place("selected_by"));
  if (!choosing.recogniser.empty()) choosing.recogniser = make_recogniser(choosing.recogniser).parameters.brief();
  choosing.metadata = protocol.list<std::string>("metadata", as_text);
  if (!ways.empty() && sizes.empty()) {
    throw_usage(protocol.place("selection"), "chooses people, and nothing says how many",
                "add protocol.identities = [1.0, 0.5, 3], for example");
  }
  const auto any = [&](auto wanted) {
    return std::ranges::any_of(ways, [&](const std::string& way) { return wanted(Selection{.by = way}); });
  };
  const bool looks = any([](const Selection& one) { return one.looks(); });
  refuse_idle(protocol, "selected_on", looks, "classification, distinctive, center");
  refuse_idle(protocol, "selected_by", looks, "classification, distinctive, center");
  refuse_idle(protocol, "metadata", any([](const Selection& one) { return one.goes_by() == ChosenBy::labels; }),
              "metadata");
  if (sizes.empty()) return;
  if (ways.empty()) ways = {Selection().by};
  if (looked_at.empty()) looked_at = {Selection().selected_on};
  experiment.selections.clear();
  for (const auto& way : ways) {
    for (const SelectedOn on : looked_at) {
      for (Selection one : sizes) {
        one.by = way;
        one.selected_on = on;
        const bool known =
            std::ranges::any_of(experiment.selections, [&](const Selection& other) { return same_people(one, other); });
        if (!known) experiment.selections.push_back(std::move(one));
      }
    }
  }
  // What choosing looks at is made when everybody is asked about.
  std::stable_partition(experiment.selections.begin(), experiment.selections.end(),
                        [](const Selection& one) { return one.everybody(); });
}

void complete_choosing(Experiment& experiment) {
  Choosing& choosing = experiment.choosing;
  const Setting& setting = experiment.setting;
  if (choosing.recogniser.empty()) choosing.recogniser = setting.keys["attack"]["recogniser"][0];
  if (!choosing.metadata.empty()) return;
  choosing.metadata = setting.attributes;
  for (const auto& [name, weight] : setting.keep) choosing.metadata.push_back(name);
  const auto by_labels = [](const Selection& one) { return one.goes_by() == ChosenBy::labels; };
  if (choosing.metadata.empty() && std::ranges::any_of(experiment.selections, by_labels)) {
    throw_usage("protocol.metadata", "is missing: people shall differ in it", "name attributes: metadata = [\"age\"]");
  }
}

Json people_json(const Experiment& experiment) {
  Json people = Json::array();
  for (const Selection& selection : experiment.selections) {
    if (selection.everybody()) {
      people.push_back("everybody");
      continue;
    }
    people.push_back({{"selection", selection.by}, {"identities", selection.size_text()}});
    if (selection.looks()) {
      people.back().update(
          {{"selected_on", to_text(selection.selected_on)}, {"selected_by", experiment.choosing.recogniser}});
    }
    if (selection.goes_by() == ChosenBy::labels) people.back()["metadata"] = experiment.choosing.metadata;
  }
  return people;
}

}  // namespace bauta
