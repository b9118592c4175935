#include "bauta/question/comparing.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/row_finder.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/question/protecting.hpp"

namespace bauta {

namespace {

ComparatorChoice declared_comparator(const Dataset& dataset, const std::string& asked) {
  const std::string own = dataset.provenance ? dataset.provenance->comparator : std::string();
  if (!asked.empty()) {
    if (own.empty() || own == asked) return {asked, {}};
    return {asked, {fmt::format("compared with {} as asked, not with the protection's own comparator {}", asked, own)}};
  }
  if (!own.empty())
    return {own, {fmt::format("compared with {}, which {} declares", own, dataset.provenance->technique)}};
  return {dataset.templates.kind() == ElementKind::bits ? "hamming" : "cosine", {}};
}

/// Cosines are held in 32 bits, of which templates that all point the same way leave few.
std::vector<std::string> direction_remarks(const Dataset& dataset) {
  if (dataset.templates.kind() != ElementKind::float32 || dataset.size() < 2) return {};
  const auto rows = dataset.templates.floats();
  const std::vector<bool> failed = dataset.failed();
  std::vector<double> mean(rows.cols, 0);
  double count = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    double square = 0;
    for (const float value : rows.row(i)) square += double{value} * value;
    if (failed[i] || square == 0) continue;
    ++count;
    for (std::size_t j = 0; j < rows.cols; ++j) mean[j] += rows(i, j) / std::sqrt(square);
  }
  double square = 0;
  for (const double value : mean) square += value / count * value / count;
  const double spread = 1 - square;  // how much cosines fall short of 1 on average
  if (count < 2 || spread > 1e-4 || spread < 1e-12) return {};
  return {fmt::format(
      "the templates point nearly the same way: their cosines are {:.2g} below 1 on average, and are held "
      "to 6e-8, so that error rates are not to be trusted; subtract the mean template before, or take --comparator "
      "euclidean",
      spread)};
}

}  // namespace

ComparatorChoice choose_comparator(const Dataset& dataset, const std::string& asked) {
  ComparatorChoice choice = declared_comparator(dataset, asked);
  if (choice.specification == "cosine") {
    for (std::string& remark : direction_remarks(dataset)) choice.remarks.push_back(std::move(remark));
  }
  return choice;
}

std::string difference_in_kind(const Templates& a, const Templates& b) {
  if (a.kind() == b.kind() && a.cols() == b.cols()) return {};
  return fmt::format("{} {} per template against {} {}", a.cols(), to_text(a.kind()), b.cols(), to_text(b.kind()));
}

FormsDiffer::FormsDiffer(const std::string& between, const std::string& difference)
    : NothingToAnswer(Fault::input, between,
                      difference + ": no comparator takes both, and who learned from one kind cannot read the other",
                      "compare samples that are protected alike, or leave this adversary out for this technique") {}

void require_one_form(const Dataset& a, const Templates& b, const std::string& origin_of_b) {
  const std::string difference = difference_in_kind(a.templates, b);
  if (!difference.empty()) throw FormsDiffer(a.origin + " and " + origin_of_b, difference);
}

void require_comparable(const Dataset& a, const Dataset& b) {
  const std::string both = a.origin + " and " + b.origin;
  if (const std::string difference = difference_in_kind(a.templates, b.templates); !difference.empty()) {
    throw_input(both, difference, "both must come from the same extractor");
  }
  // What only knows how it was extracted is not protected either.
  const auto technique = [](const Dataset& dataset) -> std::string {
    return dataset.provenance && !dataset.provenance->technique.empty() ? dataset.provenance->technique : baseline();
  };
  const std::string technique_a = technique(a);
  const std::string technique_b = technique(b);
  if (technique_a != technique_b) {
    throw_input(both, fmt::format("protected with {} against {}", technique_a, technique_b),
                "protect both alike; the attacker of this attack knows the technique");
  }
  const auto property = [](const Dataset& dataset, const char* name) -> std::string {
    if (!dataset.provenance) return {};
    const auto found = dataset.provenance->properties.find(name);
    return found == dataset.provenance->properties.end() ? std::string() : found->second;
  };
  const std::string extractor_a = property(a, "extractor");
  const std::string extractor_b = property(b, "extractor");
  if (!extractor_a.empty() && !extractor_b.empty()) {
    if (extractor_a != extractor_b) {
      throw_input(both, fmt::format("extracted with {} against {}", extractor_a, extractor_b),
                  "extract both alike; their features mean different things");
    }
    if (property(a, "extractor_model") != property(b, "extractor_model")) {
      throw_input(both, fmt::format("extracted with {}, but fitted differently", extractor_a),
                  "extract both with the same --fit");
    }
  }
  if (property(a, "model") != property(b, "model")) {
    throw_input(both, fmt::format("protected with {}, but fitted differently", technique_a),
                "fit once with --save, and protect both with --load");
  }
}

void require_attackable(const Dataset& learned, const Dataset& met, bool same_mask) {
  if (same_mask) return require_comparable(learned, met);
  require_one_form(learned, met.templates, met.origin);
}

namespace {

/// Classes of samples that did not fail: nobody learns anything from the others.
std::vector<std::string> classes_present(const Dataset& dataset, const std::string& attribute) {
  const Categorical column = dataset.labels.categorical(attribute);
  const std::vector<bool> failed = dataset.failed();
  std::set<std::int32_t> codes;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (!failed[row] && column.codes[row] >= 0) codes.insert(column.codes[row]);
  }
  std::vector<std::string> names;
  for (const std::int32_t code : codes) names.push_back(column.classes[static_cast<std::size_t>(code)]);
  return names;
}

}  // namespace

