// Mixture: the share of records, or of samples, whose original or person an attacker does not find. What attackers
// leave of it who know nothing of the protection is the claim; what the strongest leaves is what counts.
#pragma once

#include <string>
#include <vector>

#include "lines.hpp"

namespace bauta::report {

/// A question whose attackers look for somebody among candidates, and where its cells show them.
struct Search {
  const char* question;
  const char* list;      ///< of attackers in the values of a cell, with the mixture within k guesses as "top"
  const char* attacker;  ///< their name in that list
  const char* kl;        ///< divergence of their belief from guessing
};

bool is_search(const Finding& finding);
/// Knows how data was protected, or has seen what was.
bool is_informed(const Finding& finding);
/// "parrot"; "recover, ridge" where something was undone first; empty: on no ladder.
std::string adversary_of(const Finding& finding);
/// "likelihood (informed)", "mlp (parrot)".
std::string searcher_name(const Finding& finding);

/// What figures of shares show of a finding: of a search the mixture, of all else the value itself.
struct Shares {
  Measured value;
  Number chance = std::nullopt, clear = std::nullopt;
};
Shares shares_of(const Finding& finding);

/// Who stands first of those that a condition holds for. Null: nobody.
const Finding* strongest_of(const Findings& findings, bool (*wanted)(const Finding&) = nullptr);

struct Claim {
  const Finding* claimed = nullptr;  ///< the strongest who is not informed
  const Finding* left = nullptr;     ///< the strongest of all
  Measured value = {};               ///< the mixture that they leave; its interval allows for the choice
};
Claim claim_of(const Findings& searches, const Setting& setting);
/// "A mixture of 99.5 % is claimed against nearest; the strongest attacker, likelihood, leaves 2.7 %."
std::string claim_sentence(const Claim& claim);

/// What is left of the claims, in words: few settings openly, more folded away behind the one of the headline.
void add_claims(Section& section, const Runs& runs, const Search& search);
/// Mixture within k guesses (S2, Fig. 6), and how far attackers' beliefs are from guessing (Fig. 7).
std::vector<Figure> search_figures(const Runs& runs, const Search& search);
/// What a cell shows of an attacker, or null.
const Json& shown_of(const Finding& finding, const Cell& cell, const Search& search);
/// "1:0.99 5:0.97": mixture within k guesses, for programs.
std::string top_text(const Json& shown);
/// Attackers who fail on clear data, separated by commas.
std::string broken_names(const Settings& settings);

/// The words that these use.
std::vector<Definition> mixture_words();

}  // namespace bauta::report
