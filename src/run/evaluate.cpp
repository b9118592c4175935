#include "bauta/run/evaluate.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "answers.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/seal.hpp"
#include "bauta/core/version.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/protect/key_regime.hpp"
#include "bauta/protect/media.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/question/adversary.hpp"
#include "bauta/question/attack_data.hpp"
#include "bauta/question/attribute_classes.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/run/promises.hpp"
#include "bauta/run/reading.hpp"
#include "independence.hpp"
#include "stored_views.hpp"

namespace bauta {

namespace {

/// Samples without identities become subjects of their own: protocols deal out subjects.
Dataset with_identities(Dataset data) {
  if (!data.identity_column.empty()) return data;
  std::vector<std::string> names;
  for (std::size_t row = 0; row < data.size(); ++row) names.push_back(fmt::format("sample {}", row + 1));
  data.identity_column = "identity";
  while (data.labels.has(data.identity_column)) data.identity_column += "_";
  data.labels.add_column(data.identity_column, std::move(names));
  data.remarks.push_back("no identities are named: each sample counts as a subject of its own");
  return data;
}

Source read_source(const DataReference& reference, bool lenient = false) {
  ReadOptions options = reference.options;
  if (lenient) options.identity_required = options.templates_required = false;
  Source source{read_data(reference.path.string(), options), {}};
  source.digest = digest(source.data);
  return source;
}

ExperimentData read_sources(const Experiment& experiment) {
  const bool media = !experiment.setting.representations.empty();
  ExperimentData data;
  data.target = read_source(experiment.target, experiment.closed_set || media);
  if (experiment.pep) {
    data.target.data = with_identities(std::move(data.target.data));
    data.target.digest = digest(data.target.data);
  }
  const auto add = [&](const DataReference& reference, std::optional<Source>& place) {
    if (!reference.path.empty()) place = read_source(reference, media || experiment.closed_set);
  };
  add(experiment.attacker, data.attacker);
  add(experiment.dev, data.dev);
  add(experiment.fit, data.fit);
  add(experiment.background, data.background);
  for (const Source* source : data.given()) {
    if (!source->data.templates.empty() && media) {
      throw_usage("extract.representation", source->data.origin + " holds templates, which need none", "remove it");
    }
  }
  return data;
}

/// Every column that the experiment names is there, and attackers and targets write classes alike.
void check_columns(const Experiment& experiment, const ExperimentData& data) {
  const Setting& setting = experiment.setting;
  const LabelTable& labels = data.target.data.labels;
  for (const auto& attribute : setting.attributes) (void)labels.column(attribute);
  for (const auto& [name, weight] : setting.keep) (void)labels.column(name);
  const Dataset& learned_from = data.fit ? data.fit->data : data.target.data;
  for (const auto& technique : setting.techniques) {
    if (!protection_declaration(technique).learns) continue;
    for (const auto& attribute : setting.hide) (void)learned_from.labels.column(attribute);
  }
  if (!data.attacker) return;
  for (const auto& attribute : setting.attributes) {
    const auto asked = setting.classes.find(attribute);
    const AttributeClasses classes = attribute_classes(
        data.attacker->data, attribute, asked == setting.classes.end() ? std::vector<double>() : asked->second);
    require_attribute(with_classes(data.attacker->data, classes), with_classes(data.target.data, classes), attribute);
  }
}

Arrangement arranged(const Experiment& experiment, const ExperimentData& data, std::uint64_t seed) {
  const auto& attributes = experiment.setting.attributes;
  if (experiment.pep) {
    return privacy_evaluation(data.sources(), *experiment.pep, attributes.front(), experiment.repeats, seed);
  }
  if (experiment.closed_set) {
    return closed_set(data.sources(), attributes.empty() ? "" : attributes.front(), experiment.test_share,
                      experiment.repeats, seed);
  }
  return cross_database(data.sources());
}

/// Key holders' error rates flatter a keyed technique: what is left when the key is lost belongs beside them.
Json flattering_remarks(const Experiment& experiment) {
  Json remarks = Json::array();
  for (const auto& technique : experiment.techniques) {
    if (!has_personal_keys(technique)) continue;
    const std::string stolen = with_parameters(technique, under_regime(KeyRegime::stolen));
    if (std::find(experiment.techniques.begin(), experiment.techniques.end(), stolen) != experiment.techniques.end())
      continue;
    remarks.push_back(
        fmt::format("{} is measured with secret keys only: its error rates are due to the key. Add {} to see what the "
                    "template itself holds",
                    technique, stolen));
  }
  return remarks;
}

/// What a technique cannot take is known before anything is computed.
void check_techniques(const Experiment& experiment, const ExperimentData& data, std::uint64_t seed) {
  for (const auto& technique : experiment.setting.techniques) {
    const ResolvedProtection resolved = make_protection(technique);
    const auto& hide = experiment.setting.hide;
    if (resolved.declaration->keeps && hide.size() > 1) {
      throw_usage("data.attribute",
                  fmt::format("{} is fitted for one attribute of interest, and {} are named",
                              resolved.declaration->name, hide.size()),
                  "say which with data.hide = \"" + hide.front() + "\"");
    }
    if (resolved.declaration->learns) continue;  // what it can take is known when it has learned
    for (const auto* source :
         {&std::as_const(data.target), data.attacker ? &*data.attacker : nullptr, data.dev ? &*data.dev : nullptr}) {
      if (source == nullptr || source->data.templates.empty()) continue;
      resolved->check(source->data.templates, source->data.origin, protect_context(source->data, seed));
    }
  }
}

Json protocol_json(const Experiment& experiment, const Arrangement& arrangement, const ExperimentData& data) {
  if (experiment.closed_set) {
    const Roles& roles = arrangement.rotations.front();
    return {{"kind", arrangement.kind},
            {"text", arrangement.text},
            {"train", roles.at(Role::enrol).rows.size()},
            {"test", roles.at(Role::probe).rows.size()},
            {"one_record_per_identity", arrangement.one_sample_each}};
  }
  if (!experiment.pep) return nullptr;
  Json balance = Json::array();
  std::size_t fold = 0;
  for (const FoldBalance& share : fold_balance(data.target.data, arrangement.folds, arrangement.balanced_on)) {
    balance.push_back(
        {{"fold", ++fold}, {"identities", share.identities}, {"samples", share.samples}, {"classes", share.classes}});
  }
  return {{"kind", arrangement.kind},
          {"text", arrangement.text},
          {"folds", experiment.pep->folds()},
          {"train", experiment.pep->train},
          {"dev", experiment.pep->dev},
          {"test", experiment.pep->test},
          {"rotations", arrangement.rotations.size()},
          {"attribute", arrangement.balanced_on},
          {"balance", std::move(balance)}};
}

struct Cell {
  const Question* question = nullptr;
  Asked asked;
};

/// An experiment with everybody, or with some of the people.
struct Part {
  Selection selection;
  std::vector<std::string> techniques;  ///< people who are chosen on masked samples are others for each technique
  std::shared_ptr<StoredViews> views;
  std::vector<Cell> cells = {};
};

/// Media need somebody who makes templates of them.
void require_templates(const Asked& asked, const Views& views) {
  for (const Recipe& recipe : asked.views) {
    if (!recipe.representation.extractor.empty()) continue;
    const Dataset data = views.clear(recipe.role, 0);
    if (!data.templates.empty()) continue;
    throw_usage(data.origin, "holds media, and nothing says how templates are made of them",
                "name it in the experiment: representation under [extract] (see: bauta list extractors)");
  }
}

/// Technique by technique, so that what is masked is masked once.
std::vector<Cell> asked_cells(const Experiment& experiment, const Selection& selection,
                              const std::vector<std::string>& techniques, const Views& views) {
  std::vector<Cell> cells;
  Setting setting = experiment.setting;
  setting.techniques = techniques;
  for (const auto& technique : techniques) {
    for (const auto& question : questions()) {
      for (Asked& asked : question->ask(setting, views, technique)) {
        if (!selection.everybody()) {
          asked.key.update({{"identities", selection.size_text()}, {"selection", selection.by}});
          if (selection.looks()) asked.key["selected_on"] = to_text(selection.selected_on);
        }
        cells.push_back({question.get(), std::move(asked)});
      }
    }
  }
  for (const Cell& cell : cells) require_templates(cell.asked, views);
  if (cells.empty()) {
    throw_input(experiment.target.path.string(),
                "there is nothing to compute: nothing is asked that has an answer here",
                "ask something under [attack] or [measure] (see: bauta list questions); who has one sample only is "
                "recognised by nobody");
  }
  return cells;
}

/// The parts of an experiment. Who is chosen by looking at samples is known when these were made; until then others
/// stand in for them, so that what is wrong is found before anything is computed.
class Planned {
 public:
  Planned(const Experiment& experiment, const ExperimentData& data, const Arrangement& arrangement,
          const EvaluateOptions& options)
      : experiment_(experiment), data_(data), arrangement_(arrangement), options_(options) {
    const bool looks = std::ranges::any_of(experiment.selections, [](const Selection& one) { return chosen(one); });
    if (looks) everybody_ = views(arrangement);
  }