void require_attribute(const Dataset& attacker, const Dataset& target, const std::string& attribute,
                       std::size_t rotations) {
  for (const Dataset* dataset : {&attacker, &target}) {
    if (dataset->labels.kind(attribute) == ColumnKind::continuous) {
      throw_usage(dataset->labels.origin(), fmt::format("'{}' is continuous, attacks guess classes", attribute),
                  "add a column with groups of it, e.g. age_group");
    }
  }
  const std::vector<std::string> ours = classes_present(attacker, attribute);
  const std::vector<std::string> theirs = classes_present(target, attribute);
  const std::set<std::string> known(ours.begin(), ours.end());
  const auto shared =
      std::count_if(theirs.begin(), theirs.end(), [&](const auto& name) { return known.contains(name); });
  if (known.size() < 2 || shared < (rotations > 1 ? 1 : 2)) {
    throw_input(attacker.origin + " and " + target.origin,
                fmt::format("share {} class(es) of '{}': [{}] against [{}]", shared, attribute, fmt::join(ours, ", "),
                            fmt::join(theirs, ", ")),
                "both must write the classes alike, and hold samples of two at least that did not fail");
  }
}

const char* name_of_samples(const Dataset& own, const Dataset& others) {
  const auto unique = [](const Dataset& data, const char* name) {
    if (!data.labels.has(name)) return false;
    const auto& column = data.labels.column(name);
    return std::set<std::string>(column.begin(), column.end()).size() == data.size();
  };
  for (const char* const name : {"id", "file"}) {
    if (unique(own, name) && unique(others, name)) return name;
  }
  return nullptr;
}

std::string unnamed_samples(const Dataset& own, const Dataset& others) {
  if (name_of_samples(own, others) != nullptr) return {};
  const auto& people = own.labels.column(own.identity_column);
  const std::set<std::string> known(people.begin(), people.end());
  const auto& asked = others.labels.column(others.identity_column);
  if (std::none_of(asked.begin(), asked.end(),
                   [&](const auto& name) { return !name.empty() && known.contains(name); })) {
    return {};
  }
  return fmt::format(
      "{} and {} do not name their samples (columns 'id' or 'file'): if one was made of the other, samples "
      "are compared with themselves, unseen; --other-samples says that they are others",
      own.origin, others.origin);
}

std::vector<std::size_t> rows_of_same_samples(const Dataset& own, const Dataset& others) {
  if (const char* const name = name_of_samples(own, others)) {
    std::map<std::string, std::size_t> row_of;
    for (std::size_t row = 0; row < others.size(); ++row) row_of.emplace(others.labels.column(name)[row], row);
    std::vector<std::size_t> rows;
    for (const auto& sample : own.labels.column(name)) {
      const auto found = row_of.find(sample);
      if (found != row_of.end()) rows.push_back(found->second);
    }
    if (!rows.empty() && (rows.size() != own.size() || rows.size() != others.size())) {
      throw_input(own.origin + " and " + others.origin,
                  fmt::format("share {} samples of {} and {}, by '{}': these would be compared with themselves",
                              rows.size(), own.size(), others.size(), name),
                  "give the same samples on both sides, or none in common; --other-samples compares them all");
    }
    return rows;
  }
  if (own.labels.column(own.identity_column) != others.labels.column(others.identity_column)) return {};
  std::vector<std::size_t> rows(others.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

void require_other_samples(const Dataset& own, const Dataset& others) {
  if (own.templates.kind() != ElementKind::float32) return;
  const std::vector<bool> failed = others.failed();
  const RowFinder finder(own.templates, own.failed());
  std::size_t copies = 0;
  std::string first;
  for (std::size_t row = 0; row < others.size(); ++row) {
    if (failed[row]) continue;
    const auto found = finder.first_equal(others.templates, row);
    if (found && ++copies == 1) first = fmt::format("rows {} and {}", *found + 1, row + 1);
  }
  if (copies == 0) return;
  throw_input(own.origin + " and " + others.origin,
              fmt::format("{} samples stand in both, the same in every feature (e.g. {}): they would be compared with "
                          "themselves",
                          copies, first),
              "remove them from one of the two");
}

std::vector<std::string> suspected_copies(const Dataset& enrolled, const Dataset& probes) {
  const std::string themselves = "where they are the same sample, it is compared with itself";
  std::vector<std::string> suspected;
  if (const Coincidences found = coincidences(enrolled, probes, false); found.too_many()) {
    suspected.push_back(
        fmt::format("{} of {} probes have the code of an enrolled sample, where chance explains {:.0f}, "
                    "the first: rows {} and {}: {}",
                    found.equal, found.samples, found.expected, found.row_a + 1, found.row_b + 1, themselves));
  }
  const std::vector<NearDuplicate> near = near_duplicates(enrolled, probes);
  if (!near.empty()) {
    suspected.push_back(fmt::format(
        "{} enrolled samples nearly equal a probe (cosine distance below {:g}), the first: rows {} and {}: {}",
        near.size(), near_duplicate_distance, near[0].row_a + 1, near[0].row_b + 1, themselves));
  }
  return suspected;
}

void require_same_samples(const Dataset& clear, const Dataset& hidden) {
  const std::string both = clear.origin + " and " + hidden.origin;
  if (clear.size() != hidden.size()) {
    throw_input(both, fmt::format("hold {} and {} samples, not the same ones", clear.size(), hidden.size()));
  }
  for (const auto& name : clear.labels.names()) {
    if (!hidden.labels.has(name) || clear.labels.column(name) == hidden.labels.column(name)) continue;
    throw_input(both, fmt::format("differ in column '{}': they do not hold the same samples in the same order", name));
  }
}

}  // namespace bauta
