#include "bauta/run/experiment.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/extract/extractor.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/learn/tuning.hpp"
#include "bauta/protect/protection.hpp"
#include "bauta/recover/recovery.hpp"
#include "experiment_section.hpp"

namespace bauta {

namespace {

namespace fs = std::filesystem;

DataReference read_reference(Section& section, const std::string& key, const fs::path& folder) {
  DataReference data;
  const toml::node* node = section.find(key);
  if (node == nullptr) return data;
  const auto resolve = [&](const std::string& text) {
    return fs::path(text).is_absolute() ? fs::path(text) : folder / text;
  };
  if (const auto* table = node->as_table()) {
    Section inner(table, section.place(key, node), "");
    const auto text = [&](const std::string& name) {
      return single(inner.list<std::string>(name, as_text), std::string(), name);
    };
    const std::string path = text("path");
    if (path.empty()) throw_usage(section.place(key, node), "needs a 'path'");
    data.path = resolve(path);
    if (const std::string labels = text("labels"); !labels.empty()) data.options.labels = resolve(labels);
    if (const std::string identity = text("identity"); !identity.empty()) data.options.identity = identity;
    data.options.key = text("key");
    data.options.only = text("only");
    inner.finish();
  } else {
    data.path = resolve(as_text(*node, section.place(key, node)));
  }
  return data;
}

/// classes = { age = [18, 40, 60] }
std::map<std::string, std::vector<double>> read_classes(Section& section) {
  std::map<std::string, std::vector<double>> classes;
  const toml::node* node = section.find("classes");
  if (node == nullptr) return classes;
  if (!node->is_table()) throw_usage(section.place("classes", node), "{ ATTRIBUTE = [edge, edge, ...] } is expected");
  for (const auto& [key, edges] : *node->as_table()) {
    const std::string name(key.str());
    Section inner(node->as_table(), section.place("classes", node), "");
    classes[name] = inner.list<double>(name, [](const toml::node& edge, const std::string& where) {
      const auto value = edge.value<double>();
      if (!value || !std::isfinite(*value)) throw_usage(where, "a number is expected");
      return *value;
    });
  }
  return classes;
}

/// keep = ["age"], or with weights: { age = 0.5 }
std::map<std::string, double> read_keep(Section& section) {
  std::map<std::string, double> keep;
  const toml::node* node = section.find("keep");
  if (node == nullptr) return keep;
  if (const auto* table = node->as_table()) {
    for (const auto& [key, weight] : *table) {
      const std::string name(key.str());
      const auto value = weight.value<double>();
      if (!value || !(*value >= 0) || std::isinf(*value)) {
        throw_usage(section.place("keep." + name, &weight), "a weight of at least 0 is expected");
      }
      keep[name] = *value;
    }
    return keep;
  }
  for (const auto& name : section.list<std::string>("keep", as_text)) keep[name] = 1;
  return keep;
}

/// A protocol deals out one data set by itself, and decides about attributes: what belongs to attacks across data bases
/// has no place in it.
void require_alone(const Experiment& experiment, const std::string& where) {
  const auto refuse = [&](bool there, const char* key) {
    if (there) {
      throw_usage(where + ": " + key, "has no place in a privacy evaluation protocol",
                  "remove it, or choose protocol.kind = \"cross-database\"");
    }
  };
  refuse(!experiment.attacker.path.empty(), "data.attacker");
  refuse(!experiment.fit.path.empty(), "data.fit");
  refuse(!experiment.dev.path.empty(), "data.dev");
  refuse(!experiment.decision_fmr.empty(), "attack.decision");
  refuse(!experiment.recoveries.empty(), "attack.recovery");
  refuse(!experiment.queries.empty(), "attack.online");
  if (experiment.attributes.empty()) {
    throw_usage(where + ": data.attribute", "is missing, folds are balanced on it");
  }
}

/// A closed set asks who it is; what asks for attributes across data bases has no place in it.
void require_closed_set(const Experiment& experiment, const std::string& where) {
  const auto refuse = [&](bool there, const char* key) {
    if (there) throw_usage(where + ": " + key, "has no place in a closed set", "remove it");
  };
  refuse(!experiment.attacker.path.empty(), "data.attacker");
  refuse(!experiment.fit.path.empty(), "data.fit");
  refuse(!experiment.dev.path.empty(), "data.dev");
  refuse(!experiment.rules.empty(), "attack.similarity");
  refuse(!experiment.recoveries.empty(), "attack.recovery");
  refuse(!experiment.queries.empty(), "attack.online");
  refuse(experiment.unlinkability, "measure.unlinkability");
  if (experiment.attributes.size() != 1) {
    throw_usage(where + ": data.attribute",
                fmt::format("names {} attributes, one is of interest", experiment.attributes.size()),
                "others go to data.keep");
  }
  if (experiment.estimators.size() > 1) {
    throw_usage(where + ": attack.estimator", "one estimator reads attributes in a closed set");
  }
  for (const auto& [name, weight] : experiment.keep) {
    if (name == experiment.attributes.front())
      throw_usage(where + ": data.keep", name + " is the attribute of interest");
  }
}

Section open(const toml::table& root, const fs::path& path, const std::string& name) {
  const toml::node* node = root.get(name);
  if (node != nullptr && !node->is_table())
    throw_usage(path.string() + ": " + name, "is not a section", "write [" + name + "]");
  return {node == nullptr ? nullptr : node->as_table(), path.string(), name};
}

}  // namespace

std::vector<std::string> experiment_variants(const fs::path& path) {
  return variant_names(parse_experiment(path, {}, {}), path);
}

Experiment read_experiment(const fs::path& path, const std::vector<std::string>& overrides,
                           const std::string& variant) {
  const toml::table root = parse_experiment(path, overrides, variant);
  if (const auto names = variant_names(root, path); !names.empty() && variant.empty()) {
    throw_usage(path.string(), fmt::format("has variants, and none is chosen: {}", fmt::join(names, ", ")));
  }
  const std::vector<std::string> sections = {"data",   "protect", "extract", "protocol",
                                             "attack", "measure", "report",  "variant"};
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    if (std::find(sections.begin(), sections.end(), name) == sections.end()) {
      throw_usage(path.string() + ": [" + name + "]", "unknown section", suggest(name, sections));
    }
  }