  [[nodiscard]] std::vector<Part> parts() const {
    std::vector<Part> parts;
    for (const Selection& selection : experiment_.selections) {
      const auto& techniques = experiment_.setting.techniques;
      const bool each = chosen(selection) && selection.looks() && selection.selected_on != SelectedOn::clear;
      if (!each) add({selection, techniques, nullptr}, parts);
      for (std::size_t i = 0; each && i < techniques.size(); ++i) add({selection, {techniques[i]}, nullptr}, parts);
    }
    return parts;
  }

  /// What is looked at to choose the people of any part is made of media in the same walk as all else.
  void choose(Part& part) const {
    if (!chosen(part.selection) || !part.selection.looks()) return;
    for (const Selection& selection : experiment_.selections) {
      for (const auto& technique : experiment_.setting.techniques) {
        everybody_->expect(looked_at(selection, experiment_.choosing, experiment_.setting, technique));
      }
    }
    arrange(part, people_orders(part.selection, experiment_.choosing, experiment_.setting, part.techniques.front(),
                                *everybody_));
  }

 private:
  /// Neither everybody nor by chance.
  static bool chosen(const Selection& selection) {
    return !selection.everybody() && selection.goes_by() != ChosenBy::chance;
  }
  [[nodiscard]] std::shared_ptr<StoredViews> views(Arrangement arrangement) const {
    return std::make_shared<StoredViews>(data_, std::move(arrangement), experiment_.setting.hide, options_);
  }
  void arrange(Part& part, const std::vector<PeopleOrder>& orders) const {
    part.views = views(only_people(arrangement_, data_.sources(), part.selection, orders));
    part.cells = asked_cells(experiment_, part.selection, part.techniques, *part.views);
  }
  void add(Part part, std::vector<Part>& parts) const {
    if (chosen(part.selection) && !part.selection.looks()) {
      arrange(part, people_orders(part.selection, experiment_.choosing, experiment_.setting, part.techniques.front(),
                                  *everybody_));
    } else {
      if (part.selection.looks() && chosen(part.selection)) require_closed_set(part.selection);
      part.views = part.selection.everybody() && everybody_ != nullptr
                       ? everybody_
                       : views(only_people(arrangement_, data_.sources(), part.selection, options_.seed));
      part.cells = asked_cells(experiment_, part.selection, part.techniques, *part.views);
    }
    parts.push_back(std::move(part));
  }
  void require_closed_set(const Selection& selection) const {
    if (arrangement_.has(Role::enrol)) return;
    throw_usage("protocol.selection",
                fmt::format("'{}' looks at known samples of people, as in a closed set", selection.by),
                "choose protocol.kind = \"closed-set\", or selection \"random\" or \"metadata\"");
  }

