#include "bauta/run/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/named_file.hpp"
#include "bauta/extract/extractor.hpp"
#include "bauta/question/adversary.hpp"
#include "bauta/question/protecting.hpp"
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
    if (inner.find("missing") != nullptr) data.options.missing = inner.list<std::string>("missing", as_text);
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

/// A value of the file as questions read it.
Json to_json(const toml::node& node) {
  if (const auto* array = node.as_array()) {
    Json list = Json::array();
    for (const auto& element : *array) list.push_back(to_json(element));
    return list;
  }
  if (const auto* table = node.as_table()) {
    Json object = Json::object();
    for (const auto& [key, value] : *table) object[std::string(key.str())] = to_json(value);
    return object;
  }
  if (const auto* text = node.as_string()) return **text;
  if (const auto* count = node.as_integer()) return **count;
  if (const auto* number = node.as_floating_point()) return **number;
  if (const auto* either = node.as_boolean()) return **either;
  return nullptr;
}

/// The keys that questions declare, in `section`: each is checked by who declared it.
void read_keys(Section& section, const std::string& name, Setting& setting) {
  Json& values = setting.keys[name];
  for (const auto& question : questions()) {
    for (const Key& key : question->declaration().keys) {
      if (key.section != name || values.contains(key.name)) continue;
      const toml::node* node = section.find(key.name);
      values[key.name] = node == nullptr ? key.fallback : key.check(to_json(*node), section.place(key.name, node));
      if (node != nullptr) setting.given.insert(name + "." + key.name);
    }
  }
}

/// Data sets that have no place where one data set is dealt out by itself.
void refuse_sources(const Experiment& experiment, const std::string& where, const std::string& what,
                    std::initializer_list<std::pair<const DataReference*, const char*>> sources) {
  for (const auto& [reference, key] : sources) {
    if (!reference->path.empty()) {
      throw_usage(where + ": " + key, "has no place in " + what,
                  "remove it, or choose protocol.kind = \"cross-database\"");
    }
  }
  if (experiment.pep && experiment.setting.attributes.empty()) {
    throw_usage(where + ": data.attribute", "is missing, folds are balanced on it");
  }
}

Section open(const toml::table& root, const fs::path& path, const std::string& name) {
  const toml::node* node = root.get(name);
  if (node != nullptr && !node->is_table())
    throw_usage(path.string() + ": " + name, "is not a section", "write [" + name + "]");
  return {node == nullptr ? nullptr : node->as_table(), path.string(), name};
}

