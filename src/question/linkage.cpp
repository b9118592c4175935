#include "linkage.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "bauta/attack/linkage.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/ranking.hpp"
#include "bauta/protect/kept.hpp"
#include "bauta/question/attribute_classes.hpp"
#include "bauta/question/comparing.hpp"
#include "closed_set_cells.hpp"
#include "standings.hpp"

namespace bauta {

namespace {

std::size_t exact_copies(const Dataset& released, const std::vector<const Templates*>& originals) {
  const Templates& records = released.templates;
  const std::vector<bool> failed = released.failed();
  std::unordered_set<std::string_view> known;
  for (const Templates* templates : originals) {
    if (templates->kind() != records.kind() || templates->cols() != records.cols()) continue;
    for (std::size_t row = 0; row < templates->rows(); ++row) known.insert(templates->row_bytes(row));
  }
  std::size_t copies = 0;
  for (std::size_t row = 0; row < records.rows(); ++row) {
    copies += !failed[row] && known.contains(records.row_bytes(row));
  }
  return copies;
}

/// Every sample gets another of its class, where there is one.
std::vector<std::size_t> exchanged(std::span<const std::int32_t> classes, std::uint64_t seed) {
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

/// Unprotected, a record is a set of its own.
Blend alone(Blend blend) {
  blend.size = blend.own = 1;
  std::fill(blend.pull.begin(), blend.pull.end(), 0.0);
  std::fill(blend.scale.begin(), blend.scale.end(), 1.0);
  return blend;
}

/// An attacker who puts the originals in order; `right`: the one that counts as the right one of each record.
struct Linker {
  using Link = std::function<std::vector<Standing>(const Templates& records, std::span<const std::size_t> right,
                                                   const Blend& blend)>;
  std::string name;
  std::string text;
  bool informed;
  Link link;
};

/// The attackers on one repetition.
class Linkage {
 public:
  Linkage(const LinkedRecords& data, const LinkageRun& run)
      : data_(data),
        run_(run),
        own_(data.test.size()),
        candidates_(run.among_all ? joined(data.test.templates, data.train.templates) : data.test.templates) {
    std::iota(own_.begin(), own_.end(), std::size_t{0});
    if (data.blend && !run.attribute.empty()) read_classes();
  }

  [[nodiscard]] std::vector<Linked> tried() const {
    std::vector<Linked> all;
    for (const Linker& linker : linkers()) all.push_back(tried_by(linker));
    if (all.empty()) {
      const std::string difference = difference_in_kind(data_.test.templates, data_.records.templates);
      if (!difference.empty()) throw FormsDiffer(data_.records.origin, difference);
      throw NothingToAnswer(Fault::input, data_.records.origin,
                            fmt::format("holds {}: records of numbers are linked with originals of as many",
                                        to_text(data_.records.templates.kind())));
    }
    return all;
  }

 private:
  /// The classes of the candidates, if all are known.
  void read_classes() {
    std::vector<std::string> values = data_.test.labels.column(run_.attribute);
    if (run_.among_all) {
      const auto& more = data_.train.labels.column(run_.attribute);
      values.insert(values.end(), more.begin(), more.end());
    }
    if (attribute_classes(data_.train, run_.attribute).continuous ||
        std::find(values.begin(), values.end(), "") != values.end()) {
      return;
    }
    std::map<std::string, std::size_t> classes = run_.population;
    for (const std::string& value : values) classes.try_emplace(value, 0);
    for (const std::string& value : values) {
      classes_.push_back(static_cast<std::int32_t>(std::distance(classes.begin(), classes.find(value))));
    }
    if (run_.population.empty()) return;
    for (const auto& [name, members] : classes) population_.push_back(members);
  }

  [[nodiscard]] std::vector<Linker> linkers() const {
    const Templates &records = data_.records.templates, &originals = data_.test.templates;
    if (records.kind() != ElementKind::float32 || records.cols() != originals.cols()) return {};
    std::vector<Linker> all;
    all.push_back({"nearest", "takes the original of highest cosine similarity", false,
                   [this](const Templates& looked_for, std::span<const std::size_t> right, const Blend&) {
                     return link_records(*make_comparator("cosine"), looked_for, candidates_, right,
                                         {ScoreWeight::softmax, run_.temperature}, data_.records.origin);
                   }});
    if (classes_.empty()) return all;
    const auto informed = [this](auto* by) -> Linker::Link {
      return [this, by](const Templates& looked_for, std::span<const std::size_t> right, const Blend& blend) {
        return by(blend, {looked_for, candidates_, classes_, right, population_}, data_.records.origin);
      };
    };
    all.push_back({"retained", "knows which features are retained, and takes the original nearest in them", true,
                   informed(link_by_retained)});
    all.push_back({"likelihood",
                   fmt::format("knows the technique and its parameters, holds all originals and sees {}; takes the "
                               "original that explains the record best",
                               run_.attribute),
                   true, informed(link_by_likelihood)});
    return all;
  }

  /// A record of which nothing was extracted tells nothing: every candidate is as likely.
  [[nodiscard]] std::vector<Standing> guessed_where_failed(const Linker& linker, std::span<const std::size_t> right,
                                                           const Blend& blend) const {
    const std::vector<bool> failed = data_.records.failed();
    std::vector<std::size_t> rows, right_of_rows;
    for (std::size_t row = 0; row < failed.size(); ++row) {
      if (failed[row]) continue;
      rows.push_back(row);
      right_of_rows.push_back(right[row]);
    }
    // Rows without a template are zero, which no comparator takes.
    std::vector<Standing> found;
    if (!rows.empty()) found = linker.link(data_.records.templates.select(rows), right_of_rows, blend);
    std::map<std::int32_t, std::uint32_t> candidates;  // for records of a class
    const auto class_of = [&](std::size_t row) { return classes_.empty() ? 0 : classes_[right[row]]; };
    for (std::size_t k = 0; k < rows.size(); ++k) candidates[class_of(rows[k])] = found[k].candidates;
    std::vector<Standing> standings(failed.size());
    std::size_t next = 0;
    for (std::size_t row = 0; row < failed.size(); ++row) {
      if (!failed[row]) {
        standings[row] = found[next++];
        continue;
      }
      const auto known = candidates.find(class_of(row));
      const auto all = known == candidates.end() ? static_cast<std::uint32_t>(candidates_.rows()) : known->second;
      standings[row] = Standing{.tied = all, .candidates = all, .posterior = 1.0 / all};
    }
    return standings;
  }

  [[nodiscard]] Linked tried_by(const Linker& linker) const {
    const Blend blend = data_.blend.value_or(Blend{});
    Linked linked{linker.name, linker.text, linker.informed};
    linked.standings = guessed_where_failed(linker, own_, blend);
    if (run_.controls && &data_.records != &data_.test) {
      linked.clear = linker.link(data_.test.templates, own_, alone(blend));
    }
    if (run_.controls && linker.informed) {
      const auto right = exchanged(std::span(classes_).first(own_.size()), run_.seed);
      linked.null = guessed_where_failed(linker, right, blend);
    }
    return linked;
  }

  const LinkedRecords& data_;
  const LinkageRun& run_;
  std::vector<std::size_t> own_;       // each record's own original
  Templates candidates_;               // the test part, and the training part behind it where all are looked through
  std::vector<std::int32_t> classes_;  // of the candidates; empty: informed attackers cannot narrow the search
  std::vector<std::size_t> population_;
};

}  // namespace

Json setting_json(const ResolvedProtection& protection, const Blend& blend) {
  const Parameters& parameters = protection.parameters;
  Json json = Json::object();
  for (const Parameter& parameter : protection.declaration->parameters) {
    if (parameter.grid.empty()) continue;
    switch (parameter.type) {
      case ParameterType::integer:
        json[parameter.name] = parameters.integer(parameter.name);
        break;
      case ParameterType::real:
        json[parameter.name] = parameters.real(parameter.name);
        break;
      default:
        json[parameter.name] = parameters.text(parameter.name);
    }
  }
  json["purity"] = static_cast<double>(blend.own) / static_cast<double>(blend.size);
  std::vector<std::string> attributes = {protection.attributes};
  Json shares = Json::object(), retained = Json::object();
  for (const KeptAttribute& kept : kept_attributes(protection)) {
    attributes.push_back(kept.name);
    shares[kept.name] = kept.share;
  }
  if (const Parameter* names = kept_parameter(*protection.declaration)) json[names->shares] = std::move(shares);
  json["retained"] = blend.retained.size();
  if (!blend.retained_for.empty()) {
    BAUTA_ASSERT(blend.retained_for.size() == attributes.size());
    for (std::size_t a = 0; a < attributes.size(); ++a) retained[attributes[a]] = blend.retained_for[a];
    json["retained_for"] = std::move(retained);
  }
  json["features"] = blend.pull.size();
  return json;
}

void Linkages::add(const LinkedRecords& data) {
  BAUTA_ASSERT(data.records.size() == data.test.size());
  const People people = data.people.of_row.empty() ? people_of(data.test) : data.people;
  for (const std::string& name : people.names) (void)people_.of(name);
  for (const std::uint32_t person : people.of_row) subjects_.push_back(people_.of(people.names[person]));
  copies_ += exact_copies(data.records, {&data.train.templates, &data.test.templates});
  std::vector<Linked> tried = Linkage(data, run_).tried();
  if (tried.empty()) require_one_form(data.test, data.records.templates, data.records.origin);
  if (repetitions_++ == 0) {
    attackers_ = std::move(tried);
    return;
  }
  const auto append = [](std::vector<Standing>& all, const std::vector<Standing>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  std::erase_if(attackers_, [&](Linked& known) {
    const auto again = std::ranges::find(tried, known.attacker, &Linked::attacker);
    if (again == tried.end()) return true;
    append(known.standings, again->standings);
    append(known.clear, again->clear);
    append(known.null, again->null);
    return false;
  });
}

Answer Linkages::answer() const {
  Answer answer{{{"attackers", Json::array()}, {"worst_record", nullptr}, {"exact_copies", copies_}}};
  const Judged judged(subjects_, people_.names(), run_.bootstrap, run_.seed);
  for (const Linked& linked : attackers_) add_attacker(linked, judged, answer);
  add_worst_record(answer);
  return answer;
}

void Linkages::add_worst_record(Answer& answer) const {
  const std::vector<Finding>& findings = answer.findings;
  const auto strongest = std::min_element(findings.begin(), findings.end(), ranks_before);
  if (strongest == findings.end()) return;
  const std::vector<Standing>& standings = attackers_[static_cast<std::size_t>(strongest - findings.begin())].standings;
  const auto surest = std::max_element(standings.begin(), standings.end(), [](const auto& a, const auto& b) {
    return a.hit(1) * a.posterior < b.hit(1) * b.posterior;
  });
  answer.values["worst_record"] = {{"attacker", strongest->attacker},
                                   {"posterior", surest->posterior},
                                   {"rank", surest->above + 1},
                                   {"found_first", strongest->value}};
}

void Linkages::add_attacker(const Linked& linked, const Judged& judged, Answer& answer) const {
  const std::vector<Standing>& standings = linked.standings;
  const Mixture first = mixture_of(standings, judged);
  std::uint32_t candidates = 0;
  for (const Standing& standing : standings) candidates = std::max(candidates, standing.candidates);
  Finding finding = first_finding(standings, judged);
  finding.attacker = linked.attacker;
  finding.counts["candidates"] = candidates;
  finding.axes = {{"informed", linked.informed ? "yes" : "no"}, {"holds", "the originals"}};
  Json entry = to_json(first, judged);
  entry.update({{"attacker", linked.attacker},
                {"informed", linked.informed},
                {"text", linked.text},
                {"candidates", candidates},
                {"chance", first.chance},
                {"top", top_json(standings, judged, run_.top)},
                {"mean_rank", mean_rank(standings)},
                {"kl", mean_divergence(standings)},
                {"temperature", linked.informed ? Json(nullptr) : Json(run_.temperature)},
                {"clear", nullptr},
                {"null", nullptr}});
  const auto control = [&](const char* name, const std::vector<Standing>& tried, std::optional<Level>& level) {
    if (tried.empty()) return;
    const Mixture mixture = mixture_of(tried, judged);
    entry[name] = to_json(mixture, judged);
    level = first_level(mixture, judged);
  };
  control("clear", linked.clear, finding.clear);
  control("null", linked.null, finding.floor);
  answer.values["attackers"].push_back(std::move(entry));
  answer.findings.push_back(std::move(finding));
}

Answer run_linkage(const LinkedRecords& data, const LinkageRun& run) {
  Linkages linkages(run);
  linkages.add(data);
  return linkages.answer();
}

const Json* strongest_linker(const Json& attackers, std::span<const Finding> findings, bool informed) {
  BAUTA_ASSERT(attackers.size() == findings.size());
  std::optional<std::size_t> strongest;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!informed && attackers[i]["informed"] == true) continue;
    if (!strongest || ranks_before(findings[i], findings[*strongest])) strongest = i;
  }
  return strongest ? &attackers[*strongest] : nullptr;
}

namespace {

std::set<std::string> names_of(const Dataset& data) {
  const std::vector<std::string> names = data.labels.categorical(data.identity_column).classes;
  return {names.begin(), names.end()};
}

class LinkageQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "linkage",
            .paper = "Moriarty et al. (S2)",
            .doc = "which original was a protected record made from?",
            .keys = {switch_key("measure", "linkage", true,
                                "whether records are linked with the originals, all of which "
                                "attackers hold"),
                     top_key(), temperature_key(), bootstrap_key()},
            .only = "in a closed set, where attackers hold the originals"};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    Json values = parameters(setting);
    if (values["linkage"] == false) return {};
    values.erase("linkage");
    // Of the attributes the one that techniques are fitted for is told with the records.
    values["attribute"] = setting.hide.empty() ? "" : setting.hide.front();
    return closed_set_cells(setting, views, technique, "linkage", values);
  }

  [[nodiscard]] std::vector<std::string> remarks(const Setting& setting,
                                                 const Arrangement& /*arrangement*/) const override {
    const bool nothing_asked = parameters(setting)["linkage"] == false && setting.attributes.empty();
    if (nothing_asked || !without_templates(setting)) return {};
    return {"neither linkage nor utility is looked at: extract.representation says how templates are made of media"};
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    const Json& values = asked.parameters;
    const bool nameless = views.arrangement().one_sample_each;
    Linkages linkages({.attribute = values["attribute"],
                       .among_all = values.value("among_all", false),
                       .population = values.value("population", std::map<std::string, std::size_t>()),
                       .top = values["top"].get<std::vector<std::size_t>>(),
                       .temperature = values["temperature"],
                       .bootstrap = values["bootstrap"],
                       .seed = views.seed()});
    Json setting = nullptr;
    std::set<std::string> names;
    std::size_t samples = 0;
    const Json counts = each_repetition(asked, views, [&](const ClosedSetData& data, std::size_t repetition) {
      LinkedRecords records{data.enrol, data.probe, data.judged(), std::nullopt, data.people};
      if (data.protected_probe) {
        const ResolvedProtection& protection =
            views.technique(asked.key["technique"], repetition, asked.views[0].representation);
        records.blend = protection->blend();
        if (records.blend && repetition == 0) setting = setting_json(protection, *records.blend);
      }
      linkages.add(records);
      samples = data.enrol.size() + data.probe.size();
      if (!nameless) names.merge(names_of(data.enrol));
    });
    Answer answer = linkages.answer();
    answer.values.update(counts);
    answer.values.update({{"one_record_per_identity", nameless},
                          {"identities", nameless ? samples : names.size()},
                          {"parameters", std::move(setting)}});
    return answer;
  }
};

}  // namespace

std::unique_ptr<Question> linkage_question() {
  return std::make_unique<LinkageQuestion>();
}

}  // namespace bauta
