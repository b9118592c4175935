#include "known_people.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/identification.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/protecting.hpp"

namespace bauta {

namespace {

Known known_of(const Dataset& data, const std::vector<std::string>& people) {
  Known known;
  const std::vector<bool> failed = data.failed();
  const auto& names = data.labels.column(data.identity_column);
  for (std::size_t row = 0; row < data.size(); ++row) {
    const auto found = std::lower_bound(people.begin(), people.end(), names[row]);
    if (found == people.end() || *found != names[row]) {
      ++known.strangers;
      continue;
    }
    if (failed[row]) ++known.failures;
    known.rows.push_back(row);
    known.identities.push_back(static_cast<std::int32_t>(found - people.begin()));
  }
  return known;
}

std::vector<std::size_t> usable(const Known& known, const std::vector<bool>& failed) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < known.rows.size(); ++i) {
    if (!failed[known.rows[i]]) places.push_back(i);
  }
  return places;
}

/// Masked, or masked and undone again.
bool behind_mask(const Dataset& data) {
  if (!data.provenance) return false;
  const Provenance& made = *data.provenance;
  return (!made.technique.empty() && made.technique != baseline()) || made.properties.contains("recovered_from");
}

}  // namespace

void require_names(const Dataset& data) {
  if (!data.identity_column.empty()) return;
  throw_input(data.origin, "names no identities", "say which column does: --identity COLUMN");
}

KnownPeople::KnownPeople(const Dataset& enrolled, const Dataset& probes, const IdentifyRun& run)
    : enrolled_(enrolled), probes_(probes), run_(run) {
  for (const Dataset* data : {&enrolled, &probes}) require_names(*data);
  if (const std::string difference = difference_in_kind(enrolled.templates, probes.templates); !difference.empty()) {
    throw_input(enrolled.origin + " and " + probes.origin, difference, "both must be made alike");
  }
  const ComparatorChoice choice = choose_comparator(probes, run.comparator);
  for (const auto& remark : choice.remarks) remarks_.push_back(remark);
  options_ = {choice.specification, run.temperature, run.seed, enrolled.origin, probes.origin};
  people_ = known_people();
  const Known references = known_of(enrolled, people_);
  const std::vector<bool> lost = enrolled.failed();
  enrolled_failures_ = static_cast<std::size_t>(std::count(lost.begin(), lost.end(), true));
  std::vector<std::int32_t> left;
  for (const std::size_t i : usable(references, lost)) {
    reference_rows_.push_back(references.rows[i]);
    left.push_back(references.identities[i]);
  }
  const std::set<std::int32_t> present(left.begin(), left.end());
  columns_.assign(present.begin(), present.end());
  for (const std::int32_t person : left) {
    reference_columns_.push_back(
        static_cast<std::int32_t>(std::ranges::lower_bound(columns_, person) - columns_.begin()));
  }
  asked_ = known_of(probes, people_);
  answered_ = usable(asked_, probes.failed());
  require_somebody();
  remark_lost();
}

void KnownPeople::require_somebody() {
  if (asked_.rows.empty()) {
    throw_input(probes_.origin, "holds no sample of anybody who is enrolled",
                "both must name people alike; see --identity");
  }
  if (people_.size() < 2) {
    throw_input(enrolled_.origin, fmt::format("enrols {} person(s), two are needed at least", people_.size()));
  }
  guessing_ = columns_.size() < 2 || answered_.empty();
  // That nobody answers is what a strong mask is for; of clear samples it is a mistake.
  if (!guessing_ || behind_mask(enrolled_) || behind_mask(probes_)) return;
  if (columns_.size() < 2) {
    throw_input(enrolled_.origin,
                fmt::format("enrols {} of {} people, two are needed at least: nothing was extracted of the others",
                            columns_.size(), people_.size()));
  }
  throw_input(probes_.origin, fmt::format("nothing was extracted from any of {} probes", asked_.rows.size()));
}

