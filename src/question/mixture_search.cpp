#include "bauta/question/mixture_search.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/measure/finding_json.hpp"
#include "bauta/protect/kept.hpp"
#include "bauta/protocol/release_sample.hpp"
#include "bauta/question/protecting.hpp"
#include "linkage.hpp"
#include "utility.hpp"

namespace bauta {

namespace {

using Values = std::map<std::string, std::string>;

constexpr std::size_t draws = 200;

struct Tried {
  std::string text;  // "g=8,t=0.6", as declared
  Values values;
  ResolvedProtection protection;
};

ResolvedProtection with_setting(const ResolvedProtection& fitted, const Values& setting) {
  ResolvedProtection protection = make_protection(with_parameters(fitted.parameters.resolved(), setting));
  protection->restore(fitted->state(), "search");
  protection.attributes = fitted.attributes;
  protection.model = fitted.model;
  return protection;
}

/// A weight of 1, for one, retains nothing, whatever share of the features it is given to.
bool same_records(const ResolvedProtection& one, const ResolvedProtection& other) {
  const std::optional<Blend> a = one->blend(), b = other->blend();
  BAUTA_ASSERT(a && b);
  return a->size == b->size && a->own == b->own && a->pull == b->pull && a->scale == b->scale;
}

/// All that the technique declares worth trying, but for what was given. Settings that come to the same are one.
std::vector<Tried> settings_of(const ResolvedProtection& fitted, const Specification& given) {
  std::vector<Tried> settings(1);
  for (const Parameter& parameter : fitted.declaration->parameters) {
    if (parameter.grid.empty()) continue;
    const auto found = given.values.find(parameter.name);
    const auto values = found == given.values.end() ? parameter.grid : std::vector<std::string>{found->second};
    std::vector<Tried> longer;
    for (const Tried& setting : settings) {
      for (const std::string& value : values) {
        longer.push_back(setting);
        longer.back().values[parameter.name] = value;
        longer.back().text += fmt::format("{}{}={}", setting.text.empty() ? "" : ",", parameter.name, value);
      }
    }
    settings = std::move(longer);
  }
  std::vector<Tried> different;
  for (Tried& setting : settings) {
    setting.protection = with_setting(fitted, setting.values);
    const auto same = [&](const Tried& other) { return same_records(other.protection, setting.protection); };
    if (std::ranges::none_of(different, same)) different.push_back(std::move(setting));
  }
  return different;
}

std::string text_of(const Json& one) {
  const std::string ci = one["ci"].is_array() ? fmt::format(" [{:.2f}, {:.2f}]", 100 * one["ci"][0].get<double>(),
                                                            100 * one["ci"][1].get<double>())
                                              : "";
  return fmt::format("{} with a mixture of {:.2f} %{} against {} and a utility of {:.3f}",
                     one["setting"].get<std::string>(), 100 * one["mixture"].get<double>(), ci,
                     one["attacker"].get<std::string>(), one["utility"].get<double>());
}

/// What settings are judged on. Sets are drawn from what is searched, so that the evidence is not looked at.
class Judge {
 public:
  Judge(const ResolvedProtection& fitted, const ReleaseSample& sample, const MixtureSearch& search)
      : search_(search), learned_(sample.data.select(sample.learn)), judged_(sample.data.select(sample.search)) {
    std::vector<std::size_t> rows = sample.search;
    rows.insert(rows.end(), sample.learn.begin(), sample.learn.end());
    searched_ = sample.data.select(rows);
    UtilityRun utility{.attributes = {fitted.attributes}, .bootstrap = 0, .seed = search.seed};
    for (const KeptAttribute& kept : kept_attributes(fitted)) utility.keep[kept.name] = 1;
    readers_.emplace(learned_, judged_, std::move(utility));
    linkage_ = {.attribute = fitted.attributes,
                .among_all = true,
                .controls = false,
                .top = {},
                .bootstrap = draws,
                .seed = search.seed};
  }

  [[nodiscard]] std::size_t candidates() const { return searched_.size(); }

