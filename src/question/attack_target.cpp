#include "attack_target.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/measure/intervals.hpp"

namespace bauta {

AttackTarget attack_target(const Dataset& target, const std::string& attribute, const std::vector<std::string>& classes,
                           const std::vector<bool>& left_out) {
  AttackTarget result;
  const auto& values = target.labels.column(attribute);
  const std::vector<bool> failed = target.failed();
  const bool named = !target.identity_column.empty();
  const Categorical identity = named ? target.labels.categorical(target.identity_column) : Categorical{};
  std::set<std::uint32_t> seen;
  for (std::size_t row = 0; row < target.size(); ++row) {
    if (left_out.empty() ? failed[row] : left_out[row]) {
      ++result.failures;
      continue;
    }
    const auto found = std::find(classes.begin(), classes.end(), values[row]);
    if (found == classes.end()) {
      ++result.unlabelled;
      continue;
    }
    const bool has_identity = named && identity.codes[row] >= 0;
    const auto subject = static_cast<std::uint32_t>(has_identity ? static_cast<std::size_t>(identity.codes[row])
                                                                 : identity.classes.size() + row);
    if (!failed[row]) result.present.push_back(result.rows.size());
    result.rows.push_back(row);
    result.truth.push_back(static_cast<std::int32_t>(found - classes.begin()));
    result.subjects.push_back(subject);
    seen.insert(subject);
  }
  result.identities = seen.size();
  result.lost = result.rows.size() - result.present.size();
  return result;
}

void TaughtClasses::add(const Dataset& train) {
  ++rotations_;
  for (const std::string& name : train.labels.categorical(attribute_).classes) ++rotations_of_[name];
}

std::vector<std::string> TaughtClasses::names() const {
  std::vector<std::string> names;
  for (const auto& [name, rotations] : rotations_of_) names.push_back(name);
  return names;
}

std::vector<std::string> TaughtClasses::remarks() const {
  std::vector<std::string> remarks;
  for (const auto& [name, rotations] : rotations_of_) {
    if (rotations == rotations_) continue;
    remarks.push_back(
        fmt::format("in {} of {} rotations there is nobody to learn '{}' of '{}' from: it is never guessed there",
                    rotations_ - rotations, rotations_, name, attribute_));
  }
  return remarks;
}

std::vector<std::int32_t> codes_among(const std::vector<std::string>& own, const std::vector<std::string>& all) {
  std::vector<std::int32_t> codes;
  for (const std::string& name : own) {
    const auto found = std::ranges::find(all, name);
    BAUTA_ASSERT(found != all.end());
    codes.push_back(static_cast<std::int32_t>(found - all.begin()));
  }
  return codes;
}

std::vector<std::size_t> AttackTarget::met() const {
  std::vector<std::size_t> met;
  for (const std::size_t place : present) met.push_back(rows[place]);
  return met;
}

std::string lost_remark(const AttackTarget& target, const std::string& guessed) {
  return fmt::format("{} of {} target samples are lost behind the mask: {}", target.lost, target.truth.size(), guessed);
}

void AttackTarget::append(const AttackTarget& more) {
  truth.insert(truth.end(), more.truth.begin(), more.truth.end());
  subjects.insert(subjects.end(), more.subjects.begin(), more.subjects.end());
  people.insert(people.end(), more.people.begin(), more.people.end());
  failures += more.failures;
  unlabelled += more.unlabelled;
  lost += more.lost;
}

void require_two_classes(const AttackTarget& target, const std::string& attribute) {
  if (std::ranges::any_of(target.truth, [&](std::int32_t one) { return one != target.truth.front(); })) return;
  throw_input("'" + attribute + "'", "all that is attacked is of one class", "there is nothing to guess");
}

std::string unlabelled_remark(const AttackTarget& target, const std::string& attribute) {
  return fmt::format("{} target samples without a class of '{}' that the attacker knows are left out",
                     target.unlabelled, attribute);
}

void SubjectNumbers::renumber(AttackTarget& target, const Dataset& data) {
  const bool named = !data.identity_column.empty();
  const auto person = [&](const std::string& name) {
    const auto [place, fresh] = people_.try_emplace(name, static_cast<std::uint32_t>(people_.size()));
    if (fresh) names_.push_back(name);
    return place->second;
  };
  // As verification numbers them: sorted by name, part by part.
  if (named) {
    for (const auto& name : data.labels.categorical(data.identity_column).classes) (void)person(name);
  }
  target.people.clear();
  for (std::size_t i = 0; i < target.rows.size(); ++i) {
    std::string name = named ? data.labels.column(data.identity_column)[target.rows[i]] : std::string();
    if (name.empty()) name = "\n" + std::to_string(data_sets_) + " " + std::to_string(target.rows[i]);
    target.people.push_back(person(name));
    target.subjects[i] =
        numbers_.try_emplace(std::move(name), static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  ++data_sets_;
}

Json guess_quality(std::span<const std::int32_t> predicted, const AttackTarget& target,
                   const std::vector<std::string>& classes, bool with_interval) {
  const ClassificationResult measured = classify_result(predicted, target.truth, classes.size());
  Json recall = Json::object();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    recall[classes[c]] = measured.recall[c] ? Json(*measured.recall[c]) : Json(nullptr);
  }
  Json quality = {
      {"success", measured.accuracy}, {"balanced", measured.balanced}, {"ci", nullptr}, {"per_class", recall}};
  if (with_interval) {
    const Interval interval = balanced_accuracy_interval(predicted, target.truth, classes.size(), target.subjects);
    quality["ci"] = {interval.low, interval.high};
  }
  return quality;
}

std::vector<Finding> attribute_findings(std::span<const Predictions> predicted, const AttackTarget& target,
                                        const SubjectNumbers& subjects, std::size_t classes, const Drawing& drawing) {
  const SubjectTallies tallies(predicted, target.truth, classes, target.subjects);
  const std::vector<double> balanced = tallies.balanced();
  const std::vector<Interval> intervals = tallies.intervals();
  const std::string people = drawn_over(subjects.people(), drawing.seed);
  std::vector<Finding> findings(predicted.size());
  for (std::size_t j = 0; j < predicted.size(); ++j) {
    Finding& finding = findings[j];
    finding.measure = "balanced accuracy";
    finding.unit = "rate";
    finding.value = balanced[j];
    finding.chance = tallies.chance();
    finding.counts = {{"samples", target.truth.size()}, {"identities", subjects.count()}};
    if (drawing.draws == 0) continue;
    finding.ci = intervals[j];
    finding.draws = drawn_balanced_accuracy(predicted[j], target.truth, classes, target.people,
                                            {drawing.draws, drawing.seed, subjects.people().size()});
    finding.drawn_over = people;
  }
  return findings;
}

}  // namespace bauta
