#include "bauta/question/anonymity.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include <fmt/format.h>

#include "bauta/attack/linkage.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/measure/identification.hpp"
#include "bauta/protect/kept.hpp"
#include "bauta/protocol/subjects.hpp"
#include "bauta/question/attribute_classes.hpp"

namespace bauta {

namespace {

/// Rows whose code is known.
struct Labelled {
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> codes;
};

Labelled labelled(const std::vector<std::int32_t>& codes) {
  Labelled result;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] < 0) continue;
    result.rows.push_back(row);
    result.codes.push_back(codes[row]);
  }
  return result;
}

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

Json quality(const std::vector<std::int32_t>& predicted, const std::vector<std::int32_t>& truth, std::size_t classes,
             const std::vector<std::uint32_t>& subjects, const AnonymityRun& run) {
  const ClassificationResult result = classify_result(predicted, truth, classes);
  std::vector<std::uint8_t> right;
  std::vector<std::uint32_t> judged;  // who has no class is judged neither here nor there
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] < 0) continue;
    right.push_back(predicted[i] == truth[i]);
    judged.push_back(subjects[i]);
  }
  Json json = {{"accuracy", result.accuracy}, {"ci", nullptr}, {"balanced", result.balanced}};
  if (run.bootstrap > 0) {
    const Interval ci = success_interval(right, judged, run.bootstrap, run.seed);
    json["ci"] = {ci.low, ci.high};
  }
  return json;
}

Json interval(const Mixture& mixture, std::size_t bootstrap) {
  return bootstrap > 0 ? Json{mixture.ci.low, mixture.ci.high} : Json(nullptr);
}

std::unique_ptr<Estimator> trained(const std::string& specification, const Dataset& data,
                                   const std::vector<std::int32_t>& codes, std::size_t classes,
                                   const Preparation* steps, std::uint64_t seed) {
  const Labelled known = labelled(codes);
  Matrix<float> x = to_features(data.templates.select(known.rows));
  if (steps != nullptr) x = steps->apply(x.view());
  auto estimator = make_estimator(specification);
  estimator->fit(x.view(), known.codes, classes, {.seed = seed, .where = data.origin});
  return estimator;
}

std::size_t exact_copies(const Templates& anonymised, const std::vector<const Templates*>& originals) {
  std::unordered_set<std::string_view> known;
  for (const Templates* templates : originals) {
    if (templates->kind() != anonymised.kind() || templates->cols() != anonymised.cols()) continue;
    for (std::size_t row = 0; row < templates->rows(); ++row) known.insert(templates->row_bytes(row));
  }
  std::size_t copies = 0;
  for (std::size_t row = 0; row < anonymised.rows(); ++row) copies += known.contains(anonymised.row_bytes(row));
  return copies;
}

/// Every sample gets another of its class, where there is one.
std::vector<std::size_t> exchanged(const std::vector<std::int32_t>& classes, std::uint64_t seed) {
  std::map<std::int32_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < classes.size(); ++i) members[classes[i]].push_back(i);
  std::vector<std::size_t> other(classes.size());
  for (auto& [code, rows] : members) {
    std::vector<std::size_t> order = rows;
    Stream(seed, "exchanged records", static_cast<std::uint64_t>(code)).shuffle(std::span(order));
    for (std::size_t k = 0; k < order.size(); ++k) other[order[k]] = order[(k + 1) % order.size()];
  }
  return other;
}

Templates joined(const Templates& first, const Templates& second) {
  Matrix<float> rows(first.rows() + second.rows(), first.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto row = i < first.rows() ? first.floats().row(i) : second.floats().row(i - first.rows());
    std::copy(row.begin(), row.end(), rows.row(i).begin());
  }
  return Templates(std::move(rows));
}

}  // namespace

struct AnonymityStudy::Attribute {
  std::string name;
  double alpha = 1;
  AttributeClasses cut = {};
  std::vector<std::string> classes = {};
  std::vector<std::int32_t> train = {}, test = {};  // codes
  std::unique_ptr<Estimator> reader = {};           // learned from clear data
  Json clear = {};
};

struct AnonymityStudy::Recogniser {
  std::string specification;
  Preparation steps;
  std::unique_ptr<Estimator> estimator = {};
  double clear_mixture = 0;
};