void KnownPeople::remark_lost() {
  if (asked_.strangers > 0) {
    remarks_.push_back(fmt::format("{} probes are of people who are not enrolled, and are left out", asked_.strangers));
  }
  if (columns_.size() < 2) {
    remarks_.push_back(fmt::format("behind the mask {} of {} people can be enrolled: all probes count as guesses",
                                   columns_.size(), people_.size()));
  } else if (answered_.empty()) {
    remarks_.push_back(fmt::format("behind the mask nothing was extracted from any of {} probes: all count as guesses",
                                   asked_.rows.size()));
  } else if (columns_.size() < people_.size()) {
    remarks_.push_back(
        fmt::format("{} of {} people are known by name only, because nothing was left of any sample to enrol: "
                    "nobody finds them, and their probes count as misses",
                    people_.size() - columns_.size(), people_.size()));
  }
}

ResolvedRecogniser KnownPeople::learned(const std::string& name) const {
  ResolvedRecogniser recogniser = make_recogniser(name);
  recogniser->fit(enrolled_.templates.select(reference_rows_), reference_columns_, columns_.size(), options_);
  return recogniser;
}

std::vector<Standing> KnownPeople::guesses() const {
  const auto all = static_cast<std::uint32_t>(people_.size());
  return std::vector<Standing>(asked_.rows.size(), Standing{0, all, all, 1.0 / all, 0});
}

std::vector<Standing> KnownPeople::standings_by(const Recogniser& recogniser) const {
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> truth;
  for (const std::size_t i : answered_) {
    rows.push_back(asked_.rows[i]);
    truth.push_back(asked_.identities[i]);
  }
  const Likelihoods said = recogniser.likelihoods(presented().select(rows));
  const auto known = static_cast<std::uint32_t>(columns_.size()), all = static_cast<std::uint32_t>(people_.size());
  const std::vector<Standing> found =
      known == all ? standings_of(said.probabilities.view(), said.order(), truth)
                   : standings_of(widened(said.probabilities.view(), 0).view(),
                                  widened(said.order(), -std::numeric_limits<double>::infinity()).view(), truth);
  // No answer: everybody who is enrolled is as likely.
  const double divergence = std::log(static_cast<double>(all) / known);
  const Standing guess{0, known, all, 1.0 / known, divergence}, miss{known, all - known, all, 0, divergence};
  std::vector<Standing> standings;
  for (const std::int32_t person : asked_.identities) {
    standings.push_back(std::ranges::binary_search(columns_, person) ? guess : miss);
  }
  for (std::size_t k = 0; k < answered_.size(); ++k) standings[answered_[k]] = found[k];
  return standings;
}

Matrix<double> KnownPeople::widened(MatrixView<const double> said, double impossible) const {
  Matrix<double> wide(said.rows, people_.size(), impossible);
  for (std::size_t i = 0; i < said.rows; ++i) {
    for (std::size_t c = 0; c < said.cols; ++c) wide(i, static_cast<std::size_t>(columns_[c])) = said(i, c);
  }
  return wide;
}

std::vector<std::string> KnownPeople::known_people() {
  const auto& names = enrolled_.labels.column(enrolled_.identity_column);
  std::set<std::string> people(names.begin(), names.end());
  people.erase("");
  std::vector<std::string> all(people.begin(), people.end());
  if (run_.most_people == 0 || all.size() <= run_.most_people) return all;
  remarks_.push_back(fmt::format("{} of {} people are enrolled, drawn at random", run_.most_people, all.size()));
  // Only somebody of whom there are probes can be named rightly.
  const auto& probed = probes_.labels.column(probes_.identity_column);
  const std::set<std::string> asked(probed.begin(), probed.end());
  std::erase_if(all, [&](const std::string& name) { return !asked.contains(name); });
  Stream(run_.seed, "people who are named").shuffle(std::span(all));
  all.resize(std::min(all.size(), run_.most_people));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace bauta
