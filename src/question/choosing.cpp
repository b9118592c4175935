#include "bauta/question/choosing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "bauta/attack/recogniser.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/question/protecting.hpp"
#include "known_people.hpp"
#include "recogniser_cells.hpp"

namespace bauta {

namespace {

/// Hits and probes of each person.
class HitCount {
 public:
  explicit HitCount(const std::vector<std::string>& people)
      : people_(people), hits_(people.size()), asked_(people.size()) {}

  void add(const Dataset& enrolled, const Dataset& probes, const std::string& recogniser, std::uint64_t seed) {
    IdentifyRun run;
    run.seed = seed;
    const KnownPeople known(enrolled, probes, run);
    const std::vector<Standing> standings =
        known.guessing() ? known.guesses() : known.standings_by(*known.learned(recogniser));
    for (std::size_t i = 0; i < standings.size(); ++i) {
      const std::string& name = known.people()[static_cast<std::size_t>(known.asked().identities[i])];
      const auto found = std::lower_bound(people_.begin(), people_.end(), name);
      if (found == people_.end() || *found != name) continue;
      const auto person = static_cast<std::size_t>(found - people_.begin());
      hits_[person] += standings[i].hit(1);
      ++asked_[person];
    }
  }

  [[nodiscard]] std::vector<double> rates() const {
    std::vector<double> rates(hits_.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (asked_[i] > 0) rates[i] = hits_[i] / asked_[i];
    }
    return rates;
  }

 private:
  const std::vector<std::string>& people_;
  std::vector<double> hits_, asked_;
};

/// Usable samples of these people, one data set after the other.
struct GatheredFeatures {
  Matrix<float> rows;
  std::vector<std::uint32_t> person;
};

GatheredFeatures gathered(const std::vector<Dataset>& sets, const std::vector<std::string>& people,
                          const std::string& way) {
  std::vector<std::pair<const Dataset*, std::size_t>> from;
  GatheredFeatures features;
  for (const Dataset& data : sets) {
    if (data.templates.kind() != ElementKind::float32 || data.templates.cols() != sets[0].templates.cols()) {
      throw_usage("protocol.selection",
                  fmt::format("'{}' measures distances of real numbers, and {} holds {} {} per template", way,
                              data.origin, data.templates.cols(), to_text(data.templates.kind())),
                  "choose people by hits instead: \"classification\"");
    }
    const std::vector<bool> failed = data.failed();
    const auto& names = data.labels.column(data.identity_column);
    for (std::size_t row = 0; row < data.size(); ++row) {
      const auto found = std::lower_bound(people.begin(), people.end(), names[row]);
      if (failed[row] || found == people.end() || *found != names[row]) continue;
      from.emplace_back(&data, row);
      features.person.push_back(static_cast<std::uint32_t>(found - people.begin()));
    }
  }
  features.rows = Matrix<float>(from.size(), sets[0].templates.cols());
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::ranges::copy(from[i].first->templates.floats().row(from[i].second), features.rows.row(i).begin());
  }
  return features;
}

std::vector<std::string> names_of(const Dataset& data) {
  const auto& names = data.labels.column(data.identity_column);
  std::set<std::string> people(names.begin(), names.end());
  people.erase("");
  return {people.begin(), people.end()};
}

PeopleOrder looked_order(const Selection& selection, const Choosing& choosing, const std::vector<Recipe>& recipes,
                         Views& views, std::size_t rotation) {
  const std::vector<std::string> people = names_of(views.clear(Role::probe, rotation));
  const OrderDraw draw{views.seed(), rotation};
  std::vector<Dataset> seen;
  for (const Recipe& recipe : recipes) seen.push_back(views.view(recipe, rotation));
  if (selection.goes_by() == ChosenBy::hits) {
    if (seen.size() == 1) {
      return order_by_hits(cross_validated_hits(seen[0], people, choosing.recogniser, views.seed()), draw);
    }
    HitCount count(people);
    count.add(seen[0], seen[1], choosing.recogniser, views.seed());
    return order_by_hits(count.rates(), draw);
  }
  const GatheredFeatures features = gathered(seen, people, selection.by);
  const PeopleFeatures given{features.rows.view(), features.person, people.size()};
  return selection.goes_by() == ChosenBy::spread ? order_from_center(given, draw) : order_by_distinction(given, draw);
}

}  // namespace

