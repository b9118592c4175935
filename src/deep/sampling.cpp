#include "bauta/deep/sampling.hpp"

#include <algorithm>
#include <cmath>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

std::size_t subject_count(std::span<const std::int32_t> subjects) {
  std::int32_t last = -1;
  for (const std::int32_t subject : subjects) {
    BAUTA_ASSERT(subject >= 0);
    last = std::max(last, subject);
  }
  return static_cast<std::size_t>(last) + 1;
}

}  // namespace

std::vector<bool> hold_out_subjects(std::span<const std::int32_t> subjects, double share, Stream stream,
                                    std::span<const std::int32_t> strata) {
  BAUTA_ASSERT(share >= 0 && share < 1 && (strata.empty() || strata.size() == subjects.size()));
  const std::size_t count = subject_count(subjects);
  std::vector<bool> present(count, false);
  std::vector<std::int32_t> stratum(count, -1);
  std::int32_t strata_count = 0;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const auto subject = static_cast<std::size_t>(subjects[i]);
    present[subject] = true;
    if (strata.empty() || strata[i] < 0) continue;
    if (stratum[subject] < 0) stratum[subject] = strata[i];
    strata_count = std::max(strata_count, strata[i] + 1);
  }
  std::vector<bool> held(count, false);
  for (std::int32_t s = -1; s < strata_count; ++s) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < count; ++i) {
      if (present[i] && stratum[i] == s) members.push_back(i);
    }
    stream.shuffle(std::span(members));
    auto taken = static_cast<std::size_t>(std::lround(share * static_cast<double>(members.size())));
    if (share > 0 && members.size() > 1) taken = std::clamp(taken, std::size_t{1}, members.size() - 1);
    for (std::size_t i = 0; i < std::min(taken, members.size()); ++i) held[members[i]] = true;
  }
  std::vector<bool> rows(subjects.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = held[static_cast<std::size_t>(subjects[i])];
  return rows;
}

CyclingLists::CyclingLists(std::vector<std::vector<std::int64_t>> lists) : lists_(std::move(lists)) {
  for (const auto& list : lists_) {
    BAUTA_ASSERT(!list.empty());
    used_.push_back(list.size());
  }
}

std::int64_t CyclingLists::take(std::size_t list, Stream& stream) {
  if (used_[list] == lists_[list].size()) {
    stream.shuffle(std::span(lists_[list]));
    used_[list] = 0;
  }
  return lists_[list][used_[list]++];
}

TripletSampler::TripletSampler(std::span<const std::int32_t> subjects, std::vector<std::int64_t> rows,
                               const std::vector<std::span<const std::int32_t>>& attributes, const std::string& part)
    : subjects_(subjects), rows_(std::move(rows)), rows_of_(subject_count(subjects)) {
  for (const std::int64_t row : rows_) {
    rows_of_[static_cast<std::size_t>(subjects_[static_cast<std::size_t>(row)])].push_back(row);
  }
  const auto present = std::count_if(rows_of_.begin(), rows_of_.end(), [](const auto& of) { return !of.empty(); });
  std::vector<std::int64_t> anchors;
  for (const auto& of : rows_of_) {
    if (of.size() > 1) anchors.insert(anchors.end(), of.begin(), of.end());
  }
  anchors_ = anchors.size();
  if (anchors.empty() || present < 2) {
    throw_input(part + " part of the data",
                anchors.empty() ? "no subject has two samples, so there is no mated pair to learn from"
                                : "all samples are of one subject, so there is no non-mated pair to learn from",
                "train on several subjects of several samples each, or hold out a larger share or none (validation=0)");
  }
  for (const auto& attribute : attributes) {
    std::vector<std::vector<std::int64_t>> classes;
    for (const std::int64_t row : anchors) {
      const std::int32_t code = attribute[static_cast<std::size_t>(row)];
      if (code < 0) continue;
      if (classes.size() <= static_cast<std::size_t>(code)) classes.resize(static_cast<std::size_t>(code) + 1);
      classes[static_cast<std::size_t>(code)].push_back(row);
    }
    std::erase_if(classes, [](const auto& of) { return of.empty(); });
    if (!classes.empty()) by_class_.emplace_back(std::move(classes));
  }
  if (by_class_.empty()) by_class_.emplace_back(std::vector<std::vector<std::int64_t>>{std::move(anchors)});
}

Triplets TripletSampler::draw(std::size_t count, Stream& stream) {
  Triplets triplets;
  for (std::size_t t = 0; t < count; ++t) {
    CyclingLists& lists = by_class_[t % by_class_.size()];
    const std::int64_t anchor = lists.take(t / by_class_.size() % lists.size(), stream);
    const std::int32_t subject = subjects_[static_cast<std::size_t>(anchor)];
    const auto& own = rows_of_[static_cast<std::size_t>(subject)];
    std::int64_t positive = anchor;
    while (positive == anchor) positive = own[stream.below(own.size())];
    std::int64_t negative = anchor;
    while (subjects_[static_cast<std::size_t>(negative)] == subject) negative = rows_[stream.below(rows_.size())];
    triplets.anchors.push_back(anchor);
    triplets.positives.push_back(positive);
    triplets.negatives.push_back(negative);
  }
  return triplets;
}

std::vector<std::vector<std::int64_t>> stratified_batches(std::span<const std::int32_t> codes, std::size_t classes,
                                                          std::span<const std::int64_t> rows, std::size_t batch,
                                                          Stream& stream) {
  std::vector<std::vector<std::int64_t>> lists(classes);
  for (const std::int64_t row : rows) {
    lists[static_cast<std::size_t>(codes[static_cast<std::size_t>(row)])].push_back(row);
  }
  CyclingLists cycling(std::move(lists));
  const std::size_t size = (batch + classes - 1) / classes * classes;
  std::vector<std::vector<std::int64_t>> batches((rows.size() + size - 1) / size);
  for (auto& members : batches) {
    for (std::size_t s = 0; s < size; ++s) members.push_back(cycling.take(s % classes, stream));
  }
  return batches;
}

}  // namespace bauta