  Experiment experiment;
  Section data = open(root, path, "data");
  experiment.target = read_reference(data, "target", path.parent_path());
  experiment.attacker = read_reference(data, "attacker", path.parent_path());
  experiment.fit = read_reference(data, "fit", path.parent_path());
  experiment.dev = read_reference(data, "dev", path.parent_path());
  experiment.attributes = data.list<std::string>("attribute", as_text);
  experiment.hide = data.list<std::string>("hide", as_text);
  if (experiment.hide.empty()) experiment.hide = experiment.attributes;
  experiment.classes = read_classes(data);
  experiment.keep = read_keep(data);
  data.finish();
  if (experiment.target.path.empty())
    throw_usage(path.string() + ": data.target", "is missing", "name the data set to attack");

  Section protect = open(root, path, "protect");
  if (const auto techniques = protect.list<std::string>("technique", as_text); !techniques.empty())
    experiment.techniques = techniques;
  const std::vector<std::vector<Sweep::Axis>> sweeps = read_sweeps(protect);
  protect.finish();
  Section protocol = open(root, path, "protocol");
  const std::string kind =
      single(protocol.list<std::string>("kind", as_text), std::string("cross-database"), protocol.place("kind"));
  if (kind.starts_with("PEP")) {
    experiment.pep = parse_pep(kind);
    experiment.preparation = "unit,zscore";
  } else if (kind == "closed-set") {
    experiment.closed_set = true;
    experiment.test_share =
        single(protocol.list<double>("test", as_rate), experiment.test_share, protocol.place("test"));
  } else if (kind != "cross-database") {
    throw_usage(protocol.place("kind"), "'" + kind + "' is not available",
                "known: cross-database, closed-set, PEP-TF-3-1-1, PEP-LBS-1-1-3, PEP-LBL-3-1-1 and the like");
  }
  experiment.repeats =
      single(protocol.list<std::size_t>("repeats", as_count), experiment.repeats, protocol.place("repeats"));
  experiment.strict = single(protocol.list<bool>("strict", as_switch), experiment.strict, protocol.place("strict"));
  protocol.refuse_later({"adversary", "selection", "identities"});
  protocol.finish();

  for (auto& technique : experiment.techniques) {
    const ResolvedProtection resolved = make_protection(technique);
    if (experiment.pep) {
      require_suits(*experiment.pep, *resolved.declaration);
    } else if (resolved.declaration->learns && experiment.fit.path.empty() && !experiment.closed_set) {
      throw_usage(path.string() + ": data.fit", fmt::format("is missing, {} learns", resolved.declaration->name),
                  "name data of people who are neither in data.target nor in data.attacker, e.g. \"lfw@1/3\"");
    }
    technique = resolved.parameters.brief();
  }
  if (!experiment.closed_set && !(sweeps.empty() && experiment.keep.empty())) {
    throw_usage(path.string() + (sweeps.empty() ? ": data.keep" : ": protect.sweep"),
                "has a place in a closed set only", "choose protocol.kind = \"closed-set\"");
  }
  for (const auto& axes : sweeps) {
    const auto varied = std::find_if(experiment.techniques.begin(), experiment.techniques.end(),
                                     [](const auto& text) { return Specification::parse(text).name != "none"; });
    if (varied == experiment.techniques.end()) {
      throw_usage(path.string() + ": protect.technique", "names nothing whose parameters could be varied");
    }
    experiment.sweeps.push_back(sweep_of(*varied, axes, experiment.keep, path.string() + ": protect.sweep"));
  }

