// Which comparator a data set is compared with, and whether two data sets can be compared at all.
#pragma once

#include <string>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/data/dataset.hpp"

namespace bauta {

struct ComparatorChoice {
  std::string specification;
  std::vector<std::string> remarks;  ///< why this one, where the user did not say
};

/// The one asked for, else the protection's own (recorded beside the data), else cosine (Hamming for bits).
ComparatorChoice choose_comparator(const Dataset& dataset, const std::string& asked);

/// "512 float32 per template against 4096 code8"; empty: they are of one kind and width.
std::string difference_in_kind(const Templates& a, const Templates& b);

/// There is nothing to find, whoever looks. Of a cell this is the answer, not a failure.
class NothingToAnswer : public Error {
 public:
  using Error::Error;
};

/// A technique gives templates of another kind or length than those that they would be held against: nobody can compare
/// them, and who learned from one kind cannot read the other.
class FormsDiffer : public NothingToAnswer {
 public:
  /// `between`: whose templates; `difference`: as difference_in_kind has it.
  FormsDiffer(const std::string& between, const std::string& difference);
};

/// Throws FormsDiffer unless both are of one kind and width.
void require_one_form(const Dataset& a, const Templates& b, const std::string& origin_of_b);

/// Throws unless both hold templates of one kind and width that were protected alike.
void require_comparable(const Dataset& a, const Dataset& b);

/// The same for what attackers learned from and what they meet; `same_mask`: both are protected alike, otherwise it is
/// enough that they are of one form.
void require_attackable(const Dataset& learned, const Dataset& met, bool same_mask);

/// Throws unless the attribute has at least two classes of which both data sets hold samples that did not fail. Where
/// the target is a part of what is attacked, in one of several rotations, it may hold a single one of the classes.
void require_attribute(const Dataset& attacker, const Dataset& target, const std::string& attribute,
                       std::size_t rotations = 1);

/// A column by which both name their samples, each sample its own (`id`, else `file`); null: none does.
const char* name_of_samples(const Dataset& own, const Dataset& others);

/// The rows of `others` in the order of the samples of `own` that they are other forms of; empty: they share none.
/// Samples are known by what both name them by (`id`, `file`), or else by the order of their people. An input error if
/// they share some only.
std::vector<std::size_t> rows_of_same_samples(const Dataset& own, const Dataset& others);

/// What to say where nothing names samples (`id`, `file`) and people stand on both sides: whether one side was made of
/// the other, less or in another order, cannot be seen then. Empty: nothing.
std::string unnamed_samples(const Dataset& own, const Dataset& others);

/// Throws where samples of both are the same in every feature: they would be compared with themselves. Real numbers
/// only, because codes of different samples may coincide.
void require_other_samples(const Dataset& own, const Dataset& others);

/// What may be the same samples on both sides, and need not be: templates that nearly point the same way, codes that
/// are equal more often than chance explains. Sentences for people.
std::vector<std::string> suspected_copies(const Dataset& enrolled, const Dataset& probes);

/// Throws unless both hold the same samples, as far as their labels tell: one before and one after protection.
void require_same_samples(const Dataset& clear, const Dataset& hidden);

}  // namespace bauta
