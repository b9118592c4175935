#include "media_steps.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "bauta/core/progress.hpp"
#include "bauta/data/provenance_file.hpp"
#include "bauta/protect/bringing.hpp"
#include "bauta/question/attack_data.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/recovering.hpp"
#include "lost_samples.hpp"
#include "store.hpp"

namespace bauta {

namespace {

constexpr const char* record_file = "dataset.toml";  // how masked media were made
constexpr std::size_t told_at_most = 3;

/// Samples that failed, by their rows in the data set.
void warn_of_lost(const std::vector<std::string>& reasons, const std::vector<std::size_t>& rows,
                  const std::string& whose, const std::string& extractor) {
  std::size_t count = 0;
  std::string examples;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (reasons[i].empty() || count++ >= told_at_most) continue;
    examples += fmt::format("{}row {} ({})", examples.empty() ? "" : ", ", rows[i] + 1, reasons[i]);
  }
  if (count == 0) return;
  warn(fmt::format("{}, seen by {}: {} of {} failed, e.g. {}", whose, extractor, count, rows.size(), examples));
}

/// Asks for room on disk as a walk goes on: again when half of what was left may be taken, because looking takes long.
class Room {
 public:
  explicit Room(const StepStore& steps) : steps_(steps), left_(steps.room()) {}

  bool operator()() {
    if (++batches_ < next_) return left_ >= 0;
    const std::int64_t before = left_;
    left_ = steps_.room();
    const std::int64_t each = (before - left_) / std::exchange(batches_, 0);  // not known where something had to go
    next_ = each > 0 ? std::max<std::int64_t>(1, left_ / (2 * each)) : 1;
    return left_ >= 0;
  }

 private:
  const StepStore& steps_;
  std::int64_t left_, batches_ = 0, next_ = 1;
};

}  // namespace

/// A walk, and where what it makes will lie.
struct MediaSteps::Plan {
  struct Step {
    Shown shown;
    std::string address;
  };
  std::vector<Showing> showings = {};
  std::vector<std::string> media = {};                  ///< address of each showing's media
  std::vector<std::vector<std::string>> made = {};      ///< of each showing: addresses of steps that hold media
  std::vector<std::optional<Provenance>> records = {};  ///< of each showing
  std::vector<std::vector<Step>> steps = {};            ///< of each showing: one per onlooker
};

MediaSteps::MediaSteps(std::vector<const Source*> sources, const Arrangement& arrangement, const StepStore& steps,
                       std::uint64_t seed, std::uint64_t memory, Technique technique)
    : sources_(std::move(sources)),
      arrangement_(arrangement),
      steps_(steps),
      seed_(seed),
      memory_(memory),
      technique_(std::move(technique)) {}

const ResolvedExtractor& MediaSteps::extractor(const std::string& specification) const {
  const auto known = extractors_.find(specification);
  if (known != extractors_.end()) return known->second;
  return extractors_.emplace(specification, make_extractor(specification)).first->second;
}

bool masked_by_role(const Arrangement& arrangement, const std::string& technique) {
  return arrangement.masked_by_role || protection_declaration(technique).mixes;
}

bool MediaSteps::by_role(const Shown& shown) const {
  return !shown.technique.empty() && masked_by_role(arrangement_, shown.technique);
}

bool MediaSteps::apart(const Shown& shown) const {
  return by_role(shown) || (!shown.recovery.empty() && recovery_declaration(shown.recovery).mixes);
}

Shown MediaSteps::plain(Shown shown) const {
  shown.extractor = extractor(shown.extractor).parameters.brief();
  if (apart(shown)) return shown;
  shown.role = Role::whole;
  const bool technique_learns = !shown.technique.empty() && protection_declaration(shown.technique).learns;
  const bool recovery_learns = !shown.recovery.empty() && recovery_declaration(shown.recovery).learns &&
                               attackers_of(arrangement_) != Role::background;
  if (!technique_learns && !recovery_learns) shown.rotation = 0;
  return shown;
}

const std::vector<std::size_t>& MediaSteps::rows(const Shown& shown) const {
  return arrangement_.rotations[shown.rotation].at(shown.role).rows;
}

Dataset MediaSteps::kept(std::size_t source) const {
  Dataset data = sources_[source]->data;
  std::shared_ptr<KeptMedia>& known = kept_[source];
  if (!known) known = std::make_shared<KeptMedia>(data.media, memory_);
  data.media = known;
  return data;
}