void read_data_section(Section& data, const fs::path& path, Experiment& experiment) {
  const fs::path folder = path.parent_path();
  experiment.target = read_reference(data, "target", folder);
  experiment.attacker = read_reference(data, "attacker", folder);
  experiment.fit = read_reference(data, "fit", folder);
  experiment.dev = read_reference(data, "dev", folder);
  experiment.background = read_reference(data, "background", folder);
  Setting& setting = experiment.setting;
  setting.attributes = data.list<std::string>("attribute", as_text);
  setting.hide = data.list<std::string>("hide", as_text);
  if (setting.hide.empty()) setting.hide = setting.attributes;
  setting.classes = read_classes(data);
  setting.keep = read_keep(data);
  for (const auto& [name, edges] : setting.classes) {
    const auto& known = setting.attributes;
    if (setting.keep.contains(name) || std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw_usage(data.place("classes"), fmt::format("'{}' is no attribute of data.attribute or data.keep", name),
                suggest(name, known));
  }
  data.finish();
  if (experiment.target.path.empty())
    throw_usage(path.string() + ": data.target", "is missing", "name the data set to attack");
}

void read_protocol_section(Section& protocol, Experiment& experiment) {
  const std::string kind =
      single(protocol.list<std::string>("kind", as_text), std::string("cross-database"), protocol.place("kind"));
  if (kind.starts_with("PEP")) {
    experiment.pep = parse_pep(kind);
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
  for (const auto& name : protocol.list<std::string>("adversary", as_text)) {
    std::vector<std::string>& known = experiment.setting.adversaries;
    const std::string& own = find_adversary(name).name;
    if (std::find(known.begin(), known.end(), own) == known.end()) known.push_back(own);
  }
  if (experiment.setting.adversaries.empty()) {
    experiment.setting.adversaries = usual_adversaries(experiment.closed_set);
  } else {
    experiment.setting.given.insert("protocol.adversary");
  }
  read_selections(protocol, experiment);
  protocol.finish();
}

/// Files that a technique names lie beside the experiment, as data do, if they do.
std::string with_own_files(const std::string& technique, const std::filesystem::path& folder) {
  Specification specification = Specification::parse(technique);
  for (const Parameter& parameter : protection_declaration(technique).parameters) {
    const auto given = specification.values.find(parameter.name);
    if (given == specification.values.end() || given->second.empty()) continue;
    if (parameter.type == ParameterType::command) given->second = called_command(given->second, folder);
    if (!names_file(parameter.type) || std::ranges::count(parameter.choices, given->second) > 0) continue;
    const fs::path place = folder / given->second;
    const bool key = parameter.type == ParameterType::key;
    if (const auto called = key ? called_key(place) : called_by_contents(place, true)) given->second = *called;
  }
  return specification.text();
}

void resolve_techniques(Experiment& experiment, const std::vector<std::vector<Sweep::Axis>>& sweeps,
                        const std::string& where) {
  std::set<std::string> names;
  for (auto& technique : experiment.techniques) {
    const ResolvedProtection resolved =
        make_protection(with_own_files(technique, std::filesystem::path(where).parent_path()));
    if (experiment.pep) {
      require_suits(*experiment.pep, *resolved.declaration);
    } else if (resolved.declaration->learns && experiment.fit.path.empty() && !experiment.closed_set) {
      throw_usage(where + ": data.fit", fmt::format("is missing, {} learns", resolved.declaration->name),
                  "name data of people who are neither in data.target nor in data.attacker, e.g. \"lfw@1/3\"");
    }
    if (experiment.closed_set && experiment.fit.path.empty() && resolved.declaration->learns &&
        resolved.declaration->medium != "template") {
      throw_usage(where + ": data.fit",
                  fmt::format("is missing: {} hides people among those whom it learned from, and attackers hold the "
                              "enrolled ones",
                              resolved.declaration->name),
                  "name other people, e.g. the background: fit = { path = \"faces\", only = \"part=background\" }");
    }
    technique = resolved.parameters.brief();
    const auto& values = resolved.parameters.values();
    const auto name = values.find("name");
    if (name != values.end() && !name->second.empty() && !names.insert(name->second).second) {
      throw_usage(where + ": protect.technique", fmt::format("two techniques are called '{}'", name->second));
    }
  }
  if (experiment.pep) {
    refuse_sources(
        experiment, where, "a privacy evaluation protocol",
        {{&experiment.attacker, "data.attacker"}, {&experiment.fit, "data.fit"}, {&experiment.dev, "data.dev"}});
  }
  if (experiment.closed_set) {
    refuse_sources(experiment, where, "a closed set",
                   {{&experiment.attacker, "data.attacker"}, {&experiment.dev, "data.dev"}});
  } else if (!(sweeps.empty() && experiment.setting.keep.empty())) {
    throw_usage(where + (sweeps.empty() ? ": data.keep" : ": protect.sweep"), "has a place in a closed set only",
                "choose protocol.kind = \"closed-set\"");
  }
  std::vector<std::string>& all = experiment.setting.techniques;
  const auto add = [&](const std::string& technique) {
    if (std::find(all.begin(), all.end(), technique) == all.end()) all.push_back(technique);
  };
  for (const auto& technique : experiment.techniques) add(technique);
  for (const auto& axes : sweeps) {
    const auto varied = std::find_if(experiment.techniques.begin(), experiment.techniques.end(), masks);
    if (varied == experiment.techniques.end()) {
      throw_usage(where + ": protect.technique", "names nothing whose parameters could be varied");
    }
    experiment.sweeps.push_back(sweep_of(*varied, axes, experiment.setting.keep, where + ": protect.sweep"));
    for (const auto& technique : experiment.sweeps.back().techniques) add(technique);
  }
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
  experiment.setting.keys = {{"attack", Json::object()}, {"measure", Json::object()}};
  Section data = open(root, path, "data");
  read_data_section(data, path, experiment);
  Section protect = open(root, path, "protect");
  experiment.techniques = protect.list<std::string>("technique", as_text);
  if (experiment.techniques.empty()) experiment.techniques = {baseline()};
  const std::vector<std::vector<Sweep::Axis>> sweeps = read_sweeps(protect);
  protect.finish();
  Section protocol = open(root, path, "protocol");
  read_protocol_section(protocol, experiment);
  resolve_techniques(experiment, sweeps, path.string());
  Section extract = open(root, path, "extract");
  experiment.setting.representations = extract.list<std::string>("representation", as_text);
  for (auto& representation : experiment.setting.representations) {
    representation = make_extractor(representation).parameters.brief();
  }
  extract.finish();
  for (const char* name : {"attack", "measure"}) {
    Section section = open(root, path, name);
    read_keys(section, name, experiment.setting);
    if (std::string(name) == "attack") section.refuse_later({"detector"});
    section.finish();
  }
  complete_choosing(experiment);
  Section report = open(root, path, "report");
  experiment.title =
      single(report.list<std::string>("title", as_text), "Bauta: " + path.stem().string(), report.place("title"));
  report.finish();
  return experiment;
}

Json Experiment::resolved() const {
  const auto data = [](const DataReference& reference) -> Json {
    if (reference.path.empty()) return nullptr;
    Json json = {{"path", reference.path.lexically_normal().string()}, {"identity", reference.options.identity}};
    if (!reference.options.labels.empty()) json["labels"] = reference.options.labels.lexically_normal().string();
    if (!reference.options.key.empty()) json["key"] = reference.options.key;
    if (!reference.options.only.empty()) json["only"] = reference.options.only;
    if (reference.options.missing != missing_words()) json["missing"] = reference.options.missing;
    return json;
  };
  Json grids = Json::array();
  for (const Sweep& sweep : sweeps) {
    Json grid = Json::array();
    for (const auto& axis : sweep.axes) grid.push_back({{"name", axis.name}, {"values", axis.values}});
    grids.push_back(std::move(grid));
  }
  return {{"data",
           {{"target", data(target)},
            {"attacker", data(attacker)},
            {"dev", data(dev)},
            {"fit", data(fit)},
            {"background", data(background)},
            {"attribute", setting.attributes},
            {"classes", setting.classes},
            {"hide", setting.hide},
            {"keep", setting.keep}}},
          {"extract", {{"representation", setting.representations}}},
          {"protect", {{"technique", techniques}, {"sweep", std::move(grids)}}},
          {"protocol",
           {{"kind", pep          ? to_text(*pep)
                     : closed_set ? "closed-set"
                                  : "cross-database"},
            {"adversary", setting.adversaries},
            {"repeats", repeats},
            {"people", people_json(*this)},
            {"strict", strict},
            {"test", closed_set ? Json(test_share) : Json(nullptr)}}},
          {"attack", setting.keys["attack"]},
          {"measure", setting.keys["measure"]},
          {"report", {{"title", title}}}};
}

}  // namespace bauta