AnonymityStudy::AnonymityStudy(Dataset train, Dataset test, bool one_sample_each, AnonymityRun run)
    : train_(std::move(train)), test_(std::move(test)), one_sample_each_(one_sample_each), run_(std::move(run)) {
  for (const std::size_t subject : subjects_of(test_).of_row) subjects_.push_back(static_cast<std::uint32_t>(subject));
  std::vector<std::pair<std::string, double>> names = {{run_.attribute, 1.0}};
  names.insert(names.end(), run_.keep.begin(), run_.keep.end());
  for (const auto& [name, alpha] : names) {
    Attribute attribute{.name = name, .alpha = alpha};
    const auto asked = run_.edges.find(name);
    attribute.cut = attribute_classes(train_, name, asked == run_.edges.end() ? std::vector<double>() : asked->second);
    const Dataset classed_train = with_classes(train_, attribute.cut);
    const Dataset classed_test = with_classes(test_, attribute.cut);
    attribute.classes = classed_train.labels.categorical(name).classes;
    attribute.train = codes_in(classed_train, name, attribute.classes);
    attribute.test = codes_in(classed_test, name, attribute.classes);
    if (attribute.classes.size() < 2) {
      throw_input(train_.origin, fmt::format("'{}' has {} class(es), nothing to read", name, attribute.classes.size()));
    }
    attribute.reader = trained(run_.estimator, train_, attribute.train, attribute.classes.size(), nullptr, run_.seed);
    attribute.clear = quality(attribute.reader->predict(to_features(test_.templates).view()), attribute.test,
                              attribute.classes.size(), subjects_, run_);
    attributes_.push_back(std::move(attribute));
  }
  choose_candidates();
  if (!one_sample_each_) learn_identities();
  clear_ = measure(test_, nullptr, std::nullopt);
  for (const Json& attacker : clear_["attackers"]) {
    for (Recogniser& recogniser : recognisers_) {
      if (attacker["attacker"] == recogniser.specification) recogniser.clear_mixture = attacker["mixture"];
    }
  }
}

AnonymityStudy::~AnonymityStudy() = default;

void AnonymityStudy::choose_candidates() {
  candidates_ = run_.among_all ? joined(test_.templates, train_.templates) : test_.templates;
  std::vector<std::string> values = test_.labels.column(run_.attribute);
  if (run_.among_all) {
    const auto& more = train_.labels.column(run_.attribute);
    values.insert(values.end(), more.begin(), more.end());
  }
  if (attributes_.front().cut.continuous || std::find(values.begin(), values.end(), "") != values.end()) return;
  std::map<std::string, std::size_t> classes = run_.population;
  for (const std::string& value : values) classes.try_emplace(value, 0);
  for (const std::string& value : values) {
    candidate_classes_.push_back(static_cast<std::int32_t>(std::distance(classes.begin(), classes.find(value))));
  }
  if (run_.population.empty()) return;
  for (const auto& [name, members] : classes) population_.push_back(members);
}

void AnonymityStudy::learn_identities() {
  std::vector<std::string> people = train_.labels.categorical(train_.identity_column).classes;
  if (run_.most_identities > 0 && people.size() > run_.most_identities) {
    // Only somebody of whom the test part has a sample can be named rightly.
    people = test_.labels.categorical(test_.identity_column).classes;
    Stream(run_.seed, "people who are named").shuffle(std::span(people));
    people.resize(std::min(people.size(), run_.most_identities));
    std::sort(people.begin(), people.end());
  }
  identities_ = people.size();
  identities_train_ = codes_in(train_, train_.identity_column, people);
  const Labelled named = labelled(codes_in(test_, test_.identity_column, people));
  named_ = named.rows;
  identities_test_ = named.codes;
  for (const std::size_t row : named_) named_subjects_.push_back(subjects_[row]);
  for (const std::string& specification : run_.recognisers) {
    Recogniser recogniser{.specification = specification, .steps = Preparation("zscore")};
    recogniser.steps.fit(to_features(train_.templates).view());
    recogniser.estimator = trained(specification, train_, identities_train_, identities_, &recogniser.steps, run_.seed);
    recognisers_.push_back(std::move(recogniser));
  }
}

Json AnonymityStudy::utility(const Dataset& test, const Dataset* train) const {
  Json list = Json::array();
  double value = 0, clear = 0;
  const Matrix<float> x = to_features(test.templates);
  for (const Attribute& attribute : attributes_) {
    const std::size_t classes = attribute.classes.size();
    Json entry = quality(attribute.reader->predict(x.view()), attribute.test, classes, subjects_, run_);
    const ClassificationResult levels = classify_result(attribute.test, attribute.test, classes);
    entry.update({{"attribute", attribute.name},
                  {"role", &attribute == attributes_.data() ? "interest" : "additional"},
                  {"alpha", attribute.alpha},
                  {"classes", classes},
                  {"chance", levels.majority},
                  {"clear", attribute.clear},
                  {"retrained", nullptr}});
    if (train != nullptr) {
      const auto reader = trained(run_.estimator, *train, attribute.train, classes, nullptr, run_.seed);
      entry["retrained"] = quality(reader->predict(x.view()), attribute.test, classes, subjects_, run_);
    }
    value += attribute.alpha * entry["accuracy"].get<double>();
    clear += attribute.alpha * attribute.clear["accuracy"].get<double>();
    list.push_back(std::move(entry));
  }
  return {{"estimator", run_.estimator}, {"value", value}, {"clear", clear}, {"attributes", std::move(list)}};
}