Dataset MediaSteps::media(const Shown& shown) const {
  const Dataset& data = sources_[shown.source]->data;
  return apart(shown) ? data.select(rows(shown)) : data;
}

Dataset MediaSteps::masked_together(const Shown& shown) const {
  const Dataset& data = sources_[shown.source]->data;
  return by_role(shown) ? data.select(rows(shown)) : data;
}

MediaMask MediaSteps::mask(const Shown& shown) const {
  const Dataset clear = masked_together(shown);
  return media_mask(technique_(shown.technique, shown.rotation), clear, protect_context(clear, seed_));
}

std::string MediaSteps::name_of(const Shown& shown) const {
  const Dataset& data = sources_[shown.source]->data;
  std::string whose = apart(shown) ? std::string(to_text(shown.role)) : data.origin;
  // Several data sets may come from one folder: the role that was given all of it tells them apart.
  const Roles& roles = arrangement_.rotations.front();
  const auto given = std::ranges::find_if(roles, [&](const auto& entry) {
    return entry.second.source == shown.source && entry.second.rows.size() == data.size();
  });
  if (!apart(shown) && given != roles.end()) whose += fmt::format(" ({})", to_text(given->first));
  if (!shown.technique.empty()) whose += " masked by " + shown.technique;
  if (!shown.recovery.empty()) whose += ", undone by " + shown.recovery;
  return whose;
}

std::string MediaSteps::masked_address(const Shown& shown) const {
  if (shown.technique.empty()) return sources_[shown.source]->digest;
  Hash hash;
  hash.add(sources_[shown.source]->digest);
  if (by_role(shown)) {
    hash.add(rows(shown).data(), rows(shown).size() * sizeof(std::size_t));
  }
  const ResolvedProtection& technique = technique_(shown.technique, shown.rotation);
  hash.add(Json{technique.parameters.resolved(), model_of(technique), seed_, code_digest()}.dump());
  return hash.hex();
}

std::string MediaSteps::media_address(const Shown& shown) const {
  return shown.recovery.empty() ? masked_address(shown) : undone_address(shown);
}

std::string MediaSteps::address(const Shown& shown) const {
  const Shown own = plain(shown);
  const ResolvedExtractor& sees = extractor(own.extractor);
  return digest(Json{media_address(own), sees.parameters.resolved(), sees->model(), code_digest()}.dump());
}

Showing MediaSteps::showing(const Shown& shown) const {
  Showing result;
  if (apart(shown)) {
    result.rows = rows(shown);
    BAUTA_ASSERT(std::ranges::is_sorted(result.rows));
  } else {
    result.rows.resize(sources_[shown.source]->data.size());
    std::iota(result.rows.begin(), result.rows.end(), std::size_t{0});
  }
  if (shown.technique.empty()) return result;
  result.mask = mask(shown);
  result.masked_whole = !by_role(shown);
  result.folder = steps_.reopen(masked_address(shown));
  return result;
}

void MediaSteps::add_showing(const Shown& shown, Plan& plan) const {
  Showing made = showing(shown);
  std::vector<std::string> addresses;
  std::optional<Provenance> record;
  if (made.mask) {
    addresses.push_back(masked_address(shown));
    record = made.mask->provenance;
  }
  if (!shown.recovery.empty()) {
    std::tie(made.undo, record) = undoing(shown);
    addresses.push_back(undone_address(shown));
    made.undone = steps_.reopen(addresses.back());
  }
  if (made.mask) fmt::print(stderr, "step: {}: {} media\n", name_of(shown), made.rows.size());
  plan.showings.push_back(std::move(made));
  plan.media.push_back(media_address(shown));
  plan.made.push_back(std::move(addresses));
  plan.records.push_back(std::move(record));
  plan.steps.emplace_back();
}