  const Experiment& experiment_;
  const ExperimentData& data_;
  const Arrangement& arrangement_;
  const EvaluateOptions& options_;
  std::shared_ptr<StoredViews> everybody_;  // null: nobody is chosen but by chance
};

/// Which data sets techniques mask for a cell; where that cannot even be named it is the cell's error.
std::map<std::string, std::set<std::size_t>> masked_for(const Cell& cell, StoredViews& views) {
  try {
    return views.masked_sources(cell.asked.views);
  } catch (const Error&) {
    return {};
  }
}

/// What techniques will be asked to mask is known before anything is computed.
void check_masked(const std::vector<Part>& parts, const ExperimentData& data, Json& remarks) {
  std::map<std::string, std::set<std::size_t>> masked;
  for (const Part& part : parts) {
    for (const Cell& cell : part.cells) {
      for (auto& [technique, sources] : masked_for(cell, *part.views)) masked[technique].merge(sources);
    }
  }
  for (const auto& [technique, sources] : masked) {
    std::vector<const Dataset*> wholes;
    for (const std::size_t source : sources) wholes.push_back(&data.given()[source]->data);
    for (std::string& remark : make_protection(technique)->check_all(wholes)) remarks.push_back(std::move(remark));
  }
}

/// Whom no cell asks anything against a technique: silence would be taken for protection.
void remark_on_idle(const Setting& setting, const std::vector<const Cell*>& cells, Json& remarks) {
  const auto say = [&](std::string remark) {
    remarks.push_back(std::move(remark));
    warn(remarks.back().get<std::string>());
  };
  const bool masked = std::ranges::any_of(setting.techniques, [](const auto& technique) { return masks(technique); });
  const auto has_adversary = [](const Cell* cell) { return cell->asked.key.contains("adversary"); };
  if (masked && setting.given.contains("protocol.adversary") && std::ranges::none_of(cells, has_adversary)) {
    say("protocol.adversary has no effect here: nothing is asked that has adversaries");
    return;
  }
  for (const auto& technique : setting.techniques) {
    for (const auto& adversary : setting.adversaries) {
      if (!masks(technique) || !attempts_on(technique, {adversary}, setting).empty()) continue;
      say(fmt::format(
          "'{}' is tried by nobody against {}: no recovery at hand undoes it from one enrolment of each sample",
          adversary, technique));
    }
  }
}

/// Adversaries who hold and meet the same samples wherever they are asked about are one attacker by several names.
void remark_on_namesakes(const std::vector<const Cell*>& cells, Json& remarks) {
  using Tried = std::vector<std::pair<Json, std::vector<Recipe>>>;
  std::map<std::string, Tried> by_name;
  for (const Cell* cell : cells) {
    Json key = cell->asked.key;
    if (!key.contains("adversary")) continue;
    Tried& tried = by_name[key["adversary"]];
    key.erase("adversary");
    tried.emplace_back(std::move(key), cell->asked.views);
  }
  while (!by_name.empty()) {
    const Tried tried = by_name.begin()->second;
    std::vector<std::string> names;
    for (const auto& [name, other] : by_name) {
      if (other == tried) names.push_back(name);
    }
    for (const std::string& name : names) by_name.erase(name);
    if (names.size() < 2) continue;
    remarks.push_back(fmt::format("{} are one attacker here: nothing is learned of how they see the samples",
                                  fmt::join(names, ", ")));
    warn(remarks.back().get<std::string>());
  }
}

/// What the experiment says and nobody hears, which would be taken for answered. What switches something off is heard.
void remark_on_unheard(const Setting& setting, const std::vector<const Cell*>& cells, Json& remarks) {
  std::map<std::string, std::vector<QuestionDeclaration>> unheard;  // keys, with the questions that would read them
  for (const auto& question : questions()) {
    const QuestionDeclaration declaration = question->declaration();
    for (const Key& key : declaration.keys) {
      const std::string name = key.section + "." + key.name;
      const Json& value = setting.keys[key.section][key.name];
      if (setting.given.contains(name) && value != false && !value.empty()) unheard[name].push_back(declaration);
    }
  }
  for (const auto& [name, readers] : unheard) {
    const std::string axis = name.substr(name.find('.') + 1);
    const bool heard = std::any_of(cells.begin(), cells.end(), [&, &readers = readers](const Cell* cell) {
      return cell->asked.key.contains(axis) ||
             std::ranges::count(readers, cell->question->declaration().name, &QuestionDeclaration::name) > 0;
    });
    if (heard) continue;
    std::vector<std::string> who;
    for (const QuestionDeclaration& reader : readers) {
      who.push_back(reader.only.empty() ? reader.name : fmt::format("{} is asked only {}", reader.name, reader.only));
    }
    remarks.push_back(
        fmt::format("{} has no effect here: nothing is asked that reads it ({})", name, fmt::join(who, "; ")));
    warn(remarks.back().get<std::string>());
  }
}

/// Where an answer lies: the question's parameters, its views and the program decide about it, and nothing else.
std::string address_of(const Asked& asked, const Views& views) {
  Json recipes = Json::array();
  for (const Recipe& recipe : asked.views) recipes.push_back(views.digest(recipe));
  return digest(Json{asked.key, asked.parameters, recipes, views.seed(), version, code_digest()}.dump());
}

/// Media that the cell would have looked at and could not; what cannot even be named is the cell's error.
std::vector<Json> lost_for(const Cell& cell, StoredViews& views) {
  try {
    return views.lost(cell.asked.views);
  } catch (const Error&) {
    return {};
  }
}

Json computed(const Cell& cell, Views& views, EvaluateSummary& summary) {
  try {
    return answered(*cell.question, cell.asked, views);
  } catch (const Error& error) {
    if (error.fault == Fault::input) ++summary.failed_by_input;
    return {{"key", cell.asked.key},
            {"status", "failed"},
            {"error", error.what()},
            {"findings", Json::array()},
            {"values", Json::object()}};
  }
}

/// What came of the cells.
struct Finished {
  Json cells = Json::array();
  std::vector<Finding> findings = {};  ///< with their draws, which results.json does without
  std::vector<Json> lost = {};         ///< media without a template
};

/// Computes what is not there yet.
void finish_cells(const Part& part, const CellStore& store, Progress& progress, EvaluateSummary& summary,
                  Finished& finished) {
  // What will be looked at is known before the first look.
  std::vector<std::string> addresses;
  std::vector<std::optional<Json>> results;
  for (const Cell& cell : part.cells) {
    addresses.push_back(address_of(cell.asked, *part.views));
    results.push_back(store.find(addresses.back()));
    if (!results.back()) part.views->expect(cell.asked.views);
  }
  for (std::size_t i = 0; i < part.cells.size(); ++i) {
    std::optional<Json>& result = results[i];
    if (!result) {
      result = computed(part.cells[i], *part.views, summary);
      (*result)["lost"] = lost_for(part.cells[i], *part.views);
      ++summary.computed;
      if ((*result)["status"] == "done") store.put(addresses[i], *result);
    }
    if ((*result)["status"] == "failed") ++summary.failed;
    for (Json& lost : (*result)["lost"]) {
      if (std::ranges::find(finished.lost, lost) == finished.lost.end()) finished.lost.push_back(std::move(lost));
    }
    result->erase("lost");
    finished.cells.push_back(shown(std::move(*result), finished.findings));
    progress.add(1);
  }
}

/// Who took part, in each repetition: everybody by their first row in the data, from 1.
Json chosen_json(const Part& part) {
  Json rotations = Json::array();
  for (std::size_t r = 0; r < part.views->rotations(); ++r) {
    const Dataset all = part.views->clear(Role::whole, r);
    const auto& rows = part.views->arrangement().rotations[r].at(Role::whole).rows;
    const auto& names = all.labels.column(all.identity_column);
    std::set<std::string> seen;
    Json people = Json::array();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!names[i].empty() && seen.insert(names[i]).second) people.push_back(rows[i] + 1);
    }
    rotations.push_back(std::move(people));
    if (!part.views->arrangement().repeated) break;
  }
  Json json = {
      {"selection", part.selection.by}, {"identities", part.selection.size_text()}, {"rows", std::move(rotations)}};
  if (part.selection.looks()) json["selected_on"] = to_text(part.selection.selected_on);
  if (part.techniques.size() == 1) json["technique"] = part.techniques.front();
  return json;
}