Json AnonymityStudy::attackers(const Dataset& test, const Dataset* train, const std::optional<Blend>& blend,
                               Json& worst) const {
  Json list = Json::array();
  const auto add = [&](const std::string& name, const char* question, bool informed, const std::string& text,
                       const std::vector<Standing>& standings, Json clear_mixture, Json null_mixture) {
    const std::vector<std::uint32_t>& subjects = std::string(question) == "record" ? subjects_ : named_subjects_;
    Json top = Json::array();
    for (const std::size_t k : run_.top) {
      if (k > 1 && k >= standings.front().candidates) continue;
      const Mixture mixture = mixture_at(k, standings, subjects, run_.bootstrap, run_.seed);
      top.push_back({{"k", k},
                     {"mixture", mixture.value},
                     {"ci", interval(mixture, run_.bootstrap)},
                     {"chance", mixture.chance}});
    }
    const Mixture first = mixture_at(1, standings, subjects, run_.bootstrap, run_.seed);
    double ranks = 0;
    std::uint32_t candidates = 0;
    for (const Standing& standing : standings) {
      ranks += standing.above + (standing.tied + 1) / 2.0;
      candidates = std::max(candidates, standing.candidates);
    }
    list.push_back({{"attacker", name},
                    {"question", question},
                    {"informed", informed},
                    {"text", text},
                    {"candidates", candidates},
                    {"mixture", first.value},
                    {"ci", interval(first, run_.bootstrap)},
                    {"chance", first.chance},
                    {"top", std::move(top)},
                    {"mean_rank", ranks / static_cast<double>(standings.size())},
                    {"kl", mean_divergence(standings)},
                    {"temperature", name == "nearest" ? Json(run_.temperature) : Json(nullptr)},
                    {"clear", clear_mixture.is_null() ? Json(nullptr) : Json{{"mixture", clear_mixture}}},
                    {"null", null_mixture.is_null() ? Json(nullptr) : Json{{"mixture", null_mixture}}}});
    // The record that the strongest of them finds most surely.
    const bool stronger = worst.is_null() || first.value < 1 - worst["found_first"].get<double>();
    if (std::string(question) == "record" && stronger) {
      const auto surest = std::max_element(standings.begin(), standings.end(), [](const auto& a, const auto& b) {
        return a.hit(1) * a.posterior < b.hit(1) * b.posterior;
      });
      worst = {{"attacker", name},
               {"posterior", surest->posterior},
               {"rank", surest->above + 1},
               {"found_first", 1 - first.value}};
    }
  };

  // Which record is it? Everybody who holds the originals may ask.
  const bool comparable =
      test.templates.kind() == ElementKind::float32 && test.templates.cols() == test_.templates.cols();
  std::vector<std::size_t> own(test_.size());
  std::iota(own.begin(), own.end(), std::size_t{0});
  if (comparable) {
    const auto comparator = make_comparator("cosine");
    const auto nearest = [&](const Templates& probes) {
      return link_records(*comparator, probes, candidates_, own, {ScoreWeight::softmax, run_.temperature}, test.origin);
    };
    const bool unprotected = !blend && train == nullptr;
    add("nearest", "record", false, "takes the original of highest cosine similarity", nearest(test.templates),
        unprotected ? Json(nullptr) : clear_["attackers"][0]["mixture"], nullptr);
  }
  if (comparable && blend && !candidate_classes_.empty()) {
    const BlendedRecords records{test.templates, candidates_, candidate_classes_, own, population_};
    const std::vector<std::size_t> others =
        exchanged({candidate_classes_.begin(), candidate_classes_.begin() + static_cast<std::ptrdiff_t>(test_.size())},
                  run_.seed);
    const BlendedRecords null_records{test.templates, candidates_, candidate_classes_, others, population_};
    const auto null_mixture = [&](auto&& link) {
      if (!run_.null_controls) return Json(nullptr);
      return Json(mixture_at(1, link(*blend, null_records, test.origin), subjects_, 0, run_.seed).value);
    };
    // Unprotected, a record is a set of its own.
    const BlendedRecords unprotected{test_.templates, candidates_, candidate_classes_, own, population_};
    Blend alone = *blend;
    alone.size = alone.own = 1;
    std::fill(alone.pull.begin(), alone.pull.end(), 0.0);
    std::fill(alone.scale.begin(), alone.scale.end(), 1.0);
    const auto clear_mixture = [&](auto&& link) {
      return Json(mixture_at(1, link(alone, unprotected, test.origin), subjects_, 0, run_.seed).value);
    };
    add("retained", "record", true, "knows which features are retained, and takes the original nearest in them",
        link_by_retained(*blend, records, test.origin), clear_mixture(link_by_retained),
        null_mixture(link_by_retained));
    add("likelihood", "record", true,
        fmt::format("knows the technique and its parameters, holds all originals and sees {}; takes the original that "
                    "explains the record best",
                    run_.attribute),
        link_by_likelihood(*blend, records, test.origin), clear_mixture(link_by_likelihood),
        null_mixture(link_by_likelihood));
  }

  // Who is it? Whoever has other samples of the same people may ask.
  const auto recognise = [&](const Estimator& estimator, const Preparation& steps) {
    const Matrix<float> x = steps.apply(to_features(test.templates.select(named_)).view());
    return standings_of(estimator.predict_proba(x.view()).view(), identities_test_);
  };
  for (const Recogniser& recogniser : recognisers_) {
    if (!comparable) break;
    add(recogniser.specification, "identity", false,
        "has learned to name people from other samples of theirs, unprotected",
        recognise(*recogniser.estimator, recogniser.steps),
        clear_.is_null() ? Json(nullptr) : Json(recogniser.clear_mixture), nullptr);
  }
  if (train != nullptr) {
    for (const Recogniser& recogniser : recognisers_) {
      Preparation steps("zscore");
      steps.fit(to_features(train->templates).view());
      const auto estimator =
          trained(recogniser.specification, *train, identities_train_, identities_, &steps, run_.seed);
      add(recogniser.specification + " on anonymised data", "identity", true,
          "anonymises other samples of the same people himself, and learns to name people from those",
          recognise(*estimator, steps), recogniser.clear_mixture, nullptr);
    }
  }
  return list;
}

