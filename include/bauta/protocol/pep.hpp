// Privacy evaluation protocols (S1, Terhoerst et al. 2020): which samples a protection learns from, and on which of the
// transformed ones estimators are trained, tuned and tested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/declaration.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/protocol/subject_folds.hpp"

namespace bauta {

enum class PepKind {
  lbs,  ///< learning-based, strict: estimators see only samples that the protection never learned from
  lbl,  ///< learning-based, loose: estimators are trained on the samples that the protection learned from
  tf,   ///< training-free
};

struct Pep {
  PepKind kind = PepKind::tf;
  std::size_t train = 3, dev = 1, test = 1;  ///< folds of D_train, D_dev, D_test

  [[nodiscard]] std::size_t folds() const { return train + dev + test; }
};

/// "PEP-LBS-2-1-2", "PEP-LBL-3-1-1", "PEP-TF-3-1-1".
Pep parse_pep(std::string_view text);
/// "PEP-TF", and "PEP-TF-3-1-1".
std::string to_text(PepKind kind);
std::string to_text(const Pep& pep);

/// Where the choice of folds departs from what the paper recommends.
std::vector<std::string> pep_warnings(const Pep& pep);

/// Refuses a protection that learns under TF, and one that does not under LBS or LBL. "none" suits every protocol: it
/// is the baseline.
void require_suits(const Pep& pep, const Declaration& technique);

/// Rows of the data set, ascending.
struct PepParts {
  std::vector<std::size_t> fit, fit_dev;      ///< D_train, D_dev: the protection learns and is tuned; empty for TF
  std::vector<std::size_t> train, dev, test;  ///< T_train, T_dev, T_test: their transformed form is for the estimators
};

/// One rotation per fold; rotation r begins with fold r. Under LBS D_test is cut again: into whole folds if there are
/// 3, 6, ... of them, otherwise into three folds of its subjects. Parts that must not share subjects do not.
std::vector<PepParts> pep_rotations(const Pep& pep, const Dataset& dataset, const Folds& folds,
                                    const std::string& attribute, std::uint64_t seed);

}  // namespace bauta
