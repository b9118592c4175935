#include "verdict.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "text.hpp"

namespace bauta::report {
namespace {

using Cells = std::vector<const NamedCell*>;

/// Two cells whose rates are compared.
struct Pair {
  const NamedCell* first = nullptr;
  const NamedCell* second = nullptr;
  std::string what = {};
  bool above_chance = false;  ///< chance differs: shares of the way from chance to certainty are compared
  bool same_people = false;   ///< of the second only people who are in the first count
};

/// What people_contrast() is told of pairs; holds the people that are left out of some.
class Rates {
 public:
  void add(const Pair& pair, double weight) {
    rates_.push_back({pair.first->people, weight, pair.above_chance ? pair.first->chance() : 0});
    std::span<const PersonHits> others = pair.second->people;
    if (pair.same_people) {
      std::set<std::uint32_t> present;
      for (const PersonHits& one : pair.first->people) present.insert(one.person);
      auto& kept = kept_.emplace_back(std::make_unique<std::vector<PersonHits>>());
      for (const PersonHits& one : others) {
        if (present.contains(one.person)) kept->push_back(one);
      }
      others = *kept;
    }
    rates_.push_back({others, -weight, pair.above_chance ? pair.second->chance() : 0});
  }
  [[nodiscard]] std::optional<PeopleContrast> contrast(std::uint64_t seed) const {
    return people_contrast(rates_, {1000, seed});
  }

