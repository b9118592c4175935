#include "bauta/protocol/subject_folds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/protocol/subjects.hpp"

namespace bauta {

namespace {

constexpr std::size_t most_ranges = 5;  // of a continuous attribute

/// The classes that folds are alike in.
struct Strata {
  std::vector<std::string> names;
  std::vector<std::int32_t> of_row;       // -1: the attribute is missing
  std::vector<std::int32_t> of_subject;   // -1: no row of it counts
  std::size_t mixed = 0;                  // subjects whose rows differ in class
  std::vector<std::size_t> holders = {};  // subjects with a row of each class
};

double median(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Ranges with as many subjects each as ties allow; a subject's value is the median of its rows.
Strata ranges(const Dataset& dataset, const std::string& attribute, const Subjects& subjects,
              const std::vector<bool>& counts, std::size_t k) {
  const std::vector<double> values = dataset.labels.numbers(attribute);
  std::vector<std::vector<double>> of_subject(subjects.count);
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (counts[row] && !std::isnan(values[row])) of_subject[subjects.of_row[row]].push_back(values[row]);
  }
  std::vector<double> medians;
  for (auto& own : of_subject) {
    if (!own.empty()) medians.push_back(median(own));
  }
  std::vector<double> sorted = medians;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> edges;
  const std::size_t wanted = std::min(sorted.size() / k, most_ranges);
  for (std::size_t i = 1; i < wanted; ++i) {
    const double edge = sorted[i * sorted.size() / wanted];
    if (edge > sorted.front() && (edges.empty() || edge > edges.back())) edges.push_back(edge);
  }
  const auto range_of = [&](double value) {
    return static_cast<std::int32_t>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
  };
  Strata strata;
  for (std::size_t i = 0; i <= edges.size(); ++i) {
    if (edges.empty()) {
      strata.names.emplace_back("all");
    } else if (i == 0) {
      strata.names.push_back(fmt::format("below {}", edges[0]));
    } else if (i == edges.size()) {
      strata.names.push_back(fmt::format("from {}", edges[i - 1]));
    } else {
      strata.names.push_back(fmt::format("{} to below {}", edges[i - 1], edges[i]));
    }
  }
  for (const double value : values) strata.of_row.push_back(std::isnan(value) ? -1 : range_of(value));
  auto next = medians.begin();
  for (const auto& own : of_subject) strata.of_subject.push_back(own.empty() ? -1 : range_of(*next++));
  return strata;
}

/// A subject's class is that of most of its rows; of two equally frequent ones, the first.
Strata classes(const Dataset& dataset, const std::string& attribute, const Subjects& subjects,
               const std::vector<bool>& counts) {
  const Categorical values = dataset.labels.categorical(attribute);
  std::vector<std::map<std::int32_t, std::size_t>> of_subject(subjects.count);
  for (std::size_t row = 0; row < values.codes.size(); ++row) {
    if (counts[row] && values.codes[row] >= 0) ++of_subject[subjects.of_row[row]][values.codes[row]];
  }
  Strata strata{values.classes, values.codes, {}, 0, std::vector<std::size_t>(values.classes.size())};
  for (const auto& own : of_subject) {
    const auto most =
        std::max_element(own.begin(), own.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    strata.of_subject.push_back(most == own.end() ? -1 : most->first);
    strata.mixed += own.size() > 1;
    for (const auto& [code, rows] : own) ++strata.holders[static_cast<std::size_t>(code)];
  }
  return strata;
}

Strata strata_of(const Dataset& dataset, const std::string& attribute, const Subjects& subjects,
                 const std::vector<bool>& counts, std::size_t k) {
  return dataset.labels.kind(attribute) == ColumnKind::continuous ? ranges(dataset, attribute, subjects, counts, k)
                                                                  : classes(dataset, attribute, subjects, counts);
}

void require_enough(const Dataset& dataset, const std::string& attribute, const Strata& strata, std::size_t k) {
  const std::string where = dataset.origin;
  if (dataset.labels.kind(attribute) == ColumnKind::continuous) {
    const auto all = static_cast<std::size_t>(std::count_if(strata.of_subject.begin(), strata.of_subject.end(),
                                                            [](std::int32_t stratum) { return stratum >= 0; }));
    if (all < k) throw_input(where, fmt::format("{} subjects have '{}', too few for {} folds", all, attribute, k));
    return;
  }
  const std::vector<std::size_t>& members = strata.holders;
  std::size_t present = 0;
  for (std::size_t c = 0; c < members.size(); ++c) {
    present += members[c] > 0;
    if (members[c] > 0 && members[c] < k) {
      throw_input(
          where,
          fmt::format("only {} subjects have {} '{}', too few for {} folds", members[c], attribute, strata.names[c], k),
          "use fewer folds, or leave out the samples of that class");
    }
  }
  if (present < 2) {
    throw_input(where, fmt::format("attribute '{}' has {} class(es), at least 2 are needed", attribute, present));
  }
}

/// What a fold has, of one class or of all.
struct Dealt {
  std::size_t subjects = 0, samples = 0;

  void add(std::size_t more) {
    ++subjects;
    samples += more;
  }
  /// Shares of all subjects and of all samples, added; times a number that is the same for all folds.
  [[nodiscard]] std::size_t load(const Dealt& all) const { return subjects * all.samples + samples * all.subjects; }
};

/// `members`: the subjects of a class, in the order of their numbers; `dealt`: to each fold so far, of all classes.
void deal(std::vector<std::size_t> members, const std::vector<std::size_t>& samples_of, Stream stream,
          std::vector<Dealt>& dealt, std::vector<std::int32_t>& fold_of) {
  stream.shuffle(std::span(members));
  std::stable_sort(members.begin(), members.end(),
                   [&](std::size_t a, std::size_t b) { return samples_of[a] > samples_of[b]; });
  const std::size_t k = dealt.size();
  const std::vector<std::size_t> luck = stream.permutation(k);
  Dealt all;
  for (const std::size_t subject : members) all.add(samples_of[subject]);
  std::vector<Dealt> own(k);
  for (const std::size_t subject : members) {
    std::size_t taker = 0;
    const auto need = [&](std::size_t fold) {  // the smallest needs it most
      return std::tuple(own[fold].load(all), dealt[fold].load(all), luck[fold]);
    };
    for (std::size_t fold = 1; fold < k; ++fold) {
      if (need(fold) < need(taker)) taker = fold;
    }
    fold_of[subject] = static_cast<std::int32_t>(taker);
    own[taker].add(samples_of[subject]);
    dealt[taker].add(samples_of[subject]);
  }
}

}  // namespace

std::vector<std::size_t> Folds::rows(std::size_t first, std::size_t n) const {
  std::vector<std::size_t> chosen;
  for (std::size_t row = 0; row < of_row.size(); ++row) {
    if (of_row[row] >= 0 && (static_cast<std::size_t>(of_row[row]) + count - first % count) % count < n) {
      chosen.push_back(row);
    }
  }
  return chosen;
}

Folds subject_folds(const Dataset& dataset, const std::string& attribute, std::size_t k, std::uint64_t seed,
                    const std::vector<bool>& within) {
  BAUTA_ASSERT(k >= 2 && (within.empty() || within.size() == dataset.size()));
  const Subjects subjects = subjects_of(dataset);
  const std::vector<bool> ambiguous = under_two_names(dataset, subjects);
  std::vector<bool> counts(dataset.size());
  std::size_t copies = 0;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    const bool meant = within.empty() || within[row];
    counts[row] = meant && !ambiguous[row];
    copies += meant && ambiguous[row];
  }
  const Strata strata = strata_of(dataset, attribute, subjects, counts, k);
  require_enough(dataset, attribute, strata, k);

