#include "bauta/run/experiment.hpp"

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
// toml++ 3.3 asserts what damaged files do not fulfil, e.g. [*] (its pull request 301); without, it reports them.
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include "bauta/core/error.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/learn/tuning.hpp"
#include "bauta/protect/protection.hpp"
#include "bauta/recover/recovery.hpp"

namespace bauta {

namespace {

namespace fs = std::filesystem;

/// A table of the file that knows where it stands and which of its keys were read.
class Section {
 public:
  Section(const toml::table* table, std::string where, std::string name)
      : table_(table), where_(std::move(where)), name_(std::move(name)) {}

  const toml::node* find(const std::string& key) {
    known_.insert(key);
    return table_ == nullptr ? nullptr : table_->get(key);
  }

  /// Keys that the format has but this version does not act on: silence would be taken for a result.
  void refuse_later(const std::vector<std::string>& keys) {
    for (const auto& key : keys) {
      if (find(key) != nullptr) throw_usage(place(key), "not available in this version", "remove the key");
    }
  }

  void finish() const {
    if (table_ == nullptr) return;
    for (const auto& [key, node] : *table_) {
      const std::string name(key.str());
      if (!known_.contains(name)) {
        throw_usage(place(name, &node), "unknown key", suggest(name, {known_.begin(), known_.end()}));
      }
    }
  }

  [[nodiscard]] std::string place(const std::string& key, const toml::node* node = nullptr) const {
    const std::string line = node != nullptr && node->source().begin.line > 0
                                 ? fmt::format(" line {}", node->source().begin.line)
                                 : std::string();
    return where_ + line + ": " + (name_.empty() ? key : name_ + "." + key);
  }

  /// A value or a list of values, each converted by `convert`; nothing if the key is absent.
  template <class T, class Convert>
  std::vector<T> list(const std::string& key, Convert&& convert) {
    std::vector<T> values;
    const toml::node* node = find(key);
    if (node == nullptr) return values;
    if (const auto* array = node->as_array()) {
      for (const auto& element : *array) values.push_back(convert(element, place(key, &element)));
      if (values.empty()) throw_usage(place(key, node), "is an empty list");
    } else {
      values.push_back(convert(*node, place(key, node)));
    }
    return values;
  }