  Section extract = open(root, path, "extract");
  experiment.representations = extract.list<std::string>("representation", as_text);
  for (auto& representation : experiment.representations) {
    if (!experiment.closed_set) {
      throw_usage(extract.place("representation"), "is made for closed sets in this version",
                  "extract templates first: bauta extract");
    }
    representation = make_extractor(representation).parameters.brief();
  }
  extract.finish();

  Section attack = open(root, path, "attack");
  const toml::node* similarity = attack.find("similarity");
  if (similarity != nullptr) {
    if (!similarity->is_table())
      throw_usage(attack.place("similarity", similarity), "{ rule = [...], n = [...] } is expected");
    Section inner(similarity->as_table(), path.string(), "attack.similarity");
    experiment.rules = inner.list<SimilarityRule>("rule", [](const toml::node& node, const std::string& where) {
      return parse_similarity_rule(as_text(node, where));
    });
    if (experiment.rules.empty()) experiment.rules = SimilarityOptions{}.rules;
    const auto counts = inner.list<std::size_t>("n", [](const toml::node& node, const std::string& where) {
      const std::size_t n = as_count(node, where);
      if (n == 0) throw_usage(where, "n must be at least 1");
      return n;
    });
    if (!counts.empty()) experiment.n = counts;
    inner.finish();
    if (experiment.attacker.path.empty() && !experiment.pep)
      throw_usage(path.string() + ": data.attacker", "is missing, the similarity attack needs it");
    if (experiment.attributes.empty())
      throw_usage(path.string() + ": data.attribute", "is missing, the similarity attack needs it");
  }
  experiment.decision_fmr = attack.list<double>("decision", as_rate);
  experiment.estimators = attack.list<std::string>("estimator", as_text);
  for (const auto& estimator : experiment.estimators) (void)make_estimator(estimator);
  experiment.preparation =
      single(attack.list<std::string>("preparation", as_text), experiment.preparation, attack.place("preparation"));
  (void)Preparation(experiment.preparation);
  if (const toml::node* tuning = attack.find("tuning")) {
    if (!tuning->is_table())
      throw_usage(attack.place("tuning", tuning), "{ search = \"random\", trials = 20 } is expected");
    Section inner(tuning->as_table(), path.string(), "attack.tuning");
    experiment.search =
        single(inner.list<std::string>("search", as_text), std::string("random"), inner.place("search"));
    (void)parse_search(experiment.search);
    experiment.trials = single(inner.list<std::size_t>("trials", as_count), experiment.trials, inner.place("trials"));
    if (experiment.trials == 0) throw_usage(inner.place("trials"), "at least 1 is expected");
    inner.finish();
  }
  experiment.controls = single(attack.list<bool>("controls", as_switch), experiment.controls, attack.place("controls"));
  experiment.learning_curve =
      single(attack.list<bool>("learning_curve", as_switch), experiment.learning_curve, attack.place("learning_curve"));
  experiment.recoveries = attack.list<std::string>("recovery", as_text);
  for (const auto& recovery : experiment.recoveries) (void)make_recovery(recovery);
  experiment.enrolments =
      single(attack.list<std::size_t>("enrolments", as_count), experiment.enrolments, attack.place("enrolments"));
  experiment.queries = attack.list<std::size_t>("online", as_count);
  if (const auto recognisers = attack.list<std::string>("recogniser", as_text); !recognisers.empty()) {
    if (!experiment.closed_set) throw_usage(attack.place("recogniser"), "names people, which needs a closed set");
    experiment.recognisers = recognisers;
    for (const auto& recogniser : recognisers) (void)make_estimator(recogniser);
  }
  attack.refuse_later({"detector"});
  attack.finish();
  const bool attacks = !experiment.estimators.empty() || !experiment.queries.empty() || !experiment.recoveries.empty();
  if (experiment.closed_set) require_closed_set(experiment, path.string());
  if (attacks && !experiment.closed_set &&
      ((experiment.attacker.path.empty() && !experiment.pep) || experiment.attributes.empty())) {
    throw_usage(path.string() + ": [attack]", "needs data.attacker and data.attribute");
  }
  if (experiment.pep) require_alone(experiment, path.string());
  if (experiment.rules.empty() && !experiment.decision_fmr.empty()) {
    throw_usage(attack.place("decision"), "is a form of the similarity attack, which is not asked for");
  }