Json sweeps_json(const Experiment& experiment) {
  Json sweeps = Json::array();
  for (const Sweep& sweep : experiment.sweeps) {
    Json axes = Json::array();
    for (const auto& axis : sweep.axes) axes.push_back({{"name", axis.name}, {"values", axis.values}});
    sweeps.push_back({{"axes", std::move(axes)}, {"techniques", sweep.techniques}});
  }
  return sweeps;
}

}  // namespace

EvaluateSummary evaluate(const Experiment& asked, const EvaluateOptions& options) {
  // Everything that can be wrong with the input is found before the first computation.
  Experiment experiment = asked;
  ExperimentData data = read_sources(experiment);
  experiment.setting.medium = medium_of(data.target.data);
  check_columns(experiment, data);
  const Arrangement arrangement = arranged(experiment, data, options.seed);
  // Who has one sample only is nobody that could be known from another.
  if (arrangement.one_sample_each) data.target.data.identity_column.clear();
  guard(arrangement, data.sources());  // who are chosen from these are apart as well
  check_techniques(experiment, data, options.seed);
  Json remarks = flattering_remarks(experiment);
  for (const auto& remark : data.target.data.remarks) remarks.push_back(remark);
  for (const auto* source : {&data.attacker, &data.dev, &data.fit, &data.background}) {
    if (!*source) continue;
    for (const auto& remark : (*source)->data.remarks) remarks.push_back((*source)->data.origin + ": " + remark);
  }
  const Json near = find_near_duplicates(experiment, data, remarks);
  remark_on_suspects(experiment, data, arrangement, remarks);
  remark_on_made_together(experiment, data, arrangement, remarks);
  const Json before = earlier_masks(data, remarks);
  for (const auto& remark : arrangement.remarks) remarks.push_back(remark);
  for (const auto& remark : remarks) warn(remark.get<std::string>());
  // Whoever asked for them was warned.
  const Json& draws = experiment.setting.keys["measure"]["bootstrap"];
  if (std::string few = few_draws(draws.get<std::size_t>()); !few.empty()) remarks.push_back(std::move(few));

  EvaluateSummary summary;
  summary.protocol = protocol_json(experiment, arrangement, data);
  Planned planned(experiment, data, arrangement, options);
  std::vector<Part> parts = planned.parts();
  std::vector<const Cell*> cells;
  for (const Part& part : parts) {
    for (const Cell& cell : part.cells) cells.push_back(&cell);
  }
  summary.cells = cells.size();
  check_masked(parts, data, remarks);
  remark_on_idle(experiment.setting, cells, remarks);
  remark_on_namesakes(cells, remarks);
  for (const auto& question : questions()) {
    for (const std::string& remark : question->remarks(experiment.setting, arrangement)) {
      remarks.push_back(remark);
      warn(remark);
    }
  }
  remark_on_unheard(experiment.setting, cells, remarks);
  const CellStore store(options.out);
  const RunLock alone(options.out);
  Finished finished;
  Json chosen = Json::array();
  Progress progress("cells", summary.cells);
  for (Part& part : parts) {
    planned.choose(part);
    finish_cells(part, store, progress, summary, finished);
    if (!part.selection.everybody()) chosen.push_back(chosen_json(part));
    if (&part != &parts.back()) part.views.reset();  // and what it holds in memory
  }
  Json results = {{"bauta", version},
                  {"schema", results_schema},
                  {"experiment", experiment.resolved()},
                  {"seed", options.seed},
                  {"cells", std::move(finished.cells)},
                  {"protocol", summary.protocol},
                  {"techniques", promises_json(experiment.setting.techniques, data.target.data)},
                  {"sweeps", sweeps_json(experiment)},
                  {"people", std::move(chosen)},
                  {"near_duplicates", near},
                  {"lost", std::move(finished.lost)},
                  {"remarks", std::move(remarks)}};
  if (!before.empty()) results["earlier_masks"] = before;
  (void)add_ranking(results, finished.findings);
  write_file(options.out / "results.json", sealed(std::move(results)).dump(1) + "\n");
  for (const Source* source : data.given()) {
    if (source->data.media) summary.decoded += source->data.media->decoded();
  }
  // A cell that failed is complete, too: what holds biometric data does not stay for its sake.
  if (!options.keep_steps) parts.back().views->remove_steps();
  return summary;
}

}  // namespace bauta
