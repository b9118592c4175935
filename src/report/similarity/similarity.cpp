// The chapter about the similarity attack: what comparison itself gives away.
#include "similarity.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "text.hpp"

namespace bauta::report {
namespace {

SimilarityGuess read_guess(const Json& values) {
  return {text(values, "rule"),
          number(values, "n"),
          number(values, "n_used"),
          number(values, "success"),
          {number(values, "balanced"), interval(values)},
          named_numbers_of(field(values, "per_class"))};
}

std::string per_class_text(const SimilarityGuess& guess) {
  Names out;
  for (const auto& [name, rate] : guess.per_class) out.push_back(name + " " + percent(rate));
  return joined(out);
}

Table similarity_table(const std::vector<SimilarityAttack>& attacks) {
  Table table{"similarity", "Similarity attacks: every rule and number of samples, 95 % intervals in brackets"};
  for (const SimilarityAttack& attack : attacks) {
    for (const SimilarityGuess& guess : attack.guesses) {
      const bool best = attack.is_best(guess);
      const bool fewer = guess.n && guess.n_used && *guess.n_used != *guess.n;
      Row(table)
          .mark(best)
          .series(attack.series)
          .text("Attribute", "attribute", attack.attribute)
          .field("comparator", Json(attack.comparator))
          .show("Rule", {guess.rule + (best ? " (best)" : "")}, Table::Align::left)
          .field("rule", Json(guess.rule))
          .count("n", "n", guess.n)
          .detail(fewer ? "uses " + grouped(guess.n_used) : "")
          .star(fewer)
          .field("n_used", guess.n_used)
          .rate("Balanced", "balanced", guess.balanced)
          .rate("Plain accuracy", "success", guess.success)
          .text("Per class", "per_class", per_class_text(guess))
          .field("chance", attack.chance);
      if (fewer) table.note = "† Fewer than n samples were there to choose from; the rule used as many as stated.";
    }
  }
  return table;
}

class SimilarityChapter : public Chapter {
 public:
  [[nodiscard]] Names questions() const override { return {"similarity"}; }

  void read(const Cell& cell, const RunResults& /*run*/, Shared& shared) override {
    const Values& values = cell.values;
    SimilarityAttack out;
    out.series = cell.series;
    out.attribute = text(values, "attribute");
    if (out.attribute.empty()) out.attribute = cell.attribute.empty() ? "unnamed attribute" : cell.attribute;
    out.comparator = text(values, "comparator");
    out.chance = number(values, "chance");
    out.attacker_samples = number(field(values, "attacker"), "samples");
    out.attacker_identities = number(field(values, "attacker"), "identities");
    out.target_samples = number(field(values, "target"), "samples");
    out.target_identities = number(field(values, "target"), "identities");
    for (const Json& item : field(values, "results")) out.guesses.push_back(read_guess(item));
    if (field(values, "best").is_object()) out.best = read_guess(values.at("best"));
    for (const char* known : {"classes", "edges", "rotations"}) (void)values.at(known);
    shared.controls.push_back({cell.series, cell.question, out.attribute,
                               "similarity attack" + (out.best ? ", " + guess_name(*out.best) : ""),
                               "similarity attack", out.chance, std::nullopt, read_controls(field(values, "control"))});
    attacks_.push_back(std::move(out));
  }

  [[nodiscard]] std::vector<Section> write(const Shared& shared) const override {
    Section out{"similarity", "Comparison", "What does comparison tell?",
                "An attacker compares with protected samples of people whose attribute is known; those that are most "
                "similar tend to share it."};
    out.definitions = {{"Attack rules",
                        "vote: the majority among the n most similar; mean, linear, log: per class the n best scores, "
                        "equally or by rank weighted."}};
    out.add(similarity_figures(attacks_, shared.style));
    out.add(similarity_table(attacks_), "All similarity attacks in numbers");
    return {out};
  }

  void tell(const RunResults& run, Card& card) const override {
    if (!card.headline || card.headline->strongest.axis("question") != questions().front()) return;
    for (const SimilarityAttack& attack : attacks_) {
      if (attack.series.run != run.name || attack.series.technique != card.headline->technique ||
          attack.attribute != card.headline->attribute) {
        continue;
      }
      card.threat_model.push_back(fmt::format(
          "The attacker holds {} samples of {} other people whose {} is known, can protect them in the same way, and "
          "compares them with {} protected samples of {} people{}. Nothing else about the targets is known.",
          grouped(attack.attacker_samples), grouped(attack.attacker_identities), attack.attribute,
          grouped(attack.target_samples), grouped(attack.target_identities),
          attack.comparator.empty() ? "" : " by the comparator " + attack.comparator));
      return;
    }
  }

 private:
  std::vector<SimilarityAttack> attacks_;
};

}  // namespace

std::string guess_name(const SimilarityGuess& guess) {
  std::string out = guess.rule.empty() ? "similarity" : guess.rule;
  if (guess.n) out += ", n\u00a0=\u00a0" + grouped(guess.n);
  return out;
}

std::unique_ptr<Chapter> similarity_chapter() {
  return std::make_unique<SimilarityChapter>();
}

}  // namespace bauta::report
