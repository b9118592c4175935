#include "bauta/run/evidence.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "answers.hpp"
#include "bauta/core/seal.hpp"
#include "bauta/core/version.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/protocol/release_sample.hpp"
#include "bauta/question/adversary.hpp"
#include "bauta/question/mixture_search.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/run/promises.hpp"
#include "given_views.hpp"

namespace bauta {

namespace {

// People who are named at most: naming is learned in time that grows with their number.
constexpr std::size_t most_people = 500;

GivenViews released_views(const ResolvedProtection& protection, const Released& released, const ReleaseSample& sample,
                          const std::filesystem::path& folder, std::uint64_t seed) {
  const Templates public_templates = to_float_templates(read_npy(folder / "templates.npy"));
  // What the release made of samples, under their own labels: nobody but its maker can put this together.
  const auto part = [&](const std::vector<std::size_t>& rows) {
    GivenViews::Part made{sample.data.select(rows), {}};
    std::vector<std::size_t> places;
    for (const std::size_t row : rows) places.push_back(released.place[sample.rows[row]]);
    made.hidden = made.clear;
    made.hidden.templates = public_templates.select(places);
    return made;
  };
  std::vector<std::size_t> others = sample.learn;
  others.insert(others.end(), sample.search.begin(), sample.search.end());
  std::sort(others.begin(), others.end());
  const std::string split = fmt::format(
      "{} records{}: a quarter of each {}{} was judged as it was released, attributes and names were learned from the "
      "others; records were looked for among all {} originals",
      sample.rows.size(),
      sample.whole ? ""
                   : fmt::format(" of {}, drawn at random by person (fewer candidates are easier to tell apart)",
                                 released.records),
      sample.one_sample_each ? "" : "identity and ", protection.attributes, sample.rows.size());
  return {part(others), part(sample.evidence), protection, split, seed};
}

/// What an experiment with these two techniques would ask by default.
Setting release_setting(const std::vector<std::string>& techniques, const Released& released, std::size_t bootstrap) {
  Setting setting{.techniques = techniques, .attributes = {released.columns.front()}};
  setting.hide = setting.attributes;
  setting.adversaries = usual_adversaries(true);
  for (std::size_t c = 1; c < released.columns.size(); ++c) setting.keep[released.columns[c]] = 1;
  for (const auto& question : questions()) {
    for (const Key& key : question->declaration().keys) setting.keys[key.section][key.name] = key.fallback;
  }
  setting.keys["measure"]["bootstrap"] = bootstrap;
  return setting;
}

/// What a release is asked beyond an experiment: records may come from all of the data, and are looked for in all that
/// is judged.
Json release_parameters(const Dataset& dataset, const std::string& attribute) {
  std::map<std::string, std::size_t> population;
  const std::vector<bool> failed = dataset.failed();
  const auto& classes = dataset.labels.column(attribute);
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (!failed[row]) ++population[classes[row]];
  }
  return {{"among_all", true}, {"population", population}, {"most_people", most_people}};
}

/// The data without what was not released: such samples are treated as failed ones are.
Dataset released_part(const Dataset& dataset, const Released& released) {
  if (released.labels.left_out == 0) return dataset;
  Dataset part = dataset;
  std::vector<bool> failed;
  for (const std::size_t place : released.place) failed.push_back(place == Released::nowhere);
  part.mark_failed(failed);
  return part;
}

}  // namespace

Json labels_json(const LabelRisk& risk) {
  return {{"combinations", risk.combinations},
          {"smallest", risk.smallest},
          {"k", risk.k},
          {"rare_combinations", risk.rare_combinations},
          {"rare_people", risk.rare_people},
          {"generalised", risk.generalised},
          {"suppressed", risk.suppressed},
          {"left_out", risk.left_out}};
}

Json release_evidence(const ResolvedProtection& protection, const Dataset& data, const Released& released,
                      const std::filesystem::path& folder, const EvidenceRun& run) {
  const Dataset dataset = released_part(data, released);
  const ReleaseSample sample = release_sample(dataset, protection.attributes, run.seed);
  GivenViews views = released_views(protection, released, sample, folder, run.seed);
  const std::vector<std::string> techniques = {baseline(), protection.parameters.brief()};
  const Setting setting = release_setting(techniques, released, run.bootstrap);
  const Json more = release_parameters(dataset, protection.attributes);
  std::vector<Finding> findings;
  Json cells = Json::array();
  for (const auto& technique : techniques) {
    for (const auto& question : questions()) {
      for (Asked& asked : question->ask(setting, views, technique)) {
        asked.parameters.update(more);
        cells.push_back(shown(answered(*question, asked, views), findings));
      }
    }
  }
  Json results = {{"bauta", version},
                  {"schema", results_schema},
                  {"seed", run.seed},
                  {"techniques", Json::array({promise_json(techniques.back(), released.promise)})},
                  {"experiment", {{"report", {{"title", "What does the released data still tell?"}}}}},
                  {"release",
                   {{"technique", released.provenance.technique},
                    {"records", released.records},
                    {"features", released.features},
                    {"failures", released.failures},
                    {"judged", sample.evidence.size()},
                    {"candidates", sample.rows.size()},
                    {"one_record_per_identity", sample.one_sample_each},
                    {"columns", released.columns},
                    {"rare", to_text(released.rare)},
                    {"labels", labels_json(released.labels)},
                    {"exact_copies", released.exact_copies},
                    {"search", checked_search(run.search, cells)}}}};
  results["cells"] = std::move(cells);
  const std::vector<RankedTarget> ranking = add_ranking(results, findings);
  const Traced traced = traced_by(ranking);
  results["release"].update({{"traceable", traced == Traced::surely}, {"unclear", traced == Traced::perhaps}});
  return sealed(std::move(results));
}

}  // namespace bauta