MediaSteps::Plan MediaSteps::planned(std::size_t source) {
  Plan plan;
  std::set<Shown> others;
  for (const Shown& shown : std::exchange(expected_, {})) {
    if (shown.source != source) {
      others.insert(shown);
      continue;
    }
    const std::string made = address(shown);
    if (steps_.finished(made) || broken_.contains(made)) continue;
    auto k = static_cast<std::size_t>(std::ranges::find(plan.media, media_address(shown)) - plan.media.begin());
    if (k == plan.media.size()) {
      try {
        add_showing(shown, plan);
      } catch (const Error& error) {
        broken_.emplace(made, error);
        continue;
      }
    }
    plan.showings[k].onlookers.push_back({&extractor(shown.extractor), TemplateBatches(steps_.open(made))});
    plan.steps[k].push_back({shown, made});
  }
  expected_ = std::move(others);
  return plan;
}

void MediaSteps::remember_lost(const Shown& shown, const std::string& address,
                               const std::vector<std::size_t>& rows) const {
  const std::vector<std::string> reasons = read_templates(steps_.open(address)).reasons;
  LostSamples lost{.data = sources_[shown.source]->data.origin,
                   .technique = shown.technique,
                   .recovery = shown.recovery,
                   .extractor = shown.extractor,
                   .samples = rows.size()};
  if (apart(shown)) lost.role = shown.role;
  if (arrangement_.rotations.size() > 1 && (apart(shown) || shown.rotation > 0)) lost.rotation = shown.rotation;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (!reasons[i].empty()) lost.why[reasons[i]].insert(rows[i]);
    lost.failed += reasons[i].empty() ? 0 : 1;
  }
  if (lost.failed == 0) return;
  steps_.note(address, to_json(lost));
  warn_of_lost(reasons, rows, name_of(shown), shown.extractor);
}

Json MediaSteps::lost(const Shown& shown) const {
  const std::string at = address(shown);
  if (broken_.contains(at)) return nullptr;
  return steps_.noted(at);
}

void MediaSteps::walk(std::size_t source) {
  Plan plan = planned(source);
  for (const auto& [number, media] : kept_) media->close();
  const Dataset data = kept_.contains(source) ? kept(source) : sources_[source]->data;
  // Nobody will learn, or walk, after the last.
  if (expected_.empty()) kept_.clear();
  if (plan.showings.empty()) return;
  for (const auto& made : plan.made) {
    for (const auto& step : made) (void)steps_.reopen(step);  // a recovery that was learned may have finished it
  }
  const bool stay = walk_media(data, plan.showings, Room(steps_));
  for (std::size_t k = 0; k < plan.showings.size(); ++k) {
    const Showing& showing = plan.showings[k];
    for (const auto& step : plan.made[k]) {
      if (stay) steps_.finish(step);
    }
    for (std::size_t i = 0; i < plan.steps[k].size(); ++i) {
      const auto& [shown, made] = plan.steps[k][i];
      const Onlooker& onlooker = showing.onlookers[i];
      try {
        if (onlooker.broken) throw Error(*onlooker.broken);
        onlooker.batches.join(data.labels.origin());
      } catch (const Error& error) {
        broken_.emplace(made, error);
        continue;
      }
      if (plan.records[k]) write_dataset_file(steps_.open(made) / record_file, {*plan.records[k], {}});
      fmt::print(stderr, "step: {}, seen by {}: {} templates\n", name_of(shown), shown.extractor, showing.rows.size());
      remember_lost(shown, made, showing.rows);
      steps_.finish(made);
    }
  }
}

Dataset MediaSteps::templates(const Shown& shown) {
  const Shown own = plain(shown);
  const std::string at = address(own);
  if (!steps_.finished(at) && !broken_.contains(at)) {
    expect(own);
    walk(own.source);
    if (steps_.finished(at)) steps_.trim(at);
  }
  if (const auto found = broken_.find(at); found != broken_.end()) throw Error(found->second);
  const std::filesystem::path step = steps_.open(at);
  StoredTemplates stored = read_templates(step);
  Dataset seen = media(own);
  if (!own.technique.empty()) seen.provenance = read_dataset_file(step / record_file).provenance;
  const ResolvedExtractor& sees = extractor(own.extractor);
  // A mask may leave nothing to extract from any: as many features as of clear media, of samples that all failed.
  if (stored.templates.empty() && !own.technique.empty() && !sees->compares()) {
    const std::size_t features = templates({.source = own.source, .extractor = own.extractor}).templates.cols();
    stored.templates = Templates(Matrix<float>(seen.size(), features, 0.0F));
  }
  seen = with_templates(sees, seen, std::move(stored.templates), stored.reasons);
  seen.media = nullptr;
  return seen;
}

}  // namespace bauta