 private:
  std::vector<WeighedRate> rates_;
  std::vector<std::unique_ptr<std::vector<PersonHits>>> kept_;
};

std::optional<PeopleContrast> mean_of(const std::vector<Pair>& pairs, std::uint64_t seed) {
  Rates rates;
  for (const Pair& pair : pairs) rates.add(pair, 1 / static_cast<double>(pairs.size()));
  return rates.contrast(seed);
}

std::vector<Compared> compared(const std::vector<Pair>& pairs, std::uint64_t seed) {
  std::vector<Compared> out;
  for (const Pair& pair : pairs) {
    const auto difference = mean_of({pair}, seed);
    if (!difference) continue;
    out.push_back({pair.first->technique, pair.first->system, pair.what, pair.first->choice.size, pair.first->rate(),
                   pair.second->rate(), *difference});
  }
  return out;
}

std::string place_of(const Compared& one) {
  return one.technique + ", " + one.system + (one.size.empty() ? "" : ", " + one.size);
}

/// "more in 12, less in 1 of 20 comparisons (gait-noise, svm: -3.1 points)".
std::string counted(const std::vector<Compared>& all, const char* more, const char* less) {
  std::size_t up = 0;
  Names down;
  for (const Compared& one : all) {
    if (!differs(one.difference, all.size())) continue;
    if (one.difference.value > 0) {
      ++up;
    } else {
      down.push_back(place_of(one) + ": " + points(one.difference.value));
    }
  }
  constexpr std::size_t listed = 4;
  const std::size_t left = down.size() > listed ? down.size() - listed : 0;
  std::string out =
      fmt::format("clearly {} in {} and clearly {} in {} of {} comparisons", more, up, less, down.size(), all.size());
  if (down.empty()) return out;
  down.resize(down.size() - left);
  return out + " (" + joined(down, "; ") + (left > 0 ? fmt::format(" and {} more", left) : "") + ")";
}

Verdict verdict_on(const PeopleContrast& mean, const std::vector<Compared>& all) {
  if (mean.ci.high < 0) return Verdict::contradicted;
  if (!(mean.ci.low > 0)) return Verdict::undecided;
  const bool somewhere_not = std::any_of(all.begin(), all.end(), [&](const Compared& one) {
    return one.difference.value < 0 && differs(one.difference, all.size());
  });
  return somewhere_not ? Verdict::exceptions : Verdict::holds;
}

/// The cell of the same technique, recogniser and people by another adversary; null: there is none.
const NamedCell* beside(const NamedCell& cell, const std::string& adversary, const std::vector<NamedCell>& cells) {
  for (const NamedCell& other : cells) {
    if (other.technique == cell.technique && other.system == cell.system && other.adversary == adversary &&
        other.choice.name() == cell.choice.name() && other.choice.size == cell.choice.size) {
      return &other;
    }
  }
  return nullptr;
}

/// Pairs of what two adversaries reach on everybody.
std::vector<Pair> adversary_pairs(const std::vector<NamedCell>& cells, const auto& wanted, const std::string& than) {
  std::vector<Pair> pairs;
  for (const NamedCell& cell : cells) {
    if (!cell.choice.everybody() || !wanted(cell.adversary)) continue;
    if (const NamedCell* other = beside(cell, than, cells)) {
      pairs.push_back({&cell, other, cell.adversary + " less " + than});
    }
  }
  return pairs;
}

bool is_partial(const std::string& adversary) {
  return adversary.starts_with("parrot-");
}

std::optional<Hypothesis> masked_training(const std::vector<NamedCell>& cells, std::uint64_t seed) {
  const auto learned_masked = [](const std::string& name) { return name == "parrot" || name == "retrained"; };
  const std::vector<Pair> pairs = adversary_pairs(cells, learned_masked, "naive");
  Hypothesis out{"H1", "Who learns from masked samples names more people than who learns from clear ones."};
  out.mean = mean_of(pairs, seed);
  if (!out.mean) return std::nullopt;
  out.compared = compared(pairs, seed);
  out.verdict = verdict_on(*out.mean, out.compared);
  out.sentence = fmt::format(
      "Learning from masked instead of clear samples makes a difference of {}, on average over techniques and "
      "recognisers; {}.",
      points(*out.mean), counted(out.compared, "more", "fewer"));
  return out;
}

std::optional<Hypothesis> partly_masked_training(const std::vector<NamedCell>& cells, std::uint64_t seed) {
  const std::vector<Pair> pairs = adversary_pairs(cells, is_partial, "naive");
  Hypothesis out{"H2", "It helps if a part of what they learn from is masked."};
  out.mean = mean_of(pairs, seed);
  if (!out.mean) return std::nullopt;
  out.compared = compared(pairs, seed);
  out.verdict = verdict_on(*out.mean, out.compared);
  out.sentence = fmt::format("A part of the samples masked instead of none makes a difference of {}; {}.",
                             points(*out.mean), counted(out.compared, "more", "fewer"));
  const std::vector<Pair> against_all = adversary_pairs(cells, is_partial, "parrot");
  if (const auto rest = mean_of(against_all, seed)) {
    out.sentence += fmt::format(" Against learning from masked samples only it is {}; {}.", points(*rest),
                                counted(compared(against_all, seed), "better", "worse"));
  }
  return out;
}

/// Against one technique: who is best, and whom somebody clearly beats.
struct Contest {
  std::string technique;
  Cells systems;
};

std::optional<Hypothesis> no_winner(const std::vector<NamedCell>& cells, std::uint64_t seed) {
  const std::string informed = informed_adversary(cells);
  std::vector<Contest> contests;
  Names systems;
  for (const NamedCell& cell : cells) {
    if (cell.adversary != informed || !cell.choice.everybody() || cell.unprotected) continue;
    auto found = std::find_if(contests.begin(), contests.end(),
                              [&](const Contest& one) { return one.technique == cell.technique; });
    if (found == contests.end()) found = contests.insert(contests.end(), {cell.technique, {}});
    found->systems.push_back(&cell);
    add_once(systems, cell.system);
  }
  if (systems.size() < 2 || contests.size() < 2) return std::nullopt;
  Hypothesis out{"H3", "No recogniser is the strongest against every technique."};
  const std::size_t comparisons = contests.size() * systems.size() * (systems.size() - 1) / 2;
  std::map<std::string, Names> best_against;
  std::set<std::string> beaten, behind;
  for (const Contest& contest : contests) {
    const NamedCell* best =
        *std::max_element(contest.systems.begin(), contest.systems.end(),
                          [](const NamedCell* a, const NamedCell* b) { return a->rate() < b->rate(); });
    best_against[best->system].push_back(contest.technique);
    for (const NamedCell* other : contest.systems) {
      if (other == best) continue;
      for (Compared& one : compared({{best, other, best->system + " less " + other->system}}, seed)) {
        if (differs(one.difference, comparisons)) beaten.insert(other->system);
        out.compared.push_back(std::move(one));
      }
      if (other->rate() < best->rate()) behind.insert(other->system);
    }
  }
  // One that is never behind, and clearly ahead of every other somewhere, wins everywhere.
  const bool wins = behind.size() + 1 == systems.size() && beaten == behind;
  out.verdict = beaten.size() == systems.size() ? Verdict::holds : wins ? Verdict::contradicted : Verdict::undecided;
  Names winners;
  for (const auto& [system, techniques] : best_against) {
    winners.push_back(fmt::format("{} names most against {}", system, joined(techniques)));
  }
  Names unbeaten;
  for (const std::string& system : systems) {
    if (!beaten.contains(system)) unbeaten.push_back(system);
  }
  out.sentence = capital(joined(winners, "; ")) + ". ";
  out.sentence += unbeaten.empty() ? "Each is clearly beaten somewhere."
                                   : fmt::format("Not shown to be beaten anywhere: {}.", joined(unbeaten));
  return out;
}

std::optional<Hypothesis> fewer_people(const std::vector<NamedCell>& cells, std::uint64_t seed) {
  const std::string informed = informed_adversary(cells);
  std::vector<Pair> pairs;
  for (const NamedCell& cell : cells) {
    if (cell.choice.way != "random" || cell.adversary != informed || cell.unprotected) continue;
    for (const NamedCell& all : cells) {
      if (all.choice.everybody() && all.technique == cell.technique && all.system == cell.system &&
          all.adversary == informed) {
        pairs.push_back({&cell, &all, cell.choice.size + " of the people less everybody", true, true});
      }
    }
  }
  Hypothesis out{"H4", "Fewer people are harder to protect."};
  out.mean = mean_of(pairs, seed);
  if (!out.mean) return std::nullopt;
  out.compared = compared(pairs, seed);
  out.verdict = verdict_on(*out.mean, out.compared);
  double plain = 0;
  for (const Compared& one : out.compared) plain += (one.first - one.second) / static_cast<double>(out.compared.size());
  out.sentence = fmt::format(
      "Among fewer people {} more are named, of which guessing explains a part: of the way from chance to certainty it "
      "is "
      "{} more, on average over techniques and sizes; {}.",
      points(plain), points(*out.mean), counted(out.compared, "more", "less"));
  return out;
}

/// Pairs of chosen and random people, of one way of choosing; empty: all ways.
std::vector<Pair> chosen_pairs(const std::vector<NamedCell>& cells, const std::string& informed, const auto& wanted,
                               const auto& against) {
  std::vector<Pair> pairs;
  for (const NamedCell& cell : cells) {
    if (cell.choice.everybody() || cell.adversary != informed || cell.unprotected || !wanted(cell.choice)) continue;
    for (const NamedCell& other : cells) {
      if (other.choice.size == cell.choice.size && other.technique == cell.technique && other.system == cell.system &&
          other.adversary == informed && against(cell.choice, other.choice)) {
        pairs.push_back({&cell, &other, cell.choice.name() + " less " + other.choice.name()});
      }
    }
  }
  return pairs;
}

std::optional<Hypothesis> chosen_people(const std::vector<NamedCell>& cells, std::uint64_t seed) {
  const std::string informed = informed_adversary(cells);
  const auto is_random = [](const Choice&, const Choice& other) { return other.way == "random"; };
  const auto apart = [](const Choice& one) { return one.way != "random" && one.looked_at != "test"; };
  const std::vector<Pair> pairs = chosen_pairs(cells, informed, apart, is_random);
  Hypothesis out{"H5", "Chosen people are harder to protect than random ones."};
  out.mean = mean_of(pairs, seed);
  Names ways;
  for (const NamedCell& cell : cells) {
    if (!cell.choice.everybody() && cell.choice.way != "random") add_once(ways, cell.choice.name());
  }
  if (ways.empty()) return std::nullopt;
  if (out.mean) {
    out.compared = compared(pairs, seed);
    out.verdict = verdict_on(*out.mean, out.compared);
    out.sentence = fmt::format(
        "Chosen on other samples than those that are judged, people differ from random ones by {}, on average over "
        "techniques, sizes and ways to choose; {}.",
        points(*out.mean), counted(out.compared, "more", "fewer"));
  } else {
    out.sentence = "No choice was made on other samples than those that are judged, which says nothing.";
  }
  Names by_way;
  for (const std::string& way : ways) {
    const auto own = [&](const Choice& one) { return one.name() == way; };
    const std::vector<Pair> some = chosen_pairs(cells, informed, own, is_random);
    const auto mean = mean_of(some, seed);
    if (!mean) continue;
    by_way.push_back(way + " " + points(*mean));
    if (way.ends_with(" on test")) {
      for (Compared& one : compared(some, seed)) out.compared.push_back(std::move(one));
    }
  }
  if (!by_way.empty()) out.sentence += " By way: " + joined(by_way, "; ") + ".";
  const auto reused = [](const Choice& one) { return one.looked_at == "test"; };
  const auto honest = [](const Choice& one, const Choice& other) {
    return other.way == one.way && other.looked_at == "masked";
  };
  if (const auto curse = mean_of(chosen_pairs(cells, informed, reused, honest), seed)) {
    out.sentence += fmt::format(
        " Choosing by the very samples that are judged, as in the paper, instead of other ones makes a difference of "
        "{}: {}.",
        points(*curse), curse->ci.low > 0 ? "a winner's curse" : "a winner's curse that cannot be told from none");
  }
  return out;
}

}  // namespace

std::string to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::exceptions:
      return "holds on average, with exceptions";
    case Verdict::contradicted:
      return "does not hold: the opposite was found";
    case Verdict::undecided:
      return "undecided";
  }
  return {};
}

std::string points(double difference) {
  return fmt::format("{:+.1f} points", 100 * difference);
}

std::string points(const PeopleContrast& difference) {
  return fmt::format("{} [{:.1f}, {:.1f}]", points(difference.value), 100 * difference.ci.low,
                     100 * difference.ci.high);
}

std::vector<Hypothesis> hypotheses_of(const std::vector<NamedCell>& cells, std::uint64_t seed) {
  std::vector<Hypothesis> out;
  for (const auto& ask : {masked_training, partly_masked_training, no_winner, fewer_people, chosen_people}) {
    if (std::optional<Hypothesis> one = ask(cells, seed)) out.push_back(std::move(*one));
  }
  return out;
}

}  // namespace bauta::report
