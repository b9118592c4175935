// The chapter about anonymised records (S2): what they are still good for, and whether the people behind them can be
// found again; first what is left of the claim, in words.
#include <algorithm>

#include <fmt/format.h>

#include "style.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

// Sentences of a few settings stand open; more are folded away behind those of the headline.
constexpr std::size_t few_settings = 3;
constexpr std::size_t few_rows = 12;

std::string sentences_of(const Settings& settings, bool named) {
  std::string out;
  for (const Anonymised* setting : settings) {
    std::string items;
    for (const std::string& question : questions_of({setting})) {
      const std::string said = survival_sentence(survival_of(*setting, question));
      if (said.empty()) continue;
      items +=
          fmt::format("<li><strong>{}</strong> {}</li>\n", escape_html(question_title(question)), escape_prose(said));
    }
    if (items.empty()) continue;
    if (named) out += fmt::format("<p class=\"origin\">{}</p>\n", escape_html(setting->name));
    out += fmt::format("<ul class=\"survives\">\n{}</ul>\n", items);
  }
  return out;
}

// What each attacker does and knows, in the run's own words.
std::string attackers_block(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> known;
  for (const Anonymised* setting : settings) {
    for (const Reidentifier& attacker : setting->attackers) {
      const std::pair<std::string, std::string> entry = {attacker_name(attacker), attacker.text};
      const bool listed = std::find(known.begin(), known.end(), entry) != known.end();
      if (!attacker.text.empty() && !listed) known.push_back(entry);
    }
  }
  std::string out;
  for (const auto& [name, text] : known) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(name), escape_prose(sentence(text)));
  }
  return out.empty() ? out : "<h3>Who looks</h3>\n<div class=\"card\"><dl class=\"defs\">\n" + out + "</dl></div>\n";
}

std::string use_of(const Anonymised& setting) {
  Names out;
  for (const AttributeUtility& item : setting.attributes) {
    if (!item.accuracy.value) continue;
    out.push_back(fmt::format("{} {}", item.attribute, percent(item.accuracy.value)));
    if (item.clear) out.back() += fmt::format(" instead of {} on clear data", percent(item.clear->value));
  }
  return out.empty() ? std::string() : "Accuracy of " + joined(out, "; ");
}

std::string mixture_fact(const Survival& survival) {
  Names out;
  if (survival.claimed) {
    out.push_back(fmt::format("{} against {} (claimed)", precise_percent(survival.claimed), survival.attacker_claimed));
  }
  if (survival.informed) {
    out.push_back(
        fmt::format("{} against {} (strongest)", precise_percent(survival.informed, survival.ci), survival.attacker));
  }
  if (!out.empty() && survival.chance) out.back() += "; guessing leaves " + precise_percent(survival.chance);
  return joined(out);
}

// From the best to the worst setting, for the same target.
std::string range_fact(const RunResults& run) {
  std::vector<const Strongest*> entries;
  for (const Strongest& entry : run.ranking) {
    if (!entry.unprotected && entry.about == run.headline->about && entry.attribute == run.headline->attribute &&
        entry.strongest.measure == run.headline->strongest.measure) {
      entries.push_back(&entry);
    }
  }
  const auto [least, most] = std::minmax_element(
      entries.begin(), entries.end(), [](const Strongest* a, const Strongest* b) { return a->share < b->share; });
  if (entries.size() < 2 || *least == *most) return {};
  const auto told = [](const Strongest& entry) {
    return fmt::format("{} with {}", value_text({entry.strongest.value}, entry.strongest.unit),
                       spaced(entry.technique));
  };
  return fmt::format("{} from {} to {}", run.headline->strongest.measure, told(**least), told(**most));
}

const std::vector<Definition>& anonymity_words() {
  static const std::vector<Definition> words = {
      {"Identity mixture",
       "Share of anonymised records whose original, or whose person, the attacker does not name first; within k "
       "guesses: not among their k best."},
      {"Guessing", "An attacker who knows nothing leaves a mixture of 1 − k / candidates."},
      {"Informed", "Knows the method and its parameters, though no secret; the paper's attackers are uninformed."},
      {"Claimed, left", "The mixture against the strongest uninformed attacker, and against the strongest of all."},
      {"Fails on clear data",
       "An attacker who finds no more than guessing, up to two standard errors, where nothing was anonymised."},
      {"KL from guessing",
       "Kullback-Leibler divergence of the attacker's belief over candidates from the uniform one, in nats, mean over "
       "records; 0 is guessing, the logarithm of the number of candidates is certainty."},
      {"U", "Accuracy of the attribute of interest, and accuracies of additional ones weighted by alpha, summed."},
      {"Learned anew", "The estimator learns from anonymised records instead of clear ones."},
      {"g, t, w, rp, rq",
       "Size of the random set, its share of records with the same attribute, weight of retained features, and shares "
       "of features retained for the attribute of interest and for additional ones."}};
  return words;
}

