#include "closed_set.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/extract/extractor.hpp"
#include "bauta/run/protecting.hpp"
#include "bauta/run/reading.hpp"
#include "bauta/run/store.hpp"

namespace bauta {

namespace {

ClosedSet split_of(const Experiment& experiment, const Part& part, std::uint64_t seed) {
  return closed_set_split(part.clear(), experiment.attributes.front(), experiment.test_share, seed);
}

std::string split_text(const Experiment& experiment, const ClosedSet& split) {
  return fmt::format("{:g} % of the samples of each {}{} are anonymised and judged, the others are learned from",
                     100 * experiment.test_share, split.one_sample_each ? "" : "identity and ",
                     experiment.attributes.front());
}

/// Failed samples leave both parts, and who is then unknown is not looked for.
void drop_failed(ClosedSet& split, const std::vector<bool>& failed, const Dataset& data) {
  const auto drop = [](std::vector<std::size_t>& rows, auto&& gone) {
    rows.erase(std::remove_if(rows.begin(), rows.end(), gone), rows.end());
  };
  drop(split.train, [&](std::size_t row) { return failed[row]; });
  std::set<std::string> known;
  if (!split.one_sample_each) {
    for (const std::size_t row : split.train) known.insert(data.labels.column(data.identity_column)[row]);
  }
  drop(split.test, [&](std::size_t row) {
    return failed[row] || (!split.one_sample_each && !known.contains(data.labels.column(data.identity_column)[row]));
  });
  if (split.train.empty() || split.test.empty()) {
    throw_input(data.origin, "too many samples failed: nothing is left to learn from, or to judge");
  }
}

}  // namespace

ClosedSetData::ClosedSetData(const Experiment& experiment, const Part& media, std::string representation,
                             std::filesystem::path run, std::uint64_t seed)
    : experiment_(experiment),
      media_(media),
      representation_(std::move(representation)),
      seed_(seed),
      shelf_(experiment, std::move(run), seed),
      split_(split_of(experiment, media, seed)) {
  if (representation_.empty()) return;
  const ResolvedExtractor extractor = make_extractor(representation_);
  extracted_with_ = extractor.parameters.resolved();
  // What learns here learns from the training part, which the digest of the data stands for.
  if (!extractor.declaration->learns) extracted_with_ += " " + extractor->model();
}

Json ClosedSetData::inputs() const {
  return {{"data", media_.digest()},
          {"extracted with", extracted_with_},
          {"test", experiment_.test_share},
          {"attribute", experiment_.attributes},
          {"fitted for", shelf_.hide()},
          {"keep", experiment_.keep},
          {"edges", experiment_.classes},
          {"estimator", experiment_.estimators},
          {"recognisers", experiment_.recognisers},
          {"top", experiment_.top},
          {"temperature", experiment_.temperature},
          {"bootstrap", experiment_.bootstrap}};
}

AnonymityStudy& ClosedSetData::study() {
  if (!study_) {
    AnonymityRun run{.attribute = experiment_.attributes.front(),
                     .keep = experiment_.keep,
                     .edges = experiment_.classes,
                     .recognisers = experiment_.recognisers,
                     .top = experiment_.top,
                     .temperature = experiment_.temperature,
                     .bootstrap = experiment_.bootstrap,
                     .seed = seed_};
    if (!experiment_.estimators.empty()) run.estimator = experiment_.estimators.front();
    Dataset all = media_.clear();
    if (!representation_.empty()) {
      const ResolvedExtractor extractor = make_extractor(representation_);
      if (extractor.declaration->learns) extractor->fit(all.select(split_.train));
      all = extract_dataset(extractor, all);
    }
    if (split_.one_sample_each) all.identity_column.clear();
    const std::vector<bool> failed = all.failed();
    failures_ = static_cast<std::size_t>(std::count(failed.begin(), failed.end(), true));
    drop_failed(split_, failed, all);
    study_ = std::make_unique<AnonymityStudy>(all.select(split_.train), all.select(split_.test), split_.one_sample_each,
                                              std::move(run));
  }
  return *study_;
}

Json ClosedSetData::measure(const std::string& technique) {
  AnonymityStudy& originals = study();
  Json values;
  Json parameters = nullptr;
  if (Specification::parse(technique).name == "none") {
    values = originals.clear();
  } else {
    const ResolvedProtection protection =
        shelf_.take(technique, originals.train(), {}, digest(Json{inputs(), seed_}.dump()));
    const auto protect = [&](const Dataset& part) {
      return protect_dataset(protection, part, protect_context(part, seed_));
    };
    const Dataset train = protect(originals.train());
    const std::optional<Blend> blend = protection->blend();
    values = originals.measure(protect(originals.test()), &train, blend);
    if (blend) parameters = setting_json(protection, *blend);
  }
  values["parameters"] = std::move(parameters);
  values["failures"] = failures_;
  values["split"] = split_text(experiment_, split_);
  return values;
}

Part closed_set_part(const Experiment& experiment) {
  ReadOptions options = experiment.target.options;
  options.identity_required = false;
  options.templates_required = false;
  Part part("data", read_data(experiment.target.path.string(), options));
  std::vector<std::string> names = experiment.attributes;
  for (const auto& [name, weight] : experiment.keep) names.push_back(name);
  for (const auto& name : names) (void)part.clear().labels.column(name);
  const bool media = part.clear().templates.empty();
  if (media && experiment.representations.empty()) {
    throw_usage(experiment.target.path.string(), "holds media, and nothing says how templates are made of them",
                "name it in the experiment: [extract] representation = \"pixels\" (see: bauta list extractors)");
  }
  if (!media && !experiment.representations.empty()) {
    throw_usage("extract.representation", experiment.target.path.string() + " holds templates, which need none",
                "remove it");
  }
  return part;
}

Json closed_set_json(const Experiment& experiment, const Part& part, std::uint64_t seed) {
  const ClosedSet split = split_of(experiment, part, seed);
  return {{"kind", "closed-set"},
          {"text", split_text(experiment, split)},
          {"train", split.train.size()},
          {"test", split.test.size()},
          {"one_record_per_identity", split.one_sample_each}};
}

std::vector<Cell> closed_set_cells(const CellContext& context,
                                   const std::vector<std::unique_ptr<ClosedSetData>>& data) {
  std::vector<Cell> cells;
  for (const auto& one : data) {
    ClosedSetData* const represented = one.get();
    for (const auto& technique : context.experiment.all_techniques()) {
      cells.push_back(
          {{{"step", "anonymity"}, {"technique", technique}, {"representation", represented->representation()}},
           represented->inputs(),
           [represented, technique] { return represented->measure(technique); }});
    }
  }
  return cells;
}

Json closed_set_headline(const Json& cells) {
  for (const Json& cell : cells) {
    const std::string technique = cell["key"]["technique"];
    if (cell["status"] != "done" || Specification::parse(technique).name == "none") continue;
    const Json& values = cell["values"];
    if (values["survives"].empty()) continue;
    const Json& first = values["survives"][0];
    const Json& interest = values["utility"]["attributes"][0];
    std::string verdict =
        fmt::format("Behind {}, '{}' is still read with {:.1f} % (clear data {:.1f} %).", technique,
                    interest["attribute"].get<std::string>(), 100 * interest["accuracy"].get<double>(),
                    100 * interest["clear"]["accuracy"].get<double>());
    for (const Json& one : values["survives"]) verdict += " " + one["sentence"].get<std::string>();
    return {{"technique", technique},
            {"attack", "linkage"},
            {"attacker", first["attacker"]},
            {"question", first["question"]},
            {"mixture", first["informed"]},
            {"claimed", first["claimed"]},
            {"chance", first["chance"]},
            {"ci", first["ci"]},
            {"verdict", verdict}};
  }
  return Json::object();
}

}  // namespace bauta
