#include "utility.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/most_frequent.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/question/attribute_classes.hpp"
#include "bauta/question/comparing.hpp"
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

Reading reading_of(const std::vector<std::int32_t>& predicted, const AttributeRead& read,
                   const std::vector<std::uint32_t>& people, const std::vector<std::string>& names,
                   const UtilityRun& run) {
  Reading reading{classify_result(predicted, read.truth, read.classes.size()), {}, {}};
  std::vector<std::uint32_t> subjects;
  for (std::size_t i = 0; i < read.truth.size(); ++i) {
    if (read.truth[i] < 0) continue;
    reading.right.push_back(predicted[i] == read.truth[i]);
    subjects.push_back(people[i]);
  }
  reading.judged = Judged(std::move(subjects), names, run.bootstrap, run.seed);
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

}  // namespace

struct AttributeReaders::Attribute {
  AttributeRead read;  // truth, and what is read off clear samples
  AttributeClasses cut;
  std::vector<std::int32_t> train = {};  // codes
  std::int32_t usual = 0;                // the most frequent code in training
  std::unique_ptr<Estimator> reader = {};

  /// Where nothing was extracted there is nothing to read: the class that is most frequent in training is named.
  [[nodiscard]] std::vector<std::int32_t> by(const Estimator& estimator, const Presented& data) const {
    std::vector<std::int32_t> predicted = estimator.predict(data.x.view());
    for (std::size_t row = 0; row < predicted.size(); ++row) {
      if (data.failed[row]) predicted[row] = usual;
    }
    return predicted;
  }
};

AttributeReaders::AttributeReaders(const Dataset& train, const Dataset& test, UtilityRun run)
    : run_(std::move(run)), people_(people_of(test)), features_(test.templates.cols()) {
  const Presented x{to_features(test.templates), test.failed()};
  std::vector<AttributeRead> named;
  for (const auto& name : run_.attributes) named.push_back({.name = name});
  for (const auto& [name, weight] : run_.keep) named.push_back({.name = name, .weight = weight, .of_interest = false});
  for (AttributeRead& read : named) {
    const auto known = run_.cuts.find(read.name);
    const auto asked = run_.edges.find(read.name);
    const std::vector<double> edges = asked == run_.edges.end() ? std::vector<double>() : asked->second;
    const AttributeClasses cut = known == run_.cuts.end() ? attribute_classes(train, read.name, edges) : known->second;
    const Dataset classed = with_classes(train, cut);
    read.classes = classed.labels.categorical(read.name).classes;
    if (read.classes.size() < 2) {
      throw NothingToAnswer(Fault::input, train.origin,
                            fmt::format("'{}' has {} class(es), nothing to read", read.name, read.classes.size()));
    }
    read.truth = codes_in(with_classes(test, cut), read.name, read.classes);
    Attribute attribute{std::move(read), cut};
    attribute.train = codes_in(classed, attribute.read.name, attribute.read.classes);
    std::vector<std::int32_t> labelled = attribute.train;
    std::erase_if(labelled, [](std::int32_t code) { return code < 0; });
    attribute.usual = most_frequent(labelled);
    attribute.reader = trained(run_, train, attribute.train, attribute.read.classes.size());
    attribute.read.clear = attribute.by(*attribute.reader, x);
    attributes_.push_back(std::move(attribute));
  }
}

AttributeReaders::~AttributeReaders() = default;

std::map<std::string, AttributeClasses> AttributeReaders::cuts() const {
  std::map<std::string, AttributeClasses> cuts;
  for (const Attribute& attribute : attributes_) cuts.emplace(attribute.read.name, attribute.cut);
  return cuts;
}

std::vector<AttributeRead> AttributeReaders::look(const Dataset& test, const Dataset* train) const {
  BAUTA_ASSERT(test.size() == people_.of_row.size());
  const Presented x{to_features(test.templates), test.failed()};
  // Who learned from clear samples cannot read codes of another length; who learns anew can.
  const bool readable = x.x.cols() == features_;
  std::vector<AttributeRead> reads;
  for (const Attribute& attribute : attributes_) {
    AttributeRead read = attribute.read;
    if (readable) read.found = attribute.by(*attribute.reader, x);
    if (train != nullptr) read.anew = attribute.by(*trained(run_, *train, attribute.train, read.classes.size()), x);
    reads.push_back(std::move(read));
  }
  return reads;
}

Answer AttributeReaders::read(const Dataset& test, const Dataset* train) const {
  PooledReadings pool(run_);
  pool.add(look(test, train), people_);
  return pool.answer();
}