 private:
  const toml::table* table_;
  std::string where_;
  std::string name_;
  std::set<std::string> known_;
};

std::string as_text(const toml::node& node, const std::string& where) {
  const auto value = node.value<std::string>();
  if (!node.is_string() || !value) throw_usage(where, "a text in quotes is expected");
  return *value;
}

std::size_t as_count(const toml::node& node, const std::string& where) {
  const auto value = node.value<std::int64_t>();
  if (!node.is_integer() || *value < 0) throw_usage(where, "a whole number, 0 or more, is expected");
  return static_cast<std::size_t>(*value);
}

double as_rate(const toml::node& node, const std::string& where) {
  const auto value = node.value<double>();
  if (!value || !(*value > 0 && *value < 1)) throw_usage(where, "a rate between 0 and 1 is expected");
  return *value;
}

bool as_switch(const toml::node& node, const std::string& where) {
  const auto value = node.value<bool>();
  if (!node.is_boolean() || !value) throw_usage(where, "true or false is expected");
  return *value;
}

template <class T>
T single(std::vector<T> values, T otherwise, const std::string& where) {
  if (values.size() > 1) throw_usage(where, "one value is expected, not a list");
  return values.empty() ? otherwise : values[0];
}

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

std::string as_parameter(const toml::node& node, const std::string& where) {
  if (const auto text = node.value<std::string>(); node.is_string()) return *text;
  if (const auto count = node.value<std::int64_t>(); node.is_integer()) return std::to_string(*count);
  if (const auto number = node.value<double>(); node.is_floating_point()) return fmt::format("{}", *number);
  throw_usage(where, "a number or a text is expected");
}

/// [[protect.sweep]] tables, their keys in the order of the file: the first is what figures have on their x axis.
std::vector<std::vector<Sweep::Axis>> read_sweeps(Section& section) {
  std::vector<std::vector<Sweep::Axis>> sweeps;
  const toml::node* node = section.find("sweep");
  if (node == nullptr) return sweeps;
  const auto* array = node->as_array();
  if (array == nullptr || !array->is_array_of_tables()) {
    throw_usage(section.place("sweep", node), "tables are expected", "write [[protect.sweep]] and t = [0.2, 0.4]");
  }
  for (const auto& element : *array) {
    const toml::table& table = *element.as_table();
    std::vector<std::pair<toml::source_position, std::string>> names;
    for (const auto& [key, values] : table) names.emplace_back(values.source().begin, std::string(key.str()));
    std::stable_sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Sweep::Axis> axes;
    for (const auto& [position, name] : names) {
      Section inner(&table, section.place("sweep", &element), "");
      axes.push_back({name, inner.list<std::string>(name, as_parameter)});
    }
    if (axes.empty()) throw_usage(section.place("sweep", &element), "is empty", "name a parameter and its values");
    sweeps.push_back(std::move(axes));
  }
  return sweeps;
}

/// Every point of the grid as a technique; `rq` is the share of features retained for each attribute of `keep`.
Sweep sweep_of(const std::string& technique, std::vector<Sweep::Axis> axes, const std::map<std::string, double>& keep,
               const std::string& where) {
  Sweep sweep{std::move(axes), {}};
  std::size_t points = 1;
  for (const auto& axis : sweep.axes) points *= axis.values.size();
  for (std::size_t point = 0; point < points; ++point) {
    Specification specification = Specification::parse(technique);
    std::size_t rest = point;
    for (auto axis = sweep.axes.rbegin(); axis != sweep.axes.rend(); ++axis) {
      const std::string& value = axis->values[rest % axis->values.size()];
      rest /= axis->values.size();
      if (axis->name != "rq") {
        specification.values[axis->name] = value;
        continue;
      }
      if (keep.empty())
        throw_usage(where + ": rq", "varies the share of additional attributes", "name them: data.keep");
      std::string shares;
      for (const auto& [name, weight] : keep) shares += (shares.empty() ? "" : "/") + name + "=" + value;
      specification.values["keep"] = shares;
    }
    const auto& entry = find_entry(protections(), "protection", specification.name);
    (void)entry.make(Parameters(entry.declaration, specification));
    sweep.techniques.push_back(Parameters(entry.declaration, specification).brief());
  }
  return sweep;
}

// toml++ 3.3 has undefined behaviour where it asks whether a letter such as U+00E9 is a blank (its issue 295). It asks
// outside of texts and comments, where such letters are errors anyway, in texts over several lines, and in a text that
// a number runs into. There they are refused before it sees them.
void refuse_letters_that_break_the_parser(std::string_view text, const fs::path& path) {
  const bool several_lines = text.find("\"\"\"") != text.npos || text.find("'''") != text.npos;
  std::size_t line = 1;
  char inside = 0;      // the quote or the # that began the text or comment
  bool number = false;  // a number may have begun and not ended
  for (std::size_t i = text.starts_with("\xef\xbb\xbf") ? 3 : 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80 && (inside == 0 || (inside != '#' && number) || several_lines)) {
      throw_input(fmt::format("{} line {}", path.string(), line), "a letter that is not ASCII where none may be",
                  "write such letters in comments and texts of one line, with a blank before the opening quote");
    }
    if (c == '\n') {
      ++line;
      inside = 0;
      number = false;
    } else if (inside == 0 && (c == '"' || c == '\'' || c == '#')) {
      inside = c;
    } else if (inside == 0) {
      const bool ends = c == ' ' || c == '\t' || c == ',' || c == ']' || c == '}';
      number = !ends && (number || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.');
    } else if (inside == '"' && c == '\\' && text.substr(i + 1, 1) != "\n") {
      ++i;  // an escaped quote does not end the text
    } else if (inside != '#' && c == inside) {
      inside = 0;
      number = false;
    }
  }
}

void apply_override(toml::table& root, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
    throw_usage("--set " + text, "section.key=value is expected", "e.g. --set measure.bootstrap=200");
  }
  const std::string value = text.substr(equals + 1);
  toml::table parsed;
  try {
    refuse_letters_that_break_the_parser("value = " + value, "--set");
    parsed = toml::parse("value = " + value);
  } catch (const std::exception&) {
    parsed.insert_or_assign("value", value);  // plain words need no quotes on a command line
  }
  toml::table* table = &root;
  std::string path = text.substr(0, equals);
  for (std::size_t at = path.find('.'); at != std::string::npos; at = path.find('.')) {
    const std::string name = path.substr(0, at);
    path = path.substr(at + 1);
    if (table->get(name) == nullptr) table->insert(name, toml::table{});
    table = table->get(name)->as_table();
    if (table == nullptr) throw_usage("--set " + text, "'" + name + "' is not a section");
  }
  table->insert_or_assign(path, *parsed.get("value"));
}

toml::table parse_file(const fs::path& path) {
  std::ifstream file(path);
  if (!file || fs::is_directory(path)) throw_input(path.string(), "experiment file cannot be read");
  std::stringstream stream;
  stream << file.rdbuf();
  const std::string text = stream.str();
  refuse_letters_that_break_the_parser(text, path);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw_input(fmt::format("{} line {}", path.string(), error.source().begin.line), std::string(error.description()));
  }
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

Experiment read_experiment(const fs::path& path, const std::vector<std::string>& overrides) {
  toml::table root = parse_file(path);
  for (const auto& text : overrides) apply_override(root, text);
  const std::vector<std::string> sections = {"data", "protect", "extract", "protocol", "attack", "measure", "report"};
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
  extract.refuse_later({"representation"});
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