  /// One setting, as the trace has it.
  [[nodiscard]] Json judged(const Tried& setting) const {
    const ResolvedProtection& protection = setting.protection;
    Json entry = {{"setting", setting.text}, {"parameters", setting.values}, {"utility", nullptr}, {"mixture", nullptr},
                  {"ci", nullptr},           {"attacker", nullptr},          {"chance", nullptr},  {"reaches", false},
                  {"refused", nullptr}};
    Dataset anonymised;
    try {
      anonymised = protect_dataset(protection, searched_, protect_context(searched_, search_.seed));
    } catch (const Error& error) {
      if (error.fault != Fault::usage) throw;
      entry["refused"] = error.finding;  // sets of this size and purity cannot be drawn
      return entry;
    }
    std::vector<std::size_t> first(judged_.size());
    std::iota(first.begin(), first.end(), std::size_t{0});
    const Dataset records = anonymised.select(first);
    const Answer answer = run_linkage({learned_, judged_, records, protection->blend()}, linkage_);
    const Json& found = answer.values;
    const Json& strongest = *strongest_linker(found["attackers"], answer.findings, search_.informed);
    entry["utility"] = readers_->read(records, nullptr).values["value"];
    for (const char* name : {"mixture", "ci", "attacker", "chance"}) entry[name] = strongest[name];
    entry["reaches"] = found["exact_copies"] == 0 && strongest["mixture"].get<double>() >= search_.target;
    return entry;
  }

 private:
  const MixtureSearch& search_;
  Dataset learned_, judged_, searched_;  // the last one holds both, what is judged first
  std::optional<AttributeReaders> readers_;
  LinkageRun linkage_;
};

/// The most useful of the settings that reach the target, and the one of highest mixture; null: there is none.
struct Choice {
  const Json* best = nullptr;
  const Json* nearest = nullptr;

  explicit Choice(const std::vector<Json>& entries) {
    const auto rank = [](const Json& of) {
      return std::pair(of["utility"].get<double>(), of["mixture"].get<double>());
    };
    for (const Json& one : entries) {
      if (!one["refused"].is_null()) continue;
      if (nearest == nullptr || one["mixture"] > (*nearest)["mixture"]) nearest = &one;
      if (one["reaches"] == true && (best == nullptr || rank(one) > rank(*best))) best = &one;
    }
  }
};

}  // namespace

FoundSetting search_mixture(const ResolvedProtection& fitted, const Specification& given, const Dataset& dataset,
                            const MixtureSearch& search) {
  const ReleaseSample sample = release_sample(dataset, fitted.attributes, search.seed);
  const Judge judge(fitted, sample, search);
  const std::vector<Tried> settings = settings_of(fitted, given);
  std::vector<Json> entries;
  Progress progress("settings", settings.size());
  for (const Tried& setting : settings) {
    entries.push_back(judge.judged(setting));
    progress.add(1);
  }
  const Choice choice(entries);
  if (choice.nearest == nullptr) {
    throw_usage("--target-mixture", "no setting of the grid can be drawn from this data", "give parameters yourself");
  }
  FoundSetting found;
  if (choice.best != nullptr) {
    found.protection = settings[static_cast<std::size_t>(choice.best - entries.data())].protection;
    found.best = fmt::format(
        "the most useful of {} settings that reach {:g} % is {}",
        std::count_if(entries.begin(), entries.end(), [](const Json& one) { return one["reaches"] == true; }),
        100 * search.target, text_of(*choice.best));
  } else {
    found.best = fmt::format("the best of {} settings is {}; guessing leaves {:.2f} %", entries.size(),
                             text_of(*choice.nearest), 100 * (*choice.nearest)["chance"].get<double>());
  }
  found.trace = {{"target", search.target},
                 {"against", search.informed ? "informed" : "claimed"},
                 {"learned", sample.learn.size()},
                 {"judged", sample.search.size()},
                 {"candidates", judge.candidates()},
                 {"chosen", choice.best == nullptr ? Json(nullptr) : (*choice.best)["setting"]},
                 {"settings", entries}};
  return found;
}

Json checked_search(Json trace, const Json& cells) {
  if (trace.is_null()) return trace;
  const auto linked =
      std::find_if(cells.rbegin(), cells.rend(), [](const Json& cell) { return cell["values"].contains("attackers"); });
  BAUTA_ASSERT(linked != cells.rend());
  std::vector<Finding> findings;
  for (const Json& one : (*linked)["findings"]) findings.push_back(read_finding(one).value());
  const Json* judge = strongest_linker((*linked)["values"]["attackers"], findings, trace["against"] == "informed");
  BAUTA_ASSERT(judge != nullptr);
  trace["evidence"] = {{"mixture", (*judge)["mixture"]},
                       {"ci", (*judge)["ci"]},
                       {"attacker", (*judge)["attacker"]},
                       {"reaches", (*judge)["mixture"].get<double>() >= trace["target"].get<double>()}};
  return trace;
}

}  // namespace bauta