namespace {

/// Another repetition may know other classes.
void append(AttributeRead& all, const AttributeRead& more) {
  std::vector<std::int32_t> codes;
  for (const std::string& name : more.classes) {
    const auto found = std::ranges::find(all.classes, name);
    codes.push_back(static_cast<std::int32_t>(found - all.classes.begin()));
    if (found == all.classes.end()) all.classes.push_back(name);
  }
  const auto add = [&](std::vector<std::int32_t>& to, const std::vector<std::int32_t>& from) {
    for (const std::int32_t code : from) to.push_back(code < 0 ? code : codes[static_cast<std::size_t>(code)]);
  };
  add(all.truth, more.truth);
  add(all.clear, more.clear);
  add(all.found, more.found);
  add(all.anew, more.anew);
}

}  // namespace

void PooledReadings::add(std::vector<AttributeRead> reads, const People& people) {
  for (const std::string& name : people.names) (void)people_.of(name);
  for (const std::uint32_t person : people.of_row) subjects_.push_back(people_.of(people.names[person]));
  if (reads_.empty()) {
    reads_ = std::move(reads);
    return;
  }
  for (std::size_t i = 0; i < reads_.size(); ++i) append(reads_[i], reads[i]);
}

Answer PooledReadings::answer() const {
  Answer answer{{{"estimator", run_.estimator}, {"attributes", Json::array()}}};
  double value = 0, clear = 0;
  bool readable = true;
  for (const AttributeRead& read : reads_) {
    const auto reading = [&](const std::vector<std::int32_t>& predicted) {
      return reading_of(predicted, read, subjects_, people_.names(), run_);
    };
    const Reading on_clear = reading(read.clear);
    Json entry = {{"attribute", read.name},
                  {"role", read.of_interest ? "interest" : "additional"},
                  {"alpha", read.weight},
                  {"classes", read.classes.size()},
                  {"chance", on_clear.result.majority},
                  {"accuracy", nullptr},
                  {"ci", nullptr},
                  {"balanced", nullptr},
                  {"clear", on_clear.json()},
                  {"retrained", nullptr}};
    readable = readable && !read.found.empty();
    if (!read.found.empty()) {
      const Reading found = reading(read.found);
      entry.update(found.json());
      value += read.weight * found.result.accuracy;
      answer.findings.push_back(finding_of(found, on_clear));
      answer.findings.back().axes = {{"attribute", read.name}, {"role", entry["role"]}, {"estimator", run_.estimator}};
    }
    if (!read.anew.empty()) entry["retrained"] = reading(read.anew).json();
    clear += read.weight * on_clear.result.accuracy;
    answer.values["attributes"].push_back(std::move(entry));
  }
  answer.values.update({{"value", readable ? Json(value) : Json(nullptr)}, {"clear", clear}});
  if (!readable) {
    answer.values["remarks"] = {"who learned to read clear samples cannot read these, which have another form"};
  }
  return answer;
}

namespace {

class UtilityQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "utility",
            .paper = "Moriarty et al. (S2)",
            .doc = "what is protected data still good for: how well are attributes read that shall stay readable?",
            .keys = {estimator_key(), bootstrap_key()},
            .only = "in a closed set, of what shall stay readable"};
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
    UtilityRun run = run_of(asked, views);
    PooledReadings pool(run);
    const Json counts = each_repetition(asked, views, [&](const ClosedSetData& data, std::size_t repetition) {
      const AttributeReaders& learned = readers(asked, views, data, run, repetition);
      if (repetition == 0) run.cuts = learned.cuts();
      pool.add(learned.look(data.judged(), data.protected_enrol ? &*data.protected_enrol : nullptr), data.people);
    });
    Answer answer = pool.answer();
    answer.values.update(counts);
    return answer;
  }

 private:
  /// What is learned from clear data serves every technique.
  struct Kept {
    std::string address = {};
    std::unique_ptr<AttributeReaders> readers = {};
  };

  static UtilityRun run_of(const Asked& asked, const Views& views) {
    const Json& values = asked.parameters;
    return {.attributes = values["attributes"].get<std::vector<std::string>>(),
            .keep = values["keep"].get<std::map<std::string, double>>(),
            .edges = values["edges"].get<std::map<std::string, std::vector<double>>>(),
            .estimator = values["estimator"],
            .bootstrap = values["bootstrap"],
            .seed = views.seed()};
  }

  const AttributeReaders& readers(const Asked& asked, const Views& views, const ClosedSetData& data,
                                  const UtilityRun& run, std::size_t repetition) const {
    const std::string address =
        digest(Json{asked.parameters, views.digest(asked.views[0]), views.digest(asked.views[1]), views.seed()}.dump());
    Kept& kept = kept_[{asked.views[0].representation.extractor, run.estimator, repetition}];
    if (kept.address == address) return *kept.readers;
    kept = {};
    kept.readers = std::make_unique<AttributeReaders>(data.enrol, data.probe, run);
    kept.address = address;
    return *kept.readers;
  }

  // By representation, estimator and repetition: the latest.
  mutable std::map<std::tuple<std::string, std::string, std::size_t>, Kept> kept_;
};

}  // namespace

std::unique_ptr<Question> utility_question() {
  return std::make_unique<UtilityQuestion>();
}

}  // namespace bauta
