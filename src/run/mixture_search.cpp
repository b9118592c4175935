#include "bauta/run/mixture_search.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/protect/kept.hpp"
#include "bauta/question/anonymity.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/run/release_sample.hpp"

namespace bauta {

namespace {

using Values = std::map<std::string, std::string>;

constexpr std::size_t draws = 200;

/// Without weight nothing is retained, so that there its share is not varied.
std::vector<Values> grid(const Specification& given) {
  const auto values = [&](const char* name, std::vector<std::string> tried) {
    const auto found = given.values.find(name);
    return found == given.values.end() ? tried : std::vector<std::string>{found->second};
  };
  const bool counted = given.values.contains("cp");
  std::vector<Values> settings;
  for (const auto& g : values("g", {"8", "32", "128", "512"})) {
    for (const auto& t : values("t", {"0.6", "0.8", "1"})) {
      for (const auto& w : values("w", {"1", "10", "100"})) {
        const bool varied = w != "1" && !counted;
        for (const auto& rp :
             values("rp", varied ? std::vector<std::string>{"0.01", "0.1"} : std::vector<std::string>{"0.01"})) {
          settings.push_back({{"g", g}, {"t", t}, {"w", w}, {"rp", rp}});
        }
      }
    }
  }
  return settings;
}

ResolvedProtection with_setting(const ResolvedProtection& fitted, const Values& setting) {
  ResolvedProtection protection = make_protection(with_parameters(fitted.parameters.resolved(), setting));
  protection->restore(fitted->state(), "search");
  protection.attributes = fitted.attributes;
  protection.model = fitted.model;
  return protection;
}

std::string text_of(const Json& one) {
  const std::string ci = one["ci"].is_array() ? fmt::format(" [{:.2f}, {:.2f}]", 100 * one["ci"][0].get<double>(),
                                                            100 * one["ci"][1].get<double>())
                                              : "";
  return fmt::format("{} with a mixture of {:.2f} %{} against {} and a utility of {:.3f}",
                     one["setting"].get<std::string>(), 100 * one["mixture"].get<double>(), ci,
                     one["attacker"].get<std::string>(), one["utility"].get<double>());
}

}  // namespace

FoundSetting search_mixture(const ResolvedProtection& fitted, const Specification& given, const Dataset& dataset,
                            const MixtureSearch& search) {
  const ReleaseSample sample = release_sample(dataset, fitted.attributes, search.seed);
  AnonymityRun run{.attribute = fitted.attributes,
                   .recognisers = {},
                   .among_all = true,
                   .null_controls = false,
                   .top = {1},
                   .bootstrap = draws,
                   .seed = search.seed};
  for (const KeptAttribute& kept : parse_kept_list(fitted.parameters.text("keep"), "keep")) run.keep[kept.name] = 1;
  const AnonymityStudy study(sample.data.select(sample.learn), sample.data.select(sample.search),
                             sample.one_sample_each, std::move(run));
  // Sets are drawn from what is searched, so that the evidence is not looked at.
  std::vector<std::size_t> rows = sample.search;
  rows.insert(rows.end(), sample.learn.begin(), sample.learn.end());
  const Dataset searched = sample.data.select(rows);
  std::vector<std::size_t> judged(sample.search.size());
  for (std::size_t i = 0; i < judged.size(); ++i) judged[i] = i;

  FoundSetting found;
  const std::vector<Values> settings = grid(given);
  const Json *best = nullptr, *nearest = nullptr;
  std::vector<Json> entries;
  entries.reserve(settings.size());
  std::optional<std::size_t> chosen;
  Progress progress("settings", settings.size());
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const Values& setting = settings[s];
    Json entry = {{"setting", fmt::format("g={},t={},w={},rp={}", setting.at("g"), setting.at("t"), setting.at("w"),
                                          setting.at("rp"))},
                  {"parameters", setting},
                  {"utility", nullptr},
                  {"mixture", nullptr},
                  {"ci", nullptr},
                  {"attacker", nullptr},
                  {"chance", nullptr},
                  {"reaches", false},
                  {"refused", nullptr}};
    const ResolvedProtection protection = with_setting(fitted, setting);
    std::optional<Dataset> anonymised;
    try {
      anonymised = protect_dataset(protection, searched, protect_context(searched, search.seed));
    } catch (const Error& error) {
      if (error.fault != Fault::usage) throw;
      entry["refused"] = error.finding;  // sets of this size and purity cannot be drawn
    }
    if (anonymised) {
      const Json values = study.measure(anonymised->select(judged), nullptr, protection->blend());
      const Json& judge = *strongest_attacker(values["attackers"], "record", search.informed);
      entry["utility"] = values["utility"]["value"];
      for (const char* name : {"mixture", "ci", "attacker", "chance"}) entry[name] = judge[name];
      entry["reaches"] = values["exact_copies"] == 0 && judge["mixture"].get<double>() >= search.target;
    }
    entries.push_back(std::move(entry));
    const Json& one = entries.back();
    if (anonymised) {
      if (nearest == nullptr || one["mixture"] > (*nearest)["mixture"]) nearest = &one;
      const auto rank = [](const Json& of) {
        return std::pair(of["utility"].get<double>(), of["mixture"].get<double>());
      };
      if (one["reaches"] == true && (best == nullptr || rank(one) > rank(*best))) {
        best = &one;
        chosen = s;
      }
    }
    progress.add(1);
  }
  if (nearest == nullptr) {
    throw_usage("--target-mixture", "no setting of the grid can be drawn from this data", "give g and t yourself");
  }
  if (best != nullptr) {
    found.protection = with_setting(fitted, settings[*chosen]);
    found.best = fmt::format(
        "the most useful of {} settings that reach {:g} % is {}",
        std::count_if(entries.begin(), entries.end(), [](const Json& one) { return one["reaches"] == true; }),
        100 * search.target, text_of(*best));
  } else {
    found.best = fmt::format("the best of {} settings is {}; guessing leaves {:.2f} %", entries.size(),
                             text_of(*nearest), 100 * (*nearest)["chance"].get<double>());
  }
  found.trace = {{"target", search.target},
                 {"against", search.informed ? "informed" : "claimed"},
                 {"learned", sample.learn.size()},
                 {"judged", sample.search.size()},
                 {"candidates", searched.size()},
                 {"chosen", best == nullptr ? Json(nullptr) : (*best)["setting"]},
                 {"settings", entries}};
  return found;
}

}  // namespace bauta
