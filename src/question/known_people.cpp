#include "known_people.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/identification.hpp"
#include "bauta/question/comparing.hpp"

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
  options_ = {choice.specification, run.preparation, run.temperature, run.seed, enrolled.origin, probes.origin};
  people_ = enrolled_people();
  const Known references = known_of(enrolled, people_);
  const std::vector<bool> lost = enrolled.failed();
  enrolled_failures_ = static_cast<std::size_t>(std::count(lost.begin(), lost.end(), true));
  for (const std::size_t i : usable(references, enrolled.failed())) {
    reference_rows_.push_back(references.rows[i]);
    reference_people_.push_back(references.identities[i]);
  }
  asked_ = known_of(probes, people_);
  answered_ = usable(asked_, probes.failed());
  if (answered_.empty()) {
    throw_input(probes.origin, "holds no sample of anybody who is enrolled",
                "both must name people alike; see --identity");
  }
  if (asked_.strangers > 0) {
    remarks_.push_back(fmt::format("{} probes are of people who are not enrolled, and are left out", asked_.strangers));
  }
}

ResolvedRecogniser KnownPeople::learned(const std::string& name) const {
  ResolvedRecogniser recogniser = make_recogniser(name);
  recogniser->fit(enrolled_.templates.select(reference_rows_), reference_people_, people_.size(), options_);
  return recogniser;
}

std::vector<Standing> KnownPeople::standings_by(const Recogniser& recogniser) const {
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> truth;
  for (const std::size_t i : answered_) {
    rows.push_back(asked_.rows[i]);
    truth.push_back(asked_.identities[i]);
  }
  const Likelihoods said = recogniser.likelihoods(presented().select(rows));
  const std::vector<Standing> found = standings_of(said.probabilities.view(), said.order(), truth);
  // No answer: everybody is as likely.
  const auto all = static_cast<std::uint32_t>(people_.size());
  std::vector<Standing> standings(asked_.rows.size(), Standing{.tied = all, .candidates = all, .posterior = 1.0 / all});
  for (std::size_t k = 0; k < answered_.size(); ++k) standings[answered_[k]] = found[k];
  return standings;
}

std::vector<std::string> KnownPeople::enrolled_people() {
  const std::vector<bool> failed = enrolled_.failed();
  const auto& names = enrolled_.labels.column(enrolled_.identity_column);
  std::set<std::string> people;
  for (std::size_t row = 0; row < enrolled_.size(); ++row) {
    if (!failed[row] && !names[row].empty()) people.insert(names[row]);
  }
  if (people.size() < 2) {
    throw_input(enrolled_.origin, fmt::format("enrols {} person(s), two are needed at least", people.size()));
  }
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
