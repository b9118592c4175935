#include "stored_views.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/core/version.hpp"
#include "bauta/protect/bringing.hpp"
#include "bauta/protect/media.hpp"
#include "bauta/question/attack_data.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/recovering.hpp"
#include "bauta/recover/media.hpp"
#include "lost_samples.hpp"
#include "template_batches.hpp"

namespace bauta {

namespace {

Dataset rows_of(const Dataset& data, const std::vector<std::size_t>& rows) {
  return rows.size() == data.size() ? data : data.select(rows);
}

/// Rows of `masked` that `take` marks, the others of `clear`.
Dataset mixture(const Dataset& clear, const Dataset& masked, const std::vector<bool>& take) {
  if (clear.templates.kind() != ElementKind::float32 || masked.templates.kind() != ElementKind::float32 ||
      clear.templates.cols() != masked.templates.cols()) {
    require_one_form(clear, masked.templates, masked.origin);
    throw_input(clear.origin, fmt::format("holds {}: only numbers can be mixed", to_text(clear.templates.kind())),
                "leave this adversary out");
  }
  Matrix<float> values(take.size(), clear.templates.cols());
  for (std::size_t i = 0; i < take.size(); ++i) {
    std::ranges::copy((take[i] ? masked : clear).templates.floats().row(i), values.row(i).begin());
  }
  // Attackers compare by what they know of the technique.
  Dataset made = masked;
  made.probe_templates = {};
  made.templates = Templates(std::move(values));
  const std::vector<bool> lost = clear.failed(), lost_masked = masked.failed();
  std::vector<bool> marks(take.size());
  for (std::size_t i = 0; i < take.size(); ++i) marks[i] = (take[i] ? lost_masked : lost)[i];
  made.mark_failed(marks);
  return made;
}

}  // namespace

Sources ExperimentData::sources() const {
  const auto optional = [](const std::optional<Source>& source) { return source ? &source->data : nullptr; };
  return {&target.data, optional(attacker), optional(dev), optional(fit), optional(background)};
}

std::vector<const Source*> ExperimentData::given() const {
  std::vector<const Source*> all = {&target};
  for (const auto* source : {&attacker, &dev, &fit, &background}) {
    if (*source) all.push_back(&**source);
  }
  return all;
}

StoredViews::StoredViews(const ExperimentData& data, Arrangement arrangement, std::vector<std::string> fitted_for,
                         EvaluateOptions options)
    : sources_(data.given()),
      arrangement_(std::move(arrangement)),
      protections_(options.out / "models", std::move(fitted_for), options.seed),
      options_(std::move(options)),
      steps_(options_.out / "steps", options_.disk),
      media_(sources_, arrangement_, steps_, options_.seed, options_.memory,
             [this](const std::string& specification, std::size_t rotation) -> const ResolvedProtection& {
               return technique(specification, rotation);
             }) {}

const Rows& StoredViews::rows(Role role, std::size_t rotation) const {
  const auto found = arrangement_.rotations[rotation].find(role);
  BAUTA_ASSERT(found != arrangement_.rotations[rotation].end());
  return found->second;
}

Role StoredViews::fitted_on() const {
  return arrangement_.has(Role::fit) ? Role::fit : Role::enrol;
}

Dataset StoredViews::clear(Role role, std::size_t rotation) const {
  const Rows& own = rows(role, rotation);
  return rows_of(sources_[own.source]->data, own.rows);
}

std::string StoredViews::rows_digest(Role role) const {
  Hash hash;
  for (std::size_t r = 0; r < arrangement_.rotations.size(); ++r) {
    const Rows& own = rows(role, r);
    hash.add(sources_[own.source]->digest);
    hash.add(own.rows.data(), own.rows.size() * sizeof(std::size_t));
  }
  return hash.hex();
}

std::string StoredViews::representation_digest(const Representation& seen) const {
  if (seen.extractor.empty()) return {};
  const ResolvedExtractor& extractor = media_.extractor(seen.extractor);
  Json parts = {extractor.parameters.resolved(), extractor->model()};
  if (extractor.declaration->learns) {
    parts.push_back(rows_digest(learned_from(seen)));
    parts.push_back(form_digest(seen.fitted_in, {}));
    if (const std::string teacher = extractor->teacher(); !teacher.empty()) {
      parts.push_back(media_.extractor(teacher)->model());
    }
  }
  return bauta::digest(parts.dump());
}

std::string StoredViews::form_digest(const Form& form, const Representation& seen) const {
  if (form.clear()) return {};
  const ResolvedProtection protection = make_protection(form.technique);
  Json parts = {protection.parameters.resolved(), model_of(protection), form.share, form.enrolments,
                masked_by_role(arrangement_, form.technique)};
  if (protection.declaration->learns) {
    parts.push_back({rows_digest(fitted_on()), protections_.attributes(), representation_digest(seen)});
    if (arrangement_.has(Role::fit_dev)) parts.push_back(rows_digest(Role::fit_dev));
  }
  if (!form.recovery.empty()) {
    parts.push_back(make_recovery(form.recovery).parameters.resolved());
    if (const auto role = attackers_of(arrangement_)) parts.push_back(rows_digest(*role));
  }
  return bauta::digest(parts.dump());
}

std::string StoredViews::digest(const Recipe& recipe) const {
  return bauta::digest(Json{rows_digest(recipe.role), form_digest(recipe.form, recipe.representation),
                            representation_digest(recipe.representation)}
                           .dump());
}

Role StoredViews::learned_from(const Representation& seen) const {
  if (seen.fitted_on) return *seen.fitted_on;
  for (const Role role : {Role::background, Role::enrol, Role::attacker}) {
    if (arrangement_.has(role)) return role;
  }
  throw_usage("extract.representation", "is learned, and there is nobody to learn it from",
              "name other people: data.background");
}

std::string StoredViews::step_address(const std::vector<std::string>& parts) const {
  return bauta::digest(Json{parts, options_.seed, code_digest()}.dump());
}

std::string StoredViews::base_of(const Representation& seen) const {
  const std::string base = media_.extractor(seen.extractor)->base();
  return base.empty() ? seen.extractor : base;
}

Shown StoredViews::shown(Role role, std::size_t rotation, const Form& form, const Representation& seen) const {
  const bool undone = undone_before_extraction(form);
  return {.source = rows(role, rotation).source,
          .technique = form.technique,
          .recovery = undone ? form.recovery : std::string(),
          .role = role,
          .rotation = rotation,
          .extractor = base_of(seen)};
}

void StoredViews::expect(const std::vector<Recipe>& recipes) {
  for (const Shown& shown : behind(recipes)) media_.expect(shown);
}

std::vector<Json> StoredViews::lost(const std::vector<Recipe>& recipes) {
  std::vector<Json> all;
  const auto add = [&](Json lost) {
    if (!lost.is_null() && std::ranges::find(all, lost) == all.end()) all.push_back(std::move(lost));
  };
  for (const Shown& shown : behind(recipes)) add(media_.lost(shown));
  for (const Recipe& recipe : masked_behind(recipes)) {
    for (std::size_t r = 0; r < rotations(); ++r) {
      if (!masks_media_of(recipe, r)) add(steps_.noted(masked_address(recipe, r, masking_of(recipe, r))));
    }
  }
  return all;
}

std::map<std::string, std::set<std::size_t>> StoredViews::masked_sources(const std::vector<Recipe>& recipes) {
  std::map<std::string, std::set<std::size_t>> all;
  for (const Shown& shown : behind(recipes)) {
    if (!shown.technique.empty()) all[shown.technique].insert(shown.source);
  }
  for (const Recipe& recipe : masked_behind(recipes)) {
    for (std::size_t r = 0; r < rotations(); ++r) all[recipe.form.technique].insert(rows(recipe.role, r).source);
  }
  return all;
}

std::vector<Recipe> StoredViews::masked_behind(const std::vector<Recipe>& recipes) const {
  std::vector<Recipe> all;
  const std::optional<Role> others = attackers_of(arrangement_);
  for (const auto& [role, form, seen] : recipes) {
    if (form.clear() || undone_before_extraction(form)) continue;
    all.push_back({role, {.technique = form.technique, .enrolments = form.enrolments}, seen});
    if (!form.recovery.empty() && others) all.push_back({*others, {form.technique}, seen});
  }
  return all;
}

std::vector<Shown> StoredViews::behind(const std::vector<Recipe>& recipes) {
  std::vector<Shown> all;
  for (const Recipe& recipe : recipes) {
    const auto& [role, form, seen] = recipe;
    if (seen.extractor.empty()) continue;
    for (std::size_t r = 0; r < rotations(); ++r) {
      const bool masked = masks_media_of(recipe, r);
      if (!masked || form.share < 1) all.push_back(shown(role, r, {}, seen));
      if (masked) all.push_back(shown(role, r, form, seen));
      const bool learns = !form.clear() && !masked && protection_declaration(form.technique).learns;
      if (learns && arrangement_.has(fitted_on())) all.push_back(shown(fitted_on(), r, {}, seen));
      if (media_.extractor(seen.extractor).declaration->learns) add_learning(seen, r, all);
    }
    const std::optional<Role> others = attackers_of(arrangement_);
    if (!form.recovery.empty() && !undone_before_extraction(form) && others) {
      std::ranges::move(behind({{*others, {}, seen}, {*others, {form.technique}, seen}}), std::back_inserter(all));
    }
  }
  return all;
}

void StoredViews::add_learning(const Representation& seen, std::size_t rotation, std::vector<Shown>& all) const {
  const Role people = learned_from(seen);
  const std::size_t own = learned_in(seen, rotation);
  const Form& form = seen.fitted_in;
  if (form.clear() || form.share < 1) all.push_back(shown(people, own, {}, seen));
  if (!form.clear() && masks_media_of({people, form, seen}, own)) all.push_back(shown(people, own, form, seen));
  if (const std::string teacher = media_.extractor(seen.extractor)->teacher(); !teacher.empty()) {
    all.push_back({.source = rows(people, own).source, .extractor = teacher});
  }
}

std::size_t StoredViews::learned_in(const Representation& seen, std::size_t rotation) const {
  if (learned_from(seen) != Role::background) return rotation;
  // The same other people in all rotations; what masks them may have been learned from other ones.
  const Form& form = seen.fitted_in;
  if (form.clear() || !protection_declaration(form.technique).learns || !arrangement_.has(fitted_on())) return 0;
  return rows(fitted_on(), rotation).rows == rows(fitted_on(), 0).rows ? 0 : rotation;
}

std::string StoredViews::learned_address(const Representation& seen, std::size_t rotation) const {
  return step_address({"learned", representation_digest(seen), std::to_string(learned_in(seen, rotation))});
}

const ResolvedExtractor& StoredViews::learned(const Representation& seen, std::size_t rotation) {
  const std::string address = learned_address(seen, rotation);
  if (learned_.first == address) return learned_.second;
  const std::filesystem::path file = steps_.open(address) / "learned.npz";
  if (steps_.finished(address)) {
    learned_ = {address, load_extractor(file, seen.extractor)};
    return learned_.second;
  }
  const Role role = learned_from(seen);
  const std::size_t own = learned_in(seen, rotation);
  const Dataset people = view({role, seen.fitted_in, {base_of(seen)}}, own);
  ResolvedExtractor made = make_extractor(seen.extractor);
  if (const std::string teacher = made->teacher(); teacher.empty()) {
    made->fit(people);
  } else {
    made->fit_taught(people, view({role, {}, {teacher}}, own));
  }
  save_extractor(made, file);
  steps_.finish(address);
  steps_.trim(address);
  learned_ = {address, std::move(made)};
  return learned_.second;
}

bool StoredViews::nothing_to_learn(const Representation& seen, std::size_t rotation) {
  const std::string address = learned_address(seen, rotation);
  if (seen.fitted_in.clear() || learned_.first == address || steps_.finished(address)) return false;
  const Dataset people = view({learned_from(seen), seen.fitted_in, {base_of(seen)}}, learned_in(seen, rotation));
  const std::vector<bool> failed = people.failed();
  std::set<std::string_view> different;
  for (std::size_t row = 0; row < people.size(); ++row) {
    if (!failed[row]) different.insert(people.templates.row_bytes(row));
    if (different.size() > 1) return false;
  }
  return true;
}

Dataset StoredViews::seen_media(const Shown& media, const Representation& seen, std::size_t rotation) {
  Dataset base = media_.templates(media);
  if (!media_.extractor(seen.extractor).declaration->learns) return base;
  if (nothing_to_learn(seen, rotation)) {
    const std::vector<std::string> why(base.size(), "behind the mask there is nothing to learn how to see from");
    return with_templates(media_.extractor(seen.extractor), base, Templates(Matrix<float>(base.size(), 1, 0.0F)), why);
  }
  const ResolvedExtractor& extractor = learned(seen, rotation);
  const std::string address =
      step_address({media_.address(media), representation_digest(seen), std::to_string(learned_in(seen, rotation))});
  const std::filesystem::path step = steps_.open(address);
  if (!steps_.finished(address)) {
    const TemplateBatches batches(step);
    const std::vector<bool> failed = base.failed();
    for (std::size_t first = 0; first < base.size(); first += step_batch) {
      if (batches.has(first)) continue;
      std::vector<Extracted> projected(std::min(step_batch, base.size() - first));
      parallel_for(projected.size(), [&](std::size_t i, int) {
        if (failed[first + i]) {
          projected[i].reason = "marked in the data";
        } else {
          projected[i].features = extractor->project(base.templates.floats().row(first + i));
        }
      });
      batches.put(first, feature_rows(extractor, projected, base.labels.origin(), first), projected);
    }
    batches.join(base.labels.origin());
    steps_.finish(address);
    steps_.trim(address);
    fmt::print(stderr, "step: {}, seen by {}: {} templates\n", media_.name_of(media), to_text(seen), base.size());
  }
  StoredTemplates stored = read_templates(step);
  if (stored.templates.empty() && !media.technique.empty()) {
    const std::size_t features = extractor->project(base.templates.floats().row(0)).size();
    stored.templates = Templates(Matrix<float>(base.size(), features, 0.0F));
  }
  return with_templates(extractor, base, std::move(stored.templates), stored.reasons);
}

Dataset StoredViews::represented(std::size_t source, const Representation& seen, std::size_t rotation) {
  if (seen.extractor.empty()) return sources_[source]->data;
  return seen_media({.source = source, .extractor = base_of(seen)}, seen, rotation);
}

bool StoredViews::masks_media_of(const Recipe& recipe, std::size_t rotation) const {
  if (recipe.form.clear() || !masks(recipe.form.technique)) return false;
  const Dataset& data = sources_[rows(recipe.role, rotation).source]->data;
  return data.templates.empty() && masks_media(protection_declaration(recipe.form.technique), data);
}

bool StoredViews::undone_before_extraction(const Form& form) {
  return !form.recovery.empty() && undoes_media(recovery_declaration(form.recovery));
}

Dataset StoredViews::seen_behind(const Recipe& recipe, std::size_t rotation) {
  const Shown media = shown(recipe.role, rotation, recipe.form, recipe.representation);
  const Dataset made = seen_media(media, recipe.representation, rotation);
  return media_.apart(media) ? made : rows_of(made, rows(recipe.role, rotation).rows);
}

ResolvedProtection StoredViews::fitted(const std::string& specification, std::size_t rotation,
                                       const Representation& seen) {
  if (!protection_declaration(specification).learns) return make_protection(specification);
  const Role role = fitted_on();
  const Rows& own = rows(role, rotation);
  const Dataset data = represented(own.source, seen, rotation);
  Hash hash;
  hash.add(sources_[own.source]->digest);
  hash.add(representation_digest(seen));
  if (!arrangement_.has(Role::fit_dev)) {
    hash.add(own.rows.data(), own.rows.size() * sizeof(std::size_t));
    return protections_.take(specification, rows_of(data, own.rows), {}, hash.hex());
  }
  const Rows& stops = rows(Role::fit_dev, rotation);
  std::vector<bool> tunes(data.size(), false);
  std::vector<std::size_t> all = own.rows;
  for (const std::size_t row : stops.rows) {
    tunes[row] = true;
    all.push_back(row);
  }
  std::sort(all.begin(), all.end());
  std::vector<bool> held_out;
  for (const std::size_t row : all) {
    held_out.push_back(tunes[row]);
    hash.add(fmt::format("{} {};", row, tunes[row] ? 1 : 0));
  }
  return protections_.take(specification, data.select(all), held_out, hash.hex());
}

const ResolvedProtection& StoredViews::technique(const std::string& specification, std::size_t rotation,
                                                 const Representation& seen) {
  const Declaration& declaration = protection_declaration(specification);
  // What masks media learned from media, whoever asks for it.
  const Dataset& target = sources_.front()->data;
  const bool before = target.templates.empty() && masks_media(declaration, target);
  const Representation learned_from = before ? Representation{} : seen;
  const std::string name = declaration.learns ? fmt::format("{} in rotation {} {}", specification, rotation,
                                                            representation_digest(learned_from))
                                              : specification;
  const auto known = ready_.find(name);
  if (known != ready_.end()) return known->second;
  return ready_.emplace(name, fitted(specification, rotation, learned_from)).first->second;
}

StoredViews::Masking StoredViews::masking_of(const Recipe& recipe, std::size_t rotation) const {
  const Form& form = recipe.form;
  const std::string& extractor = recipe.representation.extractor;
  const bool learned_anew = !extractor.empty() && media_.extractor(extractor).declaration->learns &&
                            learned_in(recipe.representation, rotation) > 0;
  const bool refits = (protection_declaration(form.technique).learns && rotations() > 1) || learned_anew;
  const bool by_role = masked_by_role(arrangement_, form.technique) || form.enrolments > 1;
  const std::string which = refits || by_role ? std::to_string(rotation) : "";
  return {.by_role = by_role,
          .by_rotation = rotations() > 1 && !which.empty(),
          .whose = by_role ? std::string(to_text(recipe.role)) : std::to_string(rows(recipe.role, rotation).source),
          .how = fmt::format("{} {} {} {}", form.technique, form.enrolments, which,
                             representation_digest(recipe.representation))};
}

const std::string& StoredViews::masked_address(const Recipe& recipe, std::size_t rotation, const Masking& masking) {
  const std::string name = masking.whose + ": " + masking.how;
  if (const auto known = masked_at_.find(name); known != masked_at_.end()) return known->second;
  const Form alone{.technique = recipe.form.technique, .enrolments = recipe.form.enrolments};
  const std::string samples =
      masking.by_role ? rows_digest(recipe.role) : sources_[rows(recipe.role, rotation).source]->digest;
  const std::string address = step_address({"masked", masking.how, samples, form_digest(alone, recipe.representation)});
  return masked_at_.emplace(name, address).first->second;
}

Dataset StoredViews::masked(const Recipe& recipe, std::size_t rotation) {
  if (masks_media_of(recipe, rotation)) return seen_behind(recipe, rotation);
  const Rows& own = rows(recipe.role, rotation);
  const Masking masking = masking_of(recipe, rotation);
  Made& made = masked_[masking.whose];
  if (made.how != masking.how) {
    const Dataset base = represented(own.source, recipe.representation, rotation);
    Dataset clear = masking.by_role ? rows_of(base, own.rows) : base;
    if (recipe.form.enrolments > 1) clear = repeated_enrolments(clear, recipe.form.enrolments);
    made.data = made_once(recipe, rotation, masking, clear);
    made.how = masking.how;
  }
  return masking.by_role ? made.data : rows_of(made.data, own.rows);
}

void StoredViews::remember_lost(const Recipe& recipe, std::size_t rotation, const Masking& masking,
                                const Dataset& clear, const std::map<std::size_t, std::string>& lost) {
  LostSamples all{.data = sources_[rows(recipe.role, rotation).source]->data.origin,
                  .technique = recipe.form.technique,
                  .extractor = recipe.representation.extractor,
                  .samples = clear.size(),
                  .failed = lost.size()};
  if (masking.by_role) all.role = recipe.role;
  if (masking.by_rotation) all.rotation = rotation;
  for (const auto& [row, reason] : lost) all.why[reason].insert(clear.labels.row_there(row));
  const std::string& address = masked_address(recipe, rotation, masking);
  const Json json = to_json(all);
  // A program that was killed with the run may come to another end the second time.
  if (json != steps_.noted(address)) steps_.note(address, json);
}

Dataset StoredViews::made_once(const Recipe& recipe, std::size_t rotation, const Masking& masking,
                               const Dataset& clear) {
  const Form& form = recipe.form;
  const auto make = [&] {
    ProtectedDataset made = protect_and_explain(technique(form.technique, rotation, recipe.representation), clear,
                                                protect_context(clear, options_.seed));
    remember_lost(recipe, rotation, masking, clear, made.lost);
    return std::move(made.data);
  };
  // Any other is sooner made again than read.
  const Declaration& declared = protection_declaration(form.technique);
  if (!declared.learns && !declared.mixes) return make();
  const Form alone{.technique = form.technique, .enrolments = form.enrolments};
  Dataset made = steps_.dataset(masked_address(recipe, rotation, masking),
                                to_text({recipe.role, alone, recipe.representation}), make);
  const std::vector<bool> failed = made.failed();
  made.labels = clear.labels;
  if (failed != clear.failed()) made.mark_failed(failed);
  made.origin = clear.origin;
  made.folder = clear.folder;
  made.identity_column = clear.identity_column;
  made.remarks = clear.remarks;
  return made;
}

Dataset StoredViews::recovered(const Recipe& recipe, std::size_t rotation) {
  const Form& form = recipe.form;
  const Form as_stored{.technique = form.technique, .enrolments = form.enrolments};
  const Dataset target = masked({recipe.role, as_stored, recipe.representation}, rotation);
  const std::optional<Role> found = attackers_of(arrangement_);
  if (!found) {
    throw_usage("data.background", "is missing: " + form.recovery + " learns from other people");
  }
  const Role role = *found;
  const Dataset others = view({role, {}, recipe.representation}, rotation);
  const Dataset others_masked = masked({role, {form.technique}, recipe.representation}, rotation);
  const RecoveryRun run{.recovery = form.recovery,
                        .clear = &others,
                        .protected_clear = &others_masked,
                        .technique = &technique(form.technique, rotation, recipe.representation),
                        .key_seed = options_.seed,
                        .seed = options_.seed};
  return recipe.role == role ? recover_own(others, target, run) : run_recovery(target, run);
}

Dataset StoredViews::stored_recovery(const Recipe& recipe, std::size_t rotation) {
  const std::string address = step_address({"recovered", digest(recipe), std::to_string(rotation)});
  Dataset back = steps_.dataset(address, to_text(recipe), [&] { return recovered(recipe, rotation); });
  const Dataset& data = sources_[rows(recipe.role, rotation).source]->data;
  back.labels = back.labels.with_origin(data.labels.origin());
  back.origin = data.origin;
  back.identity_column = data.identity_column;
  back.remarks = data.remarks;
  back.media = nullptr;
  return back;
}

Dataset StoredViews::mixed(const Recipe& recipe, std::size_t rotation) {
  const Dataset clear = view({recipe.role, {}, recipe.representation}, rotation);
  const Dataset hidden = masked({recipe.role, {recipe.form.technique}, recipe.representation}, rotation);
  std::vector<std::size_t> order = Stream(options_.seed, "protected share").permutation(clear.size());
  std::vector<bool> take(clear.size(), false);
  const auto count = static_cast<std::size_t>(std::lround(recipe.form.share * static_cast<double>(clear.size())));
  for (std::size_t i = 0; i < count; ++i) take[order[i]] = true;
  return mixture(clear, hidden, take);
}

Dataset StoredViews::view(const Recipe& recipe, std::size_t rotation) {
  const Rows& own = rows(recipe.role, rotation);
  if (recipe.form.clear() && recipe.representation.extractor.empty()) return clear(recipe.role, rotation);
  if (recipe.form.clear()) return rows_of(represented(own.source, recipe.representation, rotation), own.rows);
  if (undone_before_extraction(recipe.form)) return seen_behind(recipe, rotation);
  if (!recipe.form.recovery.empty()) return stored_recovery(recipe, rotation);
  return recipe.form.share < 1 ? mixed(recipe, rotation) : masked(recipe, rotation);
}

Json StoredViews::remember(const Json& key, const std::vector<Recipe>& views, const std::function<Json()>& compute) {
  Json inputs = Json::array();
  for (const Recipe& recipe : views) inputs.push_back(digest(recipe));
  const std::string address = bauta::digest(Json{key, inputs, options_.seed, version, code_digest()}.dump());
  if (!attempts_) attempts_ = CellStore(options_.out).beside("attempts");
  if (std::optional<Json> known = attempts_->find(address)) return *known;
  Json fresh = compute();
  attempts_->put(address, fresh);
  return fresh;
}

}  // namespace bauta
