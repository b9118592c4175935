#include "released_labels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/label_files.hpp"
#include "bauta/question/attribute_classes.hpp"

namespace bauta {

namespace {

constexpr const char* other = "other";
constexpr std::size_t bands_tried[] = {8, 4, 2};

/// Records by the values that they share, and the people whom each set of values belongs to.
class Combinations {
 public:
  Combinations(const LabelTable& labels, const std::vector<std::string>& columns,
               const std::vector<std::size_t>& people) {
    std::vector<const std::vector<std::string>*> values;
    for (const std::string& name : columns) values.push_back(&labels.column(name));
    std::map<std::vector<std::string>, std::size_t> places;
    for (std::size_t row = 0; row < labels.rows(); ++row) {
      std::vector<std::string> combination;
      for (const auto* column : values) combination.push_back((*column)[row]);
      const std::size_t place = places.try_emplace(std::move(combination), places.size()).first->second;
      people_.resize(places.size());
      people_[place].insert(people[row]);
      of_row_.push_back(place);
    }
  }

  [[nodiscard]] std::size_t count() const { return people_.size(); }
  [[nodiscard]] std::size_t people_with(std::size_t row) const { return people_[of_row_[row]].size(); }
  [[nodiscard]] std::size_t smallest() const {
    std::size_t least = people_.empty() ? 0 : people_.front().size();
    for (const auto& own : people_) least = std::min(least, own.size());
    return least;
  }
  /// Combinations of fewer than `k` people, and these people.
  [[nodiscard]] std::size_t rare(std::size_t k) const {
    return static_cast<std::size_t>(
        std::count_if(people_.begin(), people_.end(), [&](const auto& own) { return own.size() < k; }));
  }
  [[nodiscard]] std::size_t people_below(std::size_t k) const {
    std::set<std::size_t> all;
    for (const auto& own : people_) {
      if (own.size() < k) all.insert(own.begin(), own.end());
    }
    return all.size();
  }

