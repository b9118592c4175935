#include "closed_set.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/run/protecting.hpp"
#include "bauta/run/reading.hpp"
#include "bauta/run/store.hpp"

namespace bauta {

namespace {

ReadOptions without_identities(ReadOptions options) {
  options.identity_required = false;
  return options;
}

Dataset without_identity_column(Dataset data, bool one_sample_each) {
  if (one_sample_each) data.identity_column.clear();
  return data;
}

/// What the parameters came to on this data.
Json parameters_json(const ResolvedProtection& protection, const Blend& blend) {
  Json shares = Json::object();
  for (const auto& [name, value] : protection.parameters.values()) {
    if (name != "keep") continue;
    for (std::size_t at = 0; at < value.size();) {
      const std::size_t end = std::min(value.find('/', at), value.size());
      const std::string one = value.substr(at, end - at);
      const std::size_t equals = one.rfind('=');
      shares[one.substr(0, equals)] = std::stod(one.substr(equals + 1));
      at = end + 1;
    }
  }
  return {{"g", blend.size},
          {"t", protection.parameters.real("t")},
          {"t_used", static_cast<double>(blend.own) / static_cast<double>(blend.size)},
          {"w", protection.parameters.text("w")},
          {"rp", protection.parameters.real("rp")},
          {"rq", std::move(shares)},
          {"retained", blend.retained.size()},
          {"features", blend.pull.size()},
          {"form", protection.parameters.text("form")}};
}

}  // namespace

ClosedSetData::ClosedSetData(const Experiment& experiment, std::filesystem::path run, std::uint64_t seed)
    : experiment_(experiment),
      seed_(seed),
      shelf_(experiment, std::move(run), seed),
      data_("data", read_data(experiment.target.path.string(), without_identities(experiment.target.options))),
      split_(closed_set_split(data_.clear(), experiment.attributes.front(), experiment.test_share, seed)) {
  std::vector<std::string> names = experiment.attributes;
  for (const auto& [name, weight] : experiment.keep) names.push_back(name);
  for (const auto& name : names) (void)data_.clear().labels.column(name);
}

Json ClosedSetData::json() const {
  const auto failed = data_.clear().failed();
  return {
      {"kind", "closed-set"},
      {"text", fmt::format("{:g} % of the samples of each {}{} are anonymised and judged, the others are learned from",
                           100 * experiment_.test_share, split_.one_sample_each ? "" : "identity and ",
                           experiment_.attributes.front())},
      {"train", split_.train.size()},
      {"test", split_.test.size()},
      {"failures", std::count(failed.begin(), failed.end(), true)},
      {"one_record_per_identity", split_.one_sample_each}};
}

Json ClosedSetData::inputs() const {
  Json edges = Json::object();
  for (const auto& [name, values] : experiment_.classes) edges[name] = values;
  return {{"data", data_.digest()},
          {"test", experiment_.test_share},
          {"attribute", experiment_.attributes},
          {"fitted for", shelf_.hide()},
          {"keep", experiment_.keep},
          {"edges", std::move(edges)},
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
    const Dataset all = without_identity_column(data_.clear(), split_.one_sample_each);
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
    const std::optional<Blend> blend = protection.protection->blend();
    values = originals.measure(protect(originals.test()), &train, blend);
    if (blend) parameters = parameters_json(protection, *blend);
  }
  values["parameters"] = std::move(parameters);
  const Json about = json();
  values["failures"] = about["failures"];
  values["split"] = about["text"];
  return values;
}

std::vector<Cell> closed_set_cells(const CellContext& context, ClosedSetData& data) {
  std::vector<Cell> cells;
  for (const auto& technique : context.experiment.all_techniques()) {
    cells.push_back({{{"step", "anonymity"}, {"technique", technique}, {"representation", ""}},
                     data.inputs(),
                     [&data, technique] { return data.measure(technique); }});
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
