#include "utility.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/question/attribute_classes.hpp"
#include "closed_set_cells.hpp"
#include "standings.hpp"

namespace bauta {

namespace {

/// Codes of a column by the classes of the training part; -1 where the training part does not have it.
std::vector<std::int32_t> codes_in(const Dataset& data, const std::string& column,
                                   const std::vector<std::string>& classes) {
  std::vector<std::int32_t> codes;
  for (const std::string& value : data.labels.column(column)) {
    const auto found = std::find(classes.begin(), classes.end(), value);
    codes.push_back(value.empty() || found == classes.end() ? -1 : static_cast<std::int32_t>(found - classes.begin()));
  }
  return codes;
}

/// Learns from samples whose code is known and that did not fail.
std::unique_ptr<Estimator> trained(const UtilityRun& run, const Dataset& data, const std::vector<std::int32_t>& codes,
                                   std::size_t classes) {
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> known;
  const std::vector<bool> failed = data.failed();
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] < 0 || failed[row]) continue;
    rows.push_back(row);
    known.push_back(codes[row]);
  }
  auto estimator = make_estimator(run.estimator);
  estimator->fit(to_features(data.templates.select(rows)).view(), known, classes,
                 {.seed = run.seed, .where = data.origin});
  return estimator;
}

/// Who was read rightly. Who has no class is judged neither here nor there.
struct Reading {
  ClassificationResult result;
  std::vector<std::uint8_t> right;
  Judged judged;

  [[nodiscard]] Level level() const {
    Level level{result.accuracy};
    if (judged.bootstrap > 0) level.ci = success_interval(right, judged.subjects);
    return level;
  }
  [[nodiscard]] Json json() const {
    const Level own = level();
    return {{"accuracy", own.value},
            {"ci", own.ci ? Json{own.ci->low, own.ci->high} : Json(nullptr)},
            {"balanced", result.balanced}};
  }
};

Reading reading_of(const std::vector<std::int32_t>& predicted, const std::vector<std::int32_t>& truth,
                   std::size_t classes, const People& people, const UtilityRun& run) {
  Reading reading{classify_result(predicted, truth, classes), {}, {}};
  std::vector<std::uint32_t> subjects;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] < 0) continue;
    reading.right.push_back(predicted[i] == truth[i]);
    subjects.push_back(people.of_row[i]);
  }
  reading.judged = Judged(std::move(subjects), people.names, run.bootstrap, run.seed);
  return reading;
}

Finding finding_of(const Reading& reading, const Reading& clear) {
  const Level level = reading.level();
  Finding finding;
  finding.about = About::utility;
  finding.attacker = "the rightful user";
  finding.measure = "accuracy";
  finding.unit = "rate";
  finding.worse = Worse::lower;
  finding.value = level.value;
  finding.ci = level.ci;
  finding.chance = reading.result.majority;
  finding.clear = clear.level();
  const std::set<std::uint32_t> people(reading.judged.subjects.begin(), reading.judged.subjects.end());
  finding.counts = {{"samples", reading.right.size()}, {"identities", people.size()}};
  const Judged& judged = reading.judged;
  if (judged.bootstrap == 0) return finding;
  finding.draws = drawn_success(reading.right, judged.subjects, {judged.bootstrap, judged.seed});
  finding.drawn_over = judged.people;
  return finding;
}

}  // namespace

namespace {

/// Samples as they are read.
struct Presented {
  Matrix<float> x;
  std::vector<bool> failed;
};

std::int32_t most_frequent(const std::vector<std::int32_t>& codes, std::size_t classes) {
  std::vector<std::size_t> counts(classes, 0);
  for (const std::int32_t code : codes) {
    if (code >= 0) ++counts[static_cast<std::size_t>(code)];
  }
  return static_cast<std::int32_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

}  // namespace

struct AttributeReaders::Attribute {
  std::string name;
  double weight = 1;
  bool of_interest = true;
  std::vector<std::string> classes = {};
  std::vector<std::int32_t> train = {}, test = {};  // codes
  std::int32_t usual = 0;                           // the most frequent code in training
  std::unique_ptr<Estimator> reader = {};
  Reading clear = {};

