#include "verdict.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "bauta/measure/ranking.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

using Cells = std::vector<const NamedCell*>;

/// Two cells whose rates are compared.
struct Pair {
  const NamedCell* first = nullptr;
  const NamedCell* second = nullptr;
  std::string what = {};
  /// The first is about some of the people of the second, and guessing is easier there: of the second the same people
  /// count, and shares of the way from chance to certainty are compared.
  bool of_some = false;

  [[nodiscard]] std::vector<PersonHits> others() const {
    std::vector<PersonHits> kept = second->people;
    if (!of_some) return kept;
    std::set<std::uint32_t> present;
    for (const PersonHits& one : first->people) present.insert(one.person);
    std::erase_if(kept, [&](const PersonHits& one) { return !present.contains(one.person); });
    return kept;
  }
};

double rate_of(std::span<const PersonHits> people) {
  double hits = 0, probes = 0;
  for (const PersonHits& one : people) {
    hits += one.hits;
    probes += one.probes;
  }
  return hits / probes;
}

std::optional<PeopleContrast> mean_of(const std::vector<Pair>& pairs, std::uint64_t seed) {
  const double weight = 1 / static_cast<double>(pairs.size());
  std::vector<WeighedRate> rates;
  std::deque<std::vector<PersonHits>> others;
  for (const Pair& pair : pairs) {
    rates.push_back({pair.first->people, weight, pair.of_some ? pair.first->chance() : 0});
    rates.push_back({others.emplace_back(pair.others()), -weight, pair.of_some ? pair.second->chance() : 0});
  }
  return people_contrast(rates, {1000, seed});
}

std::vector<Compared> compared(const std::vector<Pair>& pairs, std::uint64_t seed) {
  std::vector<Compared> out;
  for (const Pair& pair : pairs) {
    const auto difference = mean_of({pair}, seed);
    if (!difference) continue;
    out.push_back({pair.first->technique, pair.first->system, pair.what, pair.first->choice.size,
                   rate_of(pair.first->people), rate_of(pair.others()), *difference});
  }
  return out;
}

/// "more in 12, less in 1 of 20 comparisons (gait-noise, svm: -3.1 points)", the furthest first; what was compared is
/// named where that is not always the same.
std::string counted(std::span<const Compared> all, const char* more, const char* less) {
  std::size_t up = 0;
  std::vector<const Compared*> against;
  for (const Compared& one : all) {
    if (!one.clearly) continue;
    if (one.difference.value > 0) {
      ++up;
    } else {
      against.push_back(&one);
    }
  }
  std::stable_sort(against.begin(), against.end(),
                   [](const Compared* a, const Compared* b) { return a->difference.value < b->difference.value; });
  const bool several =
      std::any_of(all.begin(), all.end(), [&](const Compared& one) { return one.what != all[0].what; });
  Names down;
  for (const Compared* one : against) {
    Names place = {one->technique, one->system};
    if (several) place.push_back(one->what);
    if (!one->size.empty()) place.push_back(one->size);
    down.push_back(joined(place, ", ") + ": " + points(one->difference.value));
  }
  constexpr std::size_t listed = 4;
  const std::size_t left = down.size() > listed ? down.size() - listed : 0;
  std::string out =
      fmt::format("clearly {} in {} and clearly {} in {} of {} comparisons", more, up, less, down.size(), all.size());
  if (down.empty()) return out;
  down.resize(down.size() - left);
  return out + " (" + joined(down, "; ") + (left > 0 ? fmt::format(" and {} more", left) : "") + ")";
}

Verdict verdict_on(const PeopleContrast& mean, std::span<const Compared> all) {
  if (mean.ci.high < 0) return Verdict::contradicted;
  if (!(mean.ci.low > 0)) return Verdict::undecided;
  const bool somewhere_not =
      std::ranges::any_of(all, [](const Compared& one) { return one.clearly && one.difference.value < 0; });
  return somewhere_not ? Verdict::exceptions : Verdict::holds;
}

/// What is clear in the table is clear in the sentence: all comparisons of a hypothesis are corrected by one number.
void mark(std::vector<Compared>& all, std::size_t comparisons) {
  for (Compared& one : all) one.clearly = differs(one.difference, comparisons);
}

/// A hypothesis that the mean of some pairs decides; others stand beside them, and count as comparisons, too.
struct Decided {
  Hypothesis hypothesis;
  std::size_t deciding = 0;  ///< the first of its comparisons

  Decided(Hypothesis claimed, const std::vector<Pair>& pairs, const std::vector<Pair>& further, std::uint64_t seed)
      : hypothesis(std::move(claimed)) {
    std::vector<Compared>& all = hypothesis.compared;
    all = compared(pairs, seed);
    deciding = all.size();
    std::ranges::move(compared(further, seed), std::back_inserter(all));
    mark(all, all.size());
    hypothesis.mean = mean_of(pairs, seed);
    if (hypothesis.mean) hypothesis.verdict = verdict_on(*hypothesis.mean, decided());
  }

  [[nodiscard]] std::span<const Compared> decided() const { return std::span(hypothesis.compared).first(deciding); }
  [[nodiscard]] std::span<const Compared> beside() const { return std::span(hypothesis.compared).subspan(deciding); }
  /// "+3.0 points [1.0, 5.0]"; there must be pairs.
  [[nodiscard]] std::string mean() const { return points(*hypothesis.mean); }
};

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