  Section measure = open(root, path, "measure");
  if (const auto fmr = measure.list<double>("fmr", as_rate); !fmr.empty()) experiment.fmr = fmr;
  experiment.bootstrap =
      single(measure.list<std::size_t>("bootstrap", as_count), experiment.bootstrap, measure.place("bootstrap"));
  experiment.unlinkability =
      single(measure.list<bool>("unlinkability", as_switch), false, measure.place("unlinkability"));
  if (const auto top = measure.list<std::size_t>("top", as_count); !top.empty()) {
    if (std::find(top.begin(), top.end(), 0) != top.end()) throw_usage(measure.place("top"), "k is at least 1");
    experiment.top = top;
  }
  experiment.temperature = single(measure.list<double>("temperature",
                                                       [](const toml::node& node, const std::string& where) {
                                                         const auto value = node.value<double>();
                                                         if (!value || !(*value > 0) || std::isinf(*value)) {
                                                           throw_usage(where, "a number above 0 is expected");
                                                         }
                                                         return *value;
                                                       }),
                                  experiment.temperature, measure.place("temperature"));
  measure.finish();

  Section report = open(root, path, "report");
  experiment.title =
      single(report.list<std::string>("title", as_text), "Bauta: " + path.stem().string(), report.place("title"));
  report.finish();
  return experiment;
}

std::vector<std::string> Experiment::all_techniques() const {
  std::vector<std::string> all;
  const auto add = [&](const std::vector<std::string>& more) {
    for (const auto& technique : more) {
      if (std::find(all.begin(), all.end(), technique) == all.end()) all.push_back(technique);
    }
  };
  add(techniques);
  for (const Sweep& sweep : sweeps) add(sweep.techniques);
  return all;
}

Json Experiment::resolved() const {
  const auto data = [](const DataReference& reference) -> Json {
    if (reference.path.empty()) return nullptr;
    Json json = {{"path", reference.path.lexically_normal().string()}, {"identity", reference.options.identity}};
    if (!reference.options.labels.empty()) json["labels"] = reference.options.labels.lexically_normal().string();
    if (!reference.options.key.empty()) json["key"] = reference.options.key;
    if (!reference.options.only.empty()) json["only"] = reference.options.only;
    return json;
  };
  Json grids = Json::array();
  for (const Sweep& sweep : sweeps) {
    Json grid = Json::array();
    for (const auto& axis : sweep.axes) grid.push_back({{"name", axis.name}, {"values", axis.values}});
    grids.push_back(std::move(grid));
  }
  Json rule_names = Json::array();
  for (const SimilarityRule rule : rules) rule_names.push_back(to_text(rule));
  return {{"data",
           {{"target", data(target)},
            {"attacker", data(attacker)},
            {"dev", data(dev)},
            {"fit", data(fit)},
            {"attribute", attributes},
            {"classes", classes},
            {"hide", hide},
            {"keep", keep}}},
          {"extract", {{"representation", representations}}},
          {"protect", {{"technique", techniques}, {"sweep", std::move(grids)}}},
          {"protocol",
           {{"kind", pep          ? to_text(*pep)
                     : closed_set ? "closed-set"
                                  : "cross-database"},
            {"repeats", repeats},
            {"strict", strict},
            {"test", closed_set ? Json(test_share) : Json(nullptr)}}},
          {"attack",
           {{"similarity", rules.empty() ? Json(nullptr) : Json{{"rule", rule_names}, {"n", n}}},
            {"decision", decision_fmr},
            {"estimator", estimators},
            {"preparation", preparation},
            {"tuning", search.empty() ? Json(nullptr) : Json{{"search", search}, {"trials", trials}}},
            {"controls", controls},
            {"learning_curve", learning_curve},
            {"recovery", recoveries},
            {"enrolments", enrolments},
            {"online", queries},
            {"recogniser", closed_set ? Json(recognisers) : Json(nullptr)}}},
          {"measure",
           {{"fmr", fmr},
            {"bootstrap", bootstrap},
            {"unlinkability", unlinkability},
            {"top", closed_set ? Json(top) : Json(nullptr)},
            {"temperature", closed_set ? Json(temperature) : Json(nullptr)}}},
          {"report", {{"title", title}}}};
}

}  // namespace bauta