const Json* strongest_attacker(const Json& attackers, std::string_view question, bool informed) {
  const Json* strongest = nullptr;
  for (const Json& attacker : attackers) {
    if (attacker["question"] != question || (!informed && attacker["informed"] == true)) continue;
    if (strongest == nullptr || attacker["mixture"] < (*strongest)["mixture"]) strongest = &attacker;
  }
  return strongest;
}

Json AnonymityStudy::measure(const Dataset& test, const Dataset* train, const std::optional<Blend>& blend) const {
  BAUTA_ASSERT(test.size() == test_.size() && (train == nullptr || train->size() == train_.size()));
  Json worst;
  Json said = attackers(test, train, blend, worst);
  Json survives = Json::array();
  for (const char* question : {"record", "identity"}) {
    const Json* const strongest = strongest_attacker(said, question, true);
    const auto claimed = std::find_if(said.begin(), said.end(), [&](const Json& attacker) {
      return attacker["question"] == question && attacker["informed"] == false;
    });
    if (claimed == said.end()) continue;
    const double claim = (*claimed)["mixture"], left = (*strongest)["mixture"], chance = (*strongest)["chance"];
    survives.push_back({{"question", question},
                        {"claimed", claim},
                        {"attacker_claimed", (*claimed)["attacker"]},
                        {"informed", left},
                        {"attacker", (*strongest)["attacker"]},
                        {"ci", (*strongest)["ci"]},
                        {"chance", chance}});
  }
  return {{"records", test.size()},
          {"train_records", train_.size()},
          {"identities", one_sample_each_ ? test_.size() + train_.size() : identities_},
          {"one_record_per_identity", one_sample_each_},
          {"utility", utility(test, train)},
          {"attackers", std::move(said)},
          {"survives", std::move(survives)},
          {"worst_record", std::move(worst)},
          {"exact_copies", exact_copies(test.templates, {&train_.templates, &test_.templates})}};
}

Json setting_json(const ResolvedProtection& protection, const Blend& blend) {
  const Parameters& parameters = protection.parameters;
  const std::size_t width = blend.pull.size();
  const auto count = static_cast<std::size_t>(parameters.integer("cp"));
  Json shares = Json::object();
  Json retained = {{protection.attributes, count > 0 ? count : retained_features(parameters.real("rp"), width, true)}};
  for (const KeptAttribute& kept : parse_kept_list(parameters.text("keep"), "keep")) {
    shares[kept.name] = kept.share;
    retained[kept.name] = retained_features(kept.share, width, false);
  }
  return {{"g", blend.size},
          {"t", parameters.real("t")},
          {"t_used", static_cast<double>(blend.own) / static_cast<double>(blend.size)},
          {"w", parameters.text("w")},
          {"rp", parameters.real("rp")},
          {"rq", std::move(shares)},
          {"retained", blend.retained.size()},
          {"retained_for", std::move(retained)},
          {"features", width},
          {"form", parameters.text("form")}};
}

}  // namespace bauta
