// What anonymised records are still good for, and whether they can be found again, asked of a closed set.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/question/anonymity.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

namespace {

/// Rows of both parts that can be judged: failed samples leave, and who is then unknown is not looked for.
struct Judged {
  std::vector<std::size_t> enrol, probe;
  std::size_t failures = 0;
};

Judged judged_rows(const Dataset& enrol, const Dataset& probe, bool one_sample_each) {
  Judged judged;
  const std::vector<bool> lost = enrol.failed(), lost_probe = probe.failed();
  judged.failures = static_cast<std::size_t>(std::count(lost.begin(), lost.end(), true) +
                                             std::count(lost_probe.begin(), lost_probe.end(), true));
  std::set<std::string> known;
  for (std::size_t row = 0; row < enrol.size(); ++row) {
    if (lost[row]) continue;
    judged.enrol.push_back(row);
    if (!one_sample_each) known.insert(enrol.labels.column(enrol.identity_column)[row]);
  }
  for (std::size_t row = 0; row < probe.size(); ++row) {
    const bool asked = one_sample_each || known.contains(probe.labels.column(probe.identity_column)[row]);
    if (!lost_probe[row] && asked) judged.probe.push_back(row);
  }
  if (judged.enrol.empty() || judged.probe.empty()) {
    throw_input(enrol.origin, "too many samples failed: nothing is left to learn from, or to judge");
  }
  return judged;
}

Dataset rows_of(const Dataset& data, const std::vector<std::size_t>& rows) {
  return rows.size() == data.size() ? data : data.select(rows);
}

std::vector<Finding> findings_of(const Json& values) {
  std::vector<Finding> findings;
  const auto interval = [](const Json& ci, bool turned) -> std::optional<Interval> {
    if (!ci.is_array()) return std::nullopt;
    const double low = ci[0], high = ci[1];
    return turned ? Interval{1 - high, 1 - low} : Interval{low, high};
  };
  for (const Json& attacker : values["attackers"]) {
    Finding finding;
    finding.about = About::identity;
    finding.attacker = attacker["attacker"];
    finding.measure = "rank-1 rate";
    finding.unit = "rate";
    finding.value = 1 - attacker["mixture"].get<double>();
    finding.ci = interval(attacker["ci"], true);
    finding.chance = 1 - attacker["chance"].get<double>();
    if (attacker["clear"].is_object()) finding.clear = Level{1 - attacker["clear"]["mixture"].get<double>()};
    if (attacker["null"].is_object()) finding.floor = Level{1 - attacker["null"]["mixture"].get<double>()};
    finding.counts = {{"candidates", attacker["candidates"]}};
    finding.axes = {{"asks for", attacker["question"]}, {"informed", attacker["informed"] == true ? "yes" : "no"}};
    findings.push_back(std::move(finding));
  }
  for (const Json& attribute : values["utility"]["attributes"]) {
    Finding finding;
    finding.about = About::utility;
    finding.attacker = "the rightful user";
    finding.measure = "accuracy";
    finding.unit = "rate";
    finding.value = attribute["accuracy"];
    finding.worse = Worse::lower;
    finding.ci = interval(attribute["ci"], false);
    finding.chance = attribute["chance"].get<double>();
    finding.clear = Level{attribute["clear"]["accuracy"].get<double>(), interval(attribute["clear"]["ci"], false)};
    finding.counts = {{"samples", values["records"]}};
    finding.axes = {{"attribute", attribute["attribute"]}, {"role", attribute["role"]}};
    findings.push_back(std::move(finding));
  }
  return findings;
}

void require_one_attribute(const Setting& setting) {
  if (setting.attributes.size() != 1) {
    throw_usage("data.attribute", fmt::format("names {} attributes, one is of interest", setting.attributes.size()),
                "others go to data.keep");
  }
  if (setting.keep.contains(setting.attributes.front())) {
    throw_usage("data.keep", setting.attributes.front() + " is the attribute of interest");
  }
  if (setting.keys["attack"]["estimator"].size() > 1) {
    throw_usage("attack.estimator", "one estimator reads attributes in a closed set");
  }
}

class AnonymityQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "anonymity",
            .paper = "Moriarty et al. (S2)",
            .doc = "what are anonymised records still good for, and whose are they?",
            .keys = {recogniser_key(), estimator_key(),
                     counts_key("measure", "top", {1, 2, 5, 10, 20, 50}, "k of the mixture at k", 1),
                     real_key("measure", "temperature", 1, "of the softmax of similarities"), bootstrap_key()}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    const Arrangement& arrangement = views.arrangement();
    if (!arrangement.has(Role::enrol)) {
      if (setting.given.contains("attack.recogniser")) {
        throw_usage("attack.recogniser", "names people, which needs a closed set",
                    "choose protocol.kind = \"closed-set\", or remove it");
      }
      return {};
    }
    if (setting.attributes.empty()) return {};
    require_one_attribute(setting);
    Json values = parameters(setting);
    values.update({{"attribute", setting.attributes.front()}, {"keep", setting.keep}, {"edges", setting.classes}});
    std::vector<Asked> cells;
    const std::vector<std::string> as_stored = {""};
    for (const auto& representation : setting.representations.empty() ? as_stored : setting.representations) {
      Asked asked{
          {{"question", "anonymity"}, {"technique", technique}, {"representation", representation}}, values, {}};
      for (const Form& form : {Form{}, Form{technique}}) {
        for (const Role role : {Role::enrol, Role::probe}) asked.views.push_back({role, form, {representation}});
      }
      cells.push_back(std::move(asked));
    }
    return cells;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    const std::string technique = asked.key["technique"];
    const Arrangement& arrangement = views.arrangement();
    const Originals& originals = originals_of(asked, views);
    Json values, parameters = nullptr;
    if (!masks(technique)) {
      values = originals.study->clear();
    } else {
      const Dataset train = rows_of(views.view(asked.views[2], 0), originals.rows.enrol);
      const Dataset test = rows_of(views.view(asked.views[3], 0), originals.rows.probe);
      const ResolvedProtection& protection = views.technique(technique, 0, asked.views[2].representation);
      const std::optional<Blend> blend = protection->blend();
      values = originals.study->measure(test, &train, blend);
      if (blend) parameters = setting_json(protection, *blend);
    }
    values["parameters"] = std::move(parameters);
    values["failures"] = originals.rows.failures;
    values["split"] = arrangement.text;
    std::vector<Finding> findings = findings_of(values);
    return {std::move(values), std::move(findings)};
  }

 private:
  /// What is learned from clear data serves every technique.
  struct Originals {
    std::string address = {};
    Judged rows = {};
    std::unique_ptr<AnonymityStudy> study = nullptr;
  };

  const Originals& originals_of(const Asked& asked, Views& views) const {
    const std::string address =
        digest(Json{asked.parameters, views.digest(asked.views[0]), views.digest(asked.views[1]), views.seed()}.dump());
    Originals& kept = originals_[asked.key["representation"]];
    if (kept.address == address) return kept;
    const Json& values = asked.parameters;
    AnonymityRun run{.attribute = values["attribute"],
                     .keep = values["keep"].get<std::map<std::string, double>>(),
                     .edges = values["edges"].get<std::map<std::string, std::vector<double>>>(),
                     .recognisers = values["recogniser"].get<std::vector<std::string>>(),
                     .top = values["top"].get<std::vector<std::size_t>>(),
                     .temperature = values["temperature"],
                     .bootstrap = values["bootstrap"],
                     .seed = views.seed()};
    if (!values["estimator"].empty()) run.estimator = values["estimator"].front();
    const Dataset enrol = views.view(asked.views[0], 0), probe = views.view(asked.views[1], 0);
    const bool one_sample_each = views.arrangement().one_sample_each;
    kept.rows = judged_rows(enrol, probe, one_sample_each);
    kept.study = std::make_unique<AnonymityStudy>(rows_of(enrol, kept.rows.enrol), rows_of(probe, kept.rows.probe),
                                                  one_sample_each, std::move(run));
    kept.address = address;
    return kept;
  }

  mutable std::map<std::string, Originals> originals_;  // by representation, of the latest experiment
};

}  // namespace

std::unique_ptr<Question> anonymity_question() {
  return std::make_unique<AnonymityQuestion>();
}

}  // namespace bauta