std::vector<double> cross_validated_hits(const Dataset& samples, const std::vector<std::string>& people,
                                         const std::string& recogniser, std::uint64_t seed) {
  const std::vector<bool> failed = samples.failed();
  const auto& names = samples.labels.column(samples.identity_column);
  std::map<std::string, std::vector<std::size_t>> rows_of;
  for (std::size_t row = 0; row < samples.size(); ++row) {
    if (!failed[row] && !names[row].empty()) rows_of[names[row]].push_back(row);
  }
  std::vector<std::size_t> fold(samples.size(), choosing_folds);  // never asked about
  std::uint64_t number = 0;
  for (auto& [name, rows] : rows_of) {
    Stream stream(seed, "folds to choose people in", number++);
    if (rows.size() < 2) continue;
    stream.shuffle(std::span(rows));
    const std::size_t first = stream.below(choosing_folds);
    for (std::size_t i = 0; i < rows.size(); ++i) fold[rows[i]] = (first + i) % choosing_folds;
  }
  HitCount count(people);
  for (std::size_t f = 0; f < choosing_folds; ++f) {
    std::vector<std::size_t> learned, asked;
    for (std::size_t row = 0; row < samples.size(); ++row) (fold[row] == f ? asked : learned).push_back(row);
    if (!asked.empty()) count.add(samples.select(learned), samples.select(asked), recogniser, seed);
  }
  return count.rates();
}

std::vector<Recipe> looked_at(const Selection& selection, const Choosing& choosing, const Setting& setting,
                              const std::string& technique) {
  if (!selection.looks()) return {};
  const Form form = selection.selected_on == SelectedOn::clear || !masks(technique) ? Form{} : Form{technique};
  const Representation seen{recogniser_representations(setting, choosing.recogniser).front()};
  std::vector<Recipe> recipes = {{Role::enrol, form, seen}};
  if (selection.selected_on == SelectedOn::test) recipes.push_back({Role::probe, form, seen});
  return recipes;
}

std::vector<PeopleOrder> people_orders(const Selection& selection, const Choosing& choosing, const Setting& setting,
                                       const std::string& technique, Views& everybody) {
  std::vector<PeopleOrder> orders;
  const bool repeated = everybody.arrangement().repeated;
  if (selection.goes_by() == ChosenBy::labels) {
    for (std::size_t r = 0; r < everybody.rotations(); ++r) {
      const Dataset all = everybody.clear(Role::whole, r);
      const Role attacked = everybody.arrangement().has(Role::probe) ? Role::probe : Role::whole;
      const Matrix<double> places = metadata_places(all, names_of(everybody.clear(attacked, r)), choosing.metadata);
      orders.push_back(order_from_center(places.view(), {everybody.seed(), repeated ? r : 0}));
    }
    return orders;
  }
  BAUTA_ASSERT(everybody.arrangement().has(Role::enrol));
  const std::vector<Recipe> recipes = looked_at(selection, choosing, setting, technique);
  const Json key = {{"people in order", selection.by},
                    {"on", to_text(selection.selected_on)},
                    {"recogniser", choosing.recogniser},
                    {"folds", choosing_folds}};
  const Json found = everybody.remember(key, recipes, [&] {
    Json all = Json::array();
    for (std::size_t r = 0; r < everybody.rotations(); ++r) {
      all.push_back(looked_order(selection, choosing, recipes, everybody, r));
    }
    return all;
  });
  return found.get<std::vector<PeopleOrder>>();
}

}  // namespace bauta
