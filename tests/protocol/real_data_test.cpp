// Folds of the real data sets that BAUTA_DATA points to (default: shared/data beside the checkout): balance where a few
// subjects have hundreds of samples, and where an age stands beside every sample. Skipped where absent.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "bauta/protocol/pep.hpp"

namespace bauta {
namespace {

std::filesystem::path real_data(const char* name) {
  const char* root = std::getenv("BAUTA_DATA");
  return (root != nullptr ? std::filesystem::path(root) : std::filesystem::path(BAUTA_SOURCE_DIR) / "../shared/data") /
         name;
}

struct Spread {
  std::size_t least = SIZE_MAX, most = 0;

  void add(std::size_t value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

TEST(RealFolds, OfLfwAreAlikeAlthoughOneSubjectHasHundredsOfSamples) {
  const auto path = real_data("templates-lfw");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set BAUTA_DATA to the folder with real data";
  const Dataset data = read_dataset(path);
  const Folds folds = subject_folds(data, "gender", 6, 1);
  Spread identities, samples, women;
  for (const FoldBalance& fold : fold_balance(data, folds, "gender")) {
    identities.add(fold.identities);
    samples.add(fold.samples);
    women.add(fold.classes.at("F"));
  }
  // 5744 identities, of whom one has 530 of 13221 samples: a quarter of a fold.
  EXPECT_GE(static_cast<double>(identities.least), 5744.0 / 6 * 0.98);
  EXPECT_LE(static_cast<double>(samples.most), 13221.0 / 6 * 1.02);
  EXPECT_LE(women.most - women.least, 5U);
  EXPECT_EQ(folds.remarks.size(), 1U);  // four samples under two names
  for (const char* text : {"PEP-LBS-2-1-3", "PEP-TF-4-1-1", "PEP-LBL-4-1-1"}) {
    EXPECT_EQ(pep_rotations(parse_pep(text), data, folds, "gender", 1).size(), 6U);
  }
}

TEST(RealFolds, OfUtkAreAlikeInAge) {
  const auto path = real_data("templates-utk");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set BAUTA_DATA to the folder with real data";
  const Dataset data = read_dataset(path);
  const auto balance = fold_balance(data, subject_folds(data, "age", 5, 1), "age");
  Spread samples;
  for (const FoldBalance& fold : balance) {
    samples.add(fold.samples);
    ASSERT_EQ(fold.classes.size(), 5U);
    for (const auto& [range, count] : fold.classes) {
      EXPECT_NEAR(static_cast<double>(count), static_cast<double>(balance[0].classes.at(range)), 1) << range;
    }
  }
  EXPECT_LE(samples.most - samples.least, 1U);
}

}  // namespace
}  // namespace bauta