/// Pairs of what two adversaries reach on everybody. Where nothing is learned of how samples are seen, several are one
/// attacker, and count once.
std::vector<Pair> adversary_pairs(const std::vector<NamedCell>& cells, const auto& wanted, const std::string& than) {
  std::vector<Pair> pairs;
  for (const NamedCell& cell : cells) {
    if (!cell.choice.everybody() || !wanted(cell.adversary)) continue;
    const auto same_answers = [&](const Pair& known) {
      return known.first->technique == cell.technique && known.first->system == cell.system &&
             known.first->people == cell.people;
    };
    if (std::ranges::any_of(pairs, same_answers)) continue;
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
  Decided out({"H1", "Who learns from masked samples names more people than who learns from clear ones."},
              adversary_pairs(cells, learned_masked, "naive"), {}, seed);
  if (!out.hypothesis.mean) return std::nullopt;
  out.hypothesis.sentence = fmt::format(
      "Learning from masked instead of clear samples makes a difference of {}, on average over techniques and "
      "recognisers; {}.",
      out.mean(), counted(out.decided(), "more", "fewer"));
  return out.hypothesis;
}

std::optional<Hypothesis> partly_masked_training(const std::vector<NamedCell>& cells, std::uint64_t seed) {
  const std::vector<Pair> against_all = adversary_pairs(cells, is_partial, "parrot");
  Decided out({"H2", "It helps if a part of what they learn from is masked."},
              adversary_pairs(cells, is_partial, "naive"), against_all, seed);
  if (!out.hypothesis.mean) return std::nullopt;
  std::string& sentence = out.hypothesis.sentence;
  sentence = fmt::format("A part of the samples masked instead of none makes a difference of {}; {}.", out.mean(),
                         counted(out.decided(), "more", "fewer"));
  if (const auto rest = mean_of(against_all, seed)) {
    sentence += fmt::format(" Against learning from masked samples only it is {}; {}.", points(*rest),
                            counted(out.beside(), "better", "worse"));
  }
  return out.hypothesis;
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
    if (fails_on_clear(*cell.finding)) continue;  // no recogniser, so nobody to beat
    auto found = std::find_if(contests.begin(), contests.end(),
                              [&](const Contest& one) { return one.technique == cell.technique; });
    if (found == contests.end()) found = contests.insert(contests.end(), {cell.technique, {}});
    found->systems.push_back(&cell);
    add_once(systems, cell.system);
  }
  if (systems.size() < 2 || contests.size() < 2) return std::nullopt;
  Hypothesis out{"H3", "No recogniser is the strongest against every technique."};
  // Of the comparisons of each with each: who is best was not known before.
  const std::size_t comparisons = contests.size() * systems.size() * (systems.size() - 1) / 2;
  std::map<std::string, Names> best_against;
  std::set<std::string> beaten, behind;
  for (const Contest& contest : contests) {
    const NamedCell* best = *std::min_element(
        contest.systems.begin(), contest.systems.end(),
        [](const NamedCell* a, const NamedCell* b) { return ranks_before(*a->finding, *b->finding); });
    best_against[best->system].push_back(contest.technique);
    for (const NamedCell* other : contest.systems) {
      if (other == best) continue;
      for (Compared& one : compared({{best, other, best->system + " less " + other->system}}, seed)) {
        one.clearly = differs(one.difference, comparisons);
        if (one.clearly) beaten.insert(other->system);
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
        pairs.push_back(
            {&cell, &all, cell.choice.size + " of the people less the same among everybody, beyond chance", true});
      }
    }
  }
  Decided out({"H4", "Fewer people are harder to protect."}, pairs, {}, seed);
  if (!out.hypothesis.mean) return std::nullopt;
  double plain = 0;
  for (const Compared& one : out.decided()) plain += (one.first - one.second) / static_cast<double>(out.deciding);
  out.hypothesis.sentence = fmt::format(
      "Among fewer people {} more are named, of which guessing explains a part: of the way from chance to certainty it "
      "is {} more, on average over techniques and sizes; {}.",
      points(plain), out.mean(), counted(out.decided(), "more", "less"));
  return out.hypothesis;
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
  const auto reused = [](const Choice& one) { return one.looked_at == "test"; };
  Names ways;
  for (const NamedCell& cell : cells) {
    if (!cell.choice.everybody() && cell.choice.way != "random") add_once(ways, cell.choice.name());
  }
  if (ways.empty()) return std::nullopt;
  Decided out({"H5", "Chosen people are harder to protect than random ones."},
              chosen_pairs(cells, informed, apart, is_random), chosen_pairs(cells, informed, reused, is_random), seed);
  std::string& sentence = out.hypothesis.sentence;
  if (out.hypothesis.mean) {
    sentence = fmt::format(
        "Chosen on other samples than those that are judged, people differ from random ones by {}, on average over "
        "techniques, sizes and ways to choose; {}.",
        out.mean(), counted(out.decided(), "more", "fewer"));
  } else {
    sentence = "No choice was made on other samples than those that are judged, which says nothing.";
  }
  Names by_way;
  for (const std::string& way : ways) {
    const auto own = [&](const Choice& one) { return one.name() == way; };
    const auto mean = mean_of(chosen_pairs(cells, informed, own, is_random), seed);
    if (mean) by_way.push_back(way + " " + points(*mean));
  }
  if (!by_way.empty()) sentence += " By way: " + joined(by_way, "; ") + ".";
  const auto honest = [](const Choice& one, const Choice& other) {
    return other.way == one.way && other.looked_at == "masked";
  };
  if (const auto curse = mean_of(chosen_pairs(cells, informed, reused, honest), seed)) {
    sentence += fmt::format(
        " Choosing by the very samples that are judged, as in the paper, instead of other ones makes a difference of "
        "{}: {}.",
        points(*curse),
        curse->ci.low > 0    ? "a winner's curse"
        : curse->ci.high < 0 ? "the opposite of a winner's curse"
                             : "a winner's curse that cannot be told from none");
  }
  return out.hypothesis;
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