 private:
  std::vector<std::size_t> of_row_;
  std::vector<std::set<std::size_t>> people_;
};

bool holds_numbers(const LabelTable& labels, const std::string& name) {
  try {
    (void)labels.numbers(name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Edges between bands of about as many people, no finer than a band needs.
std::vector<double> band_edges(const LabelTable& labels, const std::string& name,
                               const std::vector<std::size_t>& people, std::size_t bands) {
  std::set<std::pair<double, std::size_t>> known;  // a person counts once with each value
  const std::vector<double> numbers = labels.numbers(name);
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (!std::isnan(numbers[row])) known.emplace(numbers[row], people[row]);
  }
  if (known.empty()) return {};
  const std::vector<std::pair<double, std::size_t>> sorted(known.begin(), known.end());
  const double low = sorted.front().first, high = sorted.back().first;
  if (low == high) return {};
  // The middle three quarters say how round edges may be: for the sake of an outlier all others would be in one band.
  const std::size_t eighth = sorted.size() / 8;
  const double middle = (sorted[sorted.size() - 1 - eighth].first - sorted[eighth].first) / 0.75;
  const double spread = middle > 0 ? std::min(middle, high - low) : high - low;
  const double unit = std::pow(10, std::floor(std::log10(spread / static_cast<double>(bands))));
  std::vector<double> edges;
  for (std::size_t i = 1; i < bands; ++i) {
    const double edge = std::round(sorted[i * sorted.size() / bands].first / unit) * unit;
    if (edge > low && edge <= high && (edges.empty() || edge > edges.back())) edges.push_back(edge);
  }
  return edges;
}

/// Numbers that are rare become bands; rare classes become one.
LabelTable generalised(const LabelTable& labels, const std::vector<std::string>& columns,
                       const std::vector<std::size_t>& people, std::size_t bands, std::size_t k) {
  Dataset data;
  data.labels = labels;
  for (const std::string& name : columns) {
    const Combinations values(labels, {name}, people);
    if (values.rare(k) == 0) continue;
    if (holds_numbers(labels, name)) {
      const std::vector<double> edges = band_edges(labels, name, people, bands);
      if (!edges.empty()) {
        data = with_classes(std::move(data), {.attribute = name, .continuous = true, .edges = edges});
        continue;
      }
    }
    std::vector<std::string> column = labels.column(name);
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (values.people_with(row) < k && !column[row].empty()) column[row] = other;
    }
    data.labels.replace_column(name, std::move(column));
  }
  return data.labels;
}

/// The finest bands that leave nothing rare or, where none do, those that leave least.
LabelTable best_generalised(const LabelTable& labels, const std::vector<std::string>& columns,
                            const std::vector<std::size_t>& people, std::size_t k) {
  LabelTable best;
  std::size_t least = labels.rows() + 1;
  for (const std::size_t bands : bands_tried) {
    LabelTable made = generalised(labels, columns, people, bands, k);
    const std::size_t left = Combinations(made, columns, people).people_below(k);
    if (left >= least) continue;
    least = left;
    best = std::move(made);
    if (left == 0) break;
  }
  return best;
}

/// Without all values of records whose combination is rare; `suppressed` counts them.
LabelTable suppressed_values(LabelTable labels, const std::vector<std::string>& columns,
                             const std::vector<std::size_t>& people, std::size_t k, std::size_t& suppressed) {
  const Combinations combinations(labels, columns, people);
  for (const std::string& name : columns) {
    std::vector<std::string> column = labels.column(name);
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (combinations.people_with(row) < k) column[row].clear();
    }
    labels.replace_column(name, std::move(column));
  }
  for (std::size_t row = 0; row < labels.rows(); ++row) suppressed += combinations.people_with(row) < k;
  return labels;
}

std::size_t changed_values(const LabelTable& before, const LabelTable& after, const std::vector<std::string>& columns) {
  std::size_t changed = 0;
  for (const std::string& name : columns) {
    for (std::size_t row = 0; row < before.rows(); ++row) {
      changed += before.column(name)[row] != after.column(name)[row];
    }
  }
  return changed;
}

/// Whom each row of a column names, as a number; those that name nobody have the next one.
struct Named {
  std::vector<std::size_t> who;
  std::size_t people = 0;
};

/// One person may be written in several ways: who counts spellings finds too many people.
Named named_people(const LabelTable& labels, const std::string& column) {
  std::unordered_map<std::string, std::size_t> numbers;
  Named named;
  const std::vector<std::string>& names = labels.column(column);
  for (const std::string& name : names) {
    const std::string folded = folded_text(name);
    named.who.push_back(folded.empty() ? names.size() : numbers.try_emplace(folded, numbers.size()).first->second);
  }
  named.people = numbers.size();
  std::ranges::replace(named.who, names.size(), named.people);
  return named;
}

/// Who says how many people there are must not be contradicted by a column that names fewer.
void require_so_many_people(const LabelTable& labels, std::size_t counted, const std::string& identity) {
  for (const std::string& name : labels.names()) {
    if (!names_identities(name)) continue;
    const std::size_t people = named_people(labels, name).people;
    if (people >= counted) continue;
    throw_usage("--identity " + identity,
                fmt::format("column '{}' names {} people in {} samples", name, people, labels.rows()),
                fmt::format("--identity {} counts them; or remove the column", name));
  }
}

/// Whose each record is. Those that name nobody may all be one person's.
std::vector<std::size_t> people_of(const Dataset& dataset, const std::vector<std::size_t>& rows, bool one_sample_each) {
  if (dataset.identity_column.empty()) {
    if (one_sample_each) {
      require_so_many_people(dataset.labels, dataset.size(), "none");
      return rows;
    }
    throw_usage(dataset.origin, "no column names people, so that nobody can count how many share a label",
                "name it: --identity COLUMN; or say that every sample is another person's: --identity none");
  }
  const Named named = named_people(dataset.labels, dataset.identity_column);
  require_so_many_people(dataset.labels, named.people, dataset.identity_column);
  std::vector<std::size_t> people;
  for (const std::size_t row : rows) people.push_back(named.who[row]);
  return people;
}

[[noreturn]] void refuse(const LabelTable& labels, const std::vector<std::string>& columns,
                         const std::vector<std::size_t>& people, std::size_t k) {
  const Combinations all(labels, columns, people);
  std::string alone;
  for (const std::string& name : columns) {
    const Combinations values(labels, {name}, people);
    if (const std::size_t rare = values.rare(k); rare > 0) {
      alone += fmt::format("{}{} of {} values of '{}'", alone.empty() ? "; alone: " : ", ", rare, values.count(), name);
    }
  }
  throw_usage(fmt::format("kept labels '{}'", fmt::join(columns, "', '")),
              fmt::format("{} of {} combinations of their values belong to fewer than {} people each, {} people in "
                          "all{}: whoever knows these labels of somebody would find them",
                          all.rare(k), all.count(), k, all.people_below(k), alone),
              "keep less, or let rare values be changed: --rare generalise, --rare suppress");
}

}  // namespace

ReleasedLabels released_labels(const Dataset& dataset, const std::vector<std::string>& columns,
                               const std::vector<std::size_t>& rows, const ReleaseRule& rule) {
  LabelTable kept(dataset.labels.origin(), rows.size());
  for (const std::string& name : columns) {
    const std::vector<std::string>& column = dataset.labels.column(name);
    std::vector<std::string> values;
    for (const std::size_t row : rows) values.push_back(column[row]);
    kept.add_column(name, std::move(values));
  }
  if (columns.empty()) return {std::move(kept), rows, {.k = rule.k}};
  const std::vector<std::size_t> people = people_of(dataset, rows, rule.one_sample_each);

  const Combinations before(kept, columns, people);
  LabelRisk risk{.k = rule.k, .rare_combinations = before.rare(rule.k), .rare_people = before.people_below(rule.k)};
  if (risk.rare_combinations > 0 && rule.rare == Rare::refuse) refuse(kept, columns, people, rule.k);
  LabelTable values = kept;
  if (risk.rare_combinations > 0) {
    if (rule.rare == Rare::generalise) values = best_generalised(kept, columns, people, rule.k);
    risk.generalised = changed_values(kept, values, columns);
    values = suppressed_values(std::move(values), columns, people, rule.k, risk.suppressed);
  }
  // Those who are left without labels may be few, too.
  const Combinations blank(values, columns, people);
  std::vector<std::size_t> stay, released, whose;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (blank.people_with(i) < rule.k) continue;
    stay.push_back(i);
    released.push_back(rows[i]);
    whose.push_back(people[i]);
  }
  risk.left_out = rows.size() - stay.size();
  risk.suppressed -= risk.left_out;  // nothing else is rare by now
  values = values.select(stay);
  const Combinations after(values, columns, whose);
  risk.combinations = after.count();
  risk.smallest = after.smallest();
  return {std::move(values), std::move(released), risk};
}

}  // namespace bauta