class AnonymityChapter : public Chapter {
 public:
  [[nodiscard]] Names questions() const override { return {"anonymity"}; }

  void read(const Cell& cell, const RunResults& run, Shared& /*shared*/) override { add_setting(cell, run, runs_); }

  [[nodiscard]] std::vector<Section> write(const Shared& /*shared*/) const override {
    Section out{"anonymity", "Anonymity", "Can they be found again?",
                "Anonymised records should still tell the attribute of interest and no longer whose they are; a claim "
                "of anonymity counts as much as what an attacker who knows the method leaves of it."};
    out.definitions = anonymity_words();
    Settings first, hidden, all;
    std::vector<Figure> figures;
    for (const AnonymisedRun& run : runs_) {
      for (const Anonymised* setting : headline_settings(run)) first.push_back(setting);
      for (const Anonymised* setting : protected_settings(run)) hidden.push_back(setting);
      for (const Anonymised& setting : run.all) all.push_back(&setting);
      figures.push_back(anonymity_tradeoff_figure(run));
      for (Figure& figure : sweep_figures(run)) figures.push_back(std::move(figure));
      for (Figure& figure : quality_figures(run)) figures.push_back(std::move(figure));
    }
    if (hidden.size() <= few_settings) first = hidden;
    const std::string sentences = sentences_of(first, hidden.size() > 1);
    if (!sentences.empty()) {
      out.add_html("<div class=\"card\">\n<h3>What survives of the claim</h3>\n" + sentences + "</div>\n");
    }
    if (first.size() < hidden.size()) {
      out.add_html(sentences_of(hidden, true), fmt::format("The same for all {} settings", hidden.size()));
    }
    out.add(std::move(figures), "The same for other representations");
    out.add_html(attackers_block(hidden));
    out.add_long(clear_level_table(all), "Levels on clear data");
    out.add_long(anonymity_table(all), "All settings in numbers", few_rows);
    out.add(reidentifier_table(all), "All attackers in numbers");
    out.add(setting_table(all), "Parameters of all settings");
    return {out};
  }

  void tell(const RunResults& run, Card& card) const override {
    const auto found =
        std::find_if(runs_.begin(), runs_.end(), [&](const AnonymisedRun& other) { return other.run == &run; });
    if (found == runs_.end()) return;
    const Settings settings = protected_settings(*found);
    const Settings chosen = headline_settings(*found);
    if (card.headline && !chosen.empty()) {
      const Anonymised& setting = *chosen.front();
      card.facts.push_back({"What it is still good for", use_of(setting)});
      for (const std::string& question : questions_of({&setting})) {
        card.facts.push_back({"Identity mixture, the share that is not found. " + question_title(question),
                              mixture_fact(survival_of(setting, question))});
      }
      card.facts.push_back({fmt::format("Over all {} settings", settings.size()), range_fact(run)});
      const Number copies = setting.exact_copies;
      if (copies && *copies > 0) {
        card.facts.push_back({"Exact copies", grouped(copies) + " anonymised records are an original, unchanged"});
      }
      for (const Reidentifier& attacker : setting.attackers) {
        if (attacker.attacker == card.headline->strongest.attacker && !attacker.text.empty()) {
          card.threat_model.push_back(sentence(attacker.text));
          break;
        }
      }
    }
    const std::string broken = broken_attackers(settings);
    if (!broken.empty()) {
      card.facts.push_back({"Attackers who fail on clear data", broken + ": finding nobody proves nothing"});
    }
  }

 private:
  std::vector<AnonymisedRun> runs_;
};

}  // namespace

std::unique_ptr<Chapter> anonymity_chapter() {
  return std::make_unique<AnonymityChapter>();
}

}  // namespace bauta::report
