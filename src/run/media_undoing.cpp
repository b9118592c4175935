// Masked media as attackers undo them: what recoveries are learned from, and which of them may undo whom.
#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/protocol/subjects.hpp"
#include "bauta/question/attack_data.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/recovering.hpp"
#include "bauta/recover/media.hpp"
#include "media_steps.hpp"
#include "store.hpp"

namespace bauta {

namespace {

/// Media that are masked when somebody asks for them, and then lie in a step.
class StoredMasked : public MediaSource {
 public:
  StoredMasked(std::shared_ptr<const MediaSource> clear, MediaMask mask, std::filesystem::path folder)
      : clear_(std::move(clear)), mask_(std::move(mask)), folder_(std::move(folder)) {}

  [[nodiscard]] std::size_t size() const override { return clear_->size(); }
  [[nodiscard]] bool present(std::size_t row) const override { return clear_->present(row); }
  [[nodiscard]] std::string_view kind(std::size_t row) const override { return clear_->kind(row); }
  [[nodiscard]] Medium load(std::size_t row) const override {
    return stored_medium(folder_, row, [&] { return mask_(clear_->load(row), row); });
  }

 private:
  std::shared_ptr<const MediaSource> clear_;
  MediaMask mask_;
  std::filesystem::path folder_;
};

/// People whom a recovery is learned from, in two halves: whoever taught it knows the answer, and is undone by what the
/// other half taught.
class Halves {
 public:
  /// `rows` of `data`, which is data set `source`.
  Halves(const Dataset& data, std::size_t source, const std::vector<std::size_t>& rows, std::uint64_t seed)
      : source_(source) {
    const Dataset people = data.select(rows);
    const Subjects subjects = subjects_of(people);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const int half = static_cast<int>(Stream(seed, "halves", subjects.of_row[i]).below(2));
      rows_[half].push_back(rows[i]);
      of_row_[rows[i]] = half;
      const std::string name = name_of(people, i);
      if (!name.empty()) of_name_[name] = half;
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& rows(int half) const { return rows_[half]; }
  /// The half that this sample's person is in; -1: neither.
  [[nodiscard]] int of(const Dataset& data, std::size_t source, std::size_t row) const {
    const auto named = of_name_.find(name_of(data, row));
    if (named != of_name_.end()) return named->second;
    const auto found = of_row_.find(row);
    return source == source_ && found != of_row_.end() ? found->second : -1;
  }

 private:
  static std::string name_of(const Dataset& data, std::size_t row) {
    return data.identity_column.empty() ? std::string() : data.labels.column(data.identity_column)[row];
  }

  std::size_t source_;
  std::vector<std::size_t> rows_[2];
  std::map<std::size_t, int> of_row_;
  std::map<std::string, int> of_name_;
};

}  // namespace

Dataset MediaSteps::masked_media(const Shown& shown, const Dataset& source) const {
  Dataset data = by_role(shown) ? source.select(rows(shown)) : source;
  MediaMask own = mask(shown);
  data.provenance = own.provenance;
  data.folder.clear();  // what lies there is clear
  data.media = std::make_shared<StoredMasked>(data.media, std::move(own), steps_.reopen(masked_address(shown)));
  return data;
}

Shown MediaSteps::people_for(const Shown& shown) const {
  const std::optional<Role> role = attackers_of(arrangement_);
  if (!role) {
    throw_usage("data.background", "is missing: " + shown.recovery + " learns from other people",
                "name them, or leave this recovery out");
  }
  // Other people are the same in all rotations; techniques that learn are not.
  const bool same = *role == Role::background && !protection_declaration(shown.technique).learns;
  const std::size_t rotation = same ? 0 : shown.rotation;
  return {.source = arrangement_.rotations[rotation].at(*role).source,
          .technique = shown.technique,
          .role = *role,
          .rotation = rotation};
}

std::string MediaSteps::undone_address(const Shown& shown) const {
  Hash hash;
  hash.add(masked_address(shown));
  const ResolvedRecovery recovery = make_recovery(shown.recovery);
  hash.add(Json{recovery.parameters.resolved(), seed_, code_digest()}.dump());
  if (apart(shown)) hash.add(rows(shown).data(), rows(shown).size() * sizeof(std::size_t));
  if (recovery.declaration->learns) {
    const Shown people = people_for(shown);
    hash.add(masked_address(people));
    hash.add(rows(people).data(), rows(people).size() * sizeof(std::size_t));
  }
  return hash.hex();
}

ResolvedRecovery MediaSteps::taught(const Shown& shown, const std::vector<std::size_t>& teachers) const {
  const Shown people = people_for(shown);
  Hash hash;
  hash.add("what a recovery learned");
  hash.add(masked_address(people));
  hash.add(teachers.data(), teachers.size() * sizeof(std::size_t));
  hash.add(Json{make_recovery(shown.recovery).parameters.resolved(), seed_, code_digest()}.dump());
  const std::string address = hash.hex();
  const std::filesystem::path file = steps_.open(address) / "learned.npz";
  if (!steps_.finished(address)) {
    const Dataset all = kept(people.source);
    const Dataset clear = all.select(teachers);
    std::vector<std::size_t> places;  // of the teachers in what is masked together
    const std::vector<std::size_t>& known = rows(people);
    for (const std::size_t row : teachers) {
      const auto place = std::ranges::lower_bound(known, row) - known.begin();
      places.push_back(by_role(people) ? static_cast<std::size_t>(place) : row);
    }
    const Dataset hidden = masked_media(people, all).select(places);
    const ResolvedRecovery recovery = make_recovery(shown.recovery);
    fmt::print(stderr, "step: {} learns from {} media of {}\n", shown.recovery, teachers.size(), name_of(people));
    fit_recovery(recovery, {.clear = &clear,
                            .protected_clear = &hidden,
                            .technique = &technique_(shown.technique, people.rotation),
                            .key_source = Randomness::seeded(seed_),
                            .seed = seed_});
    steps_.finish(masked_address(people));
    save_recovery(recovery, file);
    steps_.finish(address);
  }
  // Read in any case, so that a run that went on sees what one sees that was never stopped.
  return load_recovery(file, shown.recovery);
}

std::pair<Undo, Provenance> MediaSteps::undoing(const Shown& shown) const {
  const ResolvedRecovery plain = make_recovery(shown.recovery);
  Dataset masked = masked_media(shown, sources_[shown.source]->data);
  if (apart(shown) && !by_role(shown)) masked = masked.select(rows(shown));
  if (!plain.declaration->learns) {
    fit_recovery(plain, {.technique = &technique_(shown.technique, shown.rotation),
                         .key_source = Randomness::seeded(seed_),
                         .seed = seed_});
    MediaUndoing undo = media_undoing(plain, masked);
    Provenance provenance = undo.provenance;
    return {std::move(undo), std::move(provenance)};
  }
  const Shown people = people_for(shown);
  const Dataset& data = sources_[shown.source]->data;
  const Halves halves(sources_[people.source]->data, people.source, rows(people), seed_);
  const bool role_alone = apart(shown);
  std::vector<std::shared_ptr<const MediaUndoing>> by(3);  // what the first half taught, the second, everybody
  std::vector<std::shared_ptr<const MediaUndoing>> of_sample;
  for (std::size_t i = 0; i < masked.size(); ++i) {
    const int half = halves.of(data, shown.source, role_alone ? rows(shown)[i] : i);
    const int teacher = half < 0 ? 2 : 1 - half;
    auto& undo = by[static_cast<std::size_t>(teacher)];
    if (!undo) {
      undo = std::make_shared<const MediaUndoing>(
          media_undoing(taught(shown, teacher == 2 ? rows(people) : halves.rows(teacher)), masked));
    }
    of_sample.push_back(undo);
  }
  Provenance provenance = of_sample.empty() ? Provenance{} : of_sample.front()->provenance;
  return {[of_sample = std::move(of_sample)](const Medium& medium, std::size_t sample) {
            return (*of_sample[sample])(medium, sample);
          },
          std::move(provenance)};
}

}  // namespace bauta