  std::vector<std::size_t> samples_of(subjects.count);
  std::size_t missing = 0;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    missing += counts[row] && strata.of_row[row] < 0;
    samples_of[subjects.of_row[row]] += counts[row] && strata.of_row[row] >= 0;
  }
  std::vector<std::vector<std::size_t>> members(strata.names.size());
  for (std::size_t s = 0; s < subjects.count; ++s) {
    if (strata.of_subject[s] >= 0) members[static_cast<std::size_t>(strata.of_subject[s])].push_back(s);
  }
  std::vector<Dealt> dealt(k);
  std::vector<std::int32_t> fold_of(subjects.count, -1);
  for (std::size_t c = 0; c < members.size(); ++c) {
    deal(std::move(members[c]), samples_of, Stream(seed, "folds", c), dealt, fold_of);
  }

  Folds folds{std::vector<std::int32_t>(dataset.size(), -1), k, {}};
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (counts[row] && strata.of_row[row] >= 0) folds.of_row[row] = fold_of[subjects.of_row[row]];
  }
  if (missing > 0) {
    folds.remarks.push_back(fmt::format("{} samples without '{}' are left out of all folds", missing, attribute));
  }
  if (copies > 0) {
    folds.remarks.push_back(
        fmt::format("{} samples stand byte-identical under two names and are left out of all folds", copies));
  }
  if (strata.mixed > 0) {
    folds.remarks.push_back(
        fmt::format("'{}' differs between samples of {} subjects; the most frequent value counts "
                    "where subjects are dealt out",
                    attribute, strata.mixed));
  }
  return folds;
}

std::vector<FoldBalance> fold_balance(const Dataset& dataset, const Folds& folds, const std::string& attribute) {
  BAUTA_ASSERT(folds.of_row.size() == dataset.size());
  const Subjects subjects = subjects_of(dataset);
  std::vector<bool> counts;
  for (const std::int32_t fold : folds.of_row) counts.push_back(fold >= 0);
  const Strata strata = strata_of(dataset, attribute, subjects, counts, folds.count);
  std::vector<FoldBalance> balance(folds.count);
  std::vector<bool> seen(subjects.count);
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (!counts[row]) continue;
    FoldBalance& fold = balance[static_cast<std::size_t>(folds.of_row[row])];
    ++fold.samples;
    ++fold.classes[strata.names[static_cast<std::size_t>(strata.of_row[row])]];
    fold.identities += !seen[subjects.of_row[row]];
    seen[subjects.of_row[row]] = true;
  }
  return balance;
}

}  // namespace bauta