  /// Where nothing was extracted there is nothing to read: the class that is most frequent in training is named.
  [[nodiscard]] Reading read(const Estimator& estimator, const Presented& data, const People& people,
                             const UtilityRun& run) const {
    std::vector<std::int32_t> predicted = estimator.predict(data.x.view());
    for (std::size_t row = 0; row < predicted.size(); ++row) {
      if (data.failed[row]) predicted[row] = usual;
    }
    return reading_of(predicted, test, classes.size(), people, run);
  }
};

AttributeReaders::AttributeReaders(const Dataset& train, Dataset test, UtilityRun run)
    : test_(std::move(test)), run_(std::move(run)) {
  const People people = people_of(test_);
  const Presented x{to_features(test_.templates), test_.failed()};
  std::vector<Attribute> named;
  for (const auto& name : run_.attributes) named.push_back({.name = name});
  for (const auto& [name, weight] : run_.keep) {
    named.push_back({.name = name, .weight = weight, .of_interest = false});
  }
  for (Attribute& attribute : named) {
    const std::string& name = attribute.name;
    const auto asked = run_.edges.find(name);
    const AttributeClasses cut =
        attribute_classes(train, name, asked == run_.edges.end() ? std::vector<double>() : asked->second);
    const Dataset classed = with_classes(train, cut);
    attribute.classes = classed.labels.categorical(name).classes;
    attribute.train = codes_in(classed, name, attribute.classes);
    attribute.test = codes_in(with_classes(test_, cut), name, attribute.classes);
    if (attribute.classes.size() < 2) {
      throw_input(train.origin, fmt::format("'{}' has {} class(es), nothing to read", name, attribute.classes.size()));
    }
    attribute.usual = most_frequent(attribute.train, attribute.classes.size());
    attribute.reader = trained(run_, train, attribute.train, attribute.classes.size());
    attribute.clear = attribute.read(*attribute.reader, x, people, run_);
    attributes_.push_back(std::move(attribute));
  }
}

AttributeReaders::~AttributeReaders() = default;

Answer AttributeReaders::read(const Dataset& test, const Dataset* train) const {
  BAUTA_ASSERT(test.size() == test_.size());
  const People people = people_of(test_);
  const Presented x{to_features(test.templates), test.failed()};
  // Who learned from clear samples cannot read codes of another length; who learns anew can.
  const bool readable = x.x.cols() == test_.templates.cols();
  Answer answer{{{"estimator", run_.estimator}, {"attributes", Json::array()}}};
  double value = 0, clear = 0;
  for (const Attribute& attribute : attributes_) {
    Json entry = {{"attribute", attribute.name},
                  {"role", attribute.of_interest ? "interest" : "additional"},
                  {"alpha", attribute.weight},
                  {"classes", attribute.classes.size()},
                  {"chance", attribute.clear.result.majority},
                  {"accuracy", nullptr},
                  {"ci", nullptr},
                  {"balanced", nullptr},
                  {"clear", attribute.clear.json()},
                  {"retrained", nullptr}};
    if (readable) {
      const Reading reading = attribute.read(*attribute.reader, x, people, run_);
      entry.update(reading.json());
      value += attribute.weight * reading.result.accuracy;
      answer.findings.push_back(finding_of(reading, attribute.clear));
      answer.findings.back().axes = {{"attribute", attribute.name}, {"role", entry["role"]}};
    }
    if (train != nullptr) {
      const auto anew = trained(run_, *train, attribute.train, attribute.classes.size());
      entry["retrained"] = attribute.read(*anew, x, people, run_).json();
    }
    clear += attribute.weight * attribute.clear.result.accuracy;
    answer.values["attributes"].push_back(std::move(entry));
  }
  answer.values.update({{"value", readable ? Json(value) : Json(nullptr)}, {"clear", clear}});
  return answer;
}

namespace {

class UtilityQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "utility",
            .paper = "Moriarty et al. (S2)",
            .doc = "what is protected data still good for: how well are attributes read that shall stay readable?",
            .keys = {estimator_key(), bootstrap_key()}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    if (setting.attributes.empty()) return {};
    Json values = parameters(setting);
    values.update({{"attributes", setting.attributes}, {"keep", setting.keep}, {"edges", setting.classes}});
    std::vector<Asked> cells;
    const Json named = values["estimator"].empty() ? Json{UtilityRun().estimator} : values["estimator"];
    for (const Json& estimator : named) {
      values["estimator"] = estimator;
      for (Asked& asked : closed_set_cells(setting, views, technique, "utility", values)) {
        if (named.size() > 1) asked.key["estimator"] = estimator;
        cells.push_back(std::move(asked));
      }
    }
    for (const auto& attribute : setting.attributes) {
      if (!cells.empty() && setting.keep.contains(attribute)) {
        throw_usage("data.keep", attribute + " is an attribute of interest");
      }
    }
    return cells;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    const ClosedSetData data = closed_set_data(asked, views);
    Answer answer =
        readers(asked, views, data).read(data.judged(), data.protected_enrol ? &*data.protected_enrol : nullptr);
    answer.values.update(data.counts);
    return answer;
  }

 private:
  /// What is learned from clear data serves every technique.
  struct Kept {
    std::string address = {};
    std::unique_ptr<AttributeReaders> readers = {};
  };

  const AttributeReaders& readers(const Asked& asked, Views& views, const ClosedSetData& data) const {
    const std::string address =
        digest(Json{asked.parameters, views.digest(asked.views[0]), views.digest(asked.views[1]), views.seed()}.dump());
    Kept& kept = kept_[{asked.views[0].representation.extractor, asked.parameters["estimator"]}];
    if (kept.address == address) return *kept.readers;
    const Json& values = asked.parameters;
    UtilityRun run{.attributes = values["attributes"].get<std::vector<std::string>>(),
                   .keep = values["keep"].get<std::map<std::string, double>>(),
                   .edges = values["edges"].get<std::map<std::string, std::vector<double>>>(),
                   .estimator = values["estimator"],
                   .bootstrap = values["bootstrap"],
                   .seed = views.seed()};
    kept = {};
    kept.readers = std::make_unique<AttributeReaders>(data.enrol, data.probe, std::move(run));
    kept.address = address;
    return *kept.readers;
  }

  mutable std::map<std::pair<std::string, std::string>, Kept> kept_;  // by representation and estimator: the latest
};

}  // namespace

std::unique_ptr<Question> utility_question() {
  return std::make_unique<UtilityQuestion>();
}

}  // namespace bauta
