// Suppression rate, PIC and the scores of S3: hand calculations, and S3's own contradiction.
#include "bauta/measure/privacy_gain.hpp"

#include <array>

#include <gtest/gtest.h>

#include "bauta/measure/classification.hpp"

namespace bauta {
namespace {

TEST(SuppressionRate, OfAGuesserIsNotOne) {
  const auto rate = suppression_rate(0.8, 0.6, 0.5);
  EXPECT_NEAR(rate->value, 0.25, 1e-15);
  EXPECT_NEAR(rate->reachable, 0.375, 1e-15);  // (0.8 - 0.5) / 0.8
  EXPECT_NEAR(suppression_rate(0.8, 0.5, 0.5)->value, rate->reachable, 1e-15);
  EXPECT_LT(suppression_rate(0.6, 0.7, 0.5)->value, 0);      // the protection helped the attacker
  EXPECT_EQ(suppression_rate(0.4, 0.4, 0.5)->reachable, 0);  // already below chance
  EXPECT_FALSE(suppression_rate(0, 0.5, 0.5).has_value());
}

TEST(SuppressionRate, IntervalDrawsForBothAtOnce) {
  // 40 subjects, an estimator that is right on the same three quarters of them before and after: paired, nothing
  // changes in any draw, although both accuracies vary from draw to draw.
  std::vector<std::int32_t> truth, before, after;
  std::vector<std::uint32_t> subjects;
  for (std::uint32_t s = 0; s < 40; ++s) {
    subjects.push_back(s);
    truth.push_back(static_cast<std::int32_t>(s % 2));
    before.push_back(s / 2 % 4 == 0 ? -1 : truth.back());
  }
  const auto same =
      suppression_rate(SubjectTallies(std::array<Predictions, 2>{before, before}, truth, 2, subjects), 300, 1);
  EXPECT_EQ(same->value, 0);
  EXPECT_NEAR(same->ci->high, wilson(0, 40).high / 0.75, 1e-12);  // nothing was seen to differ in 40 subjects
  EXPECT_NEAR(same->reachable, 1.0 / 3, 1e-15);                   // (0.75 - 0.5) / 0.75

  // Now those of the first twenty are lost: 16 of 30 stay right. The share of nested rates is a rate itself:
  // 1 - 16 / 30 +- 1.96 sqrt(.533 .467 / 30) = 0.467 +- 0.179.
  after = before;
  for (std::size_t s = 0; s < 20; ++s) after[s] = -1;
  const auto lost =
      suppression_rate(SubjectTallies(std::array<Predictions, 2>{before, after}, truth, 2, subjects), 1000, 4);
  EXPECT_NEAR(lost->value, 1 - classify_result(after, truth, 2).balanced / 0.75, 1e-15);
  EXPECT_NEAR(lost->ci->low, 0.288, 0.05);
  EXPECT_NEAR(lost->ci->high, 0.645, 0.05);
}

TEST(Pic, RelativeErrorsAgainstEachOther) {
  EXPECT_NEAR(*pic(0.1, 0.4, 0.02, 0.03).value, 3 - 0.5, 1e-14);  // (.4-.1)/.1 - (.03-.02)/.02
  EXPECT_EQ(*pic(0.1, 0.1, 0.02, 0.02).value, 0);
  const Pic no_attribute_error = pic(0, 0.4, 0.02, 0.03);
  EXPECT_FALSE(no_attribute_error.value.has_value());
  EXPECT_NE(no_attribute_error.undefined.find("attribute error"), std::string::npos);
  EXPECT_NE(pic(0.1, 0.4, 0, 0.03).undefined.find("recognition error"), std::string::npos);
}

TEST(Pic, IntervalOfJointDraws) {
  std::vector<double> ae(101), ae_after(101, 0.4), re(101, 0.02), re_after(101, 0.02);
  for (std::size_t d = 0; d < 101; ++d) ae[d] = 0.4 / (1 + static_cast<double>(d) / 100);  // PIC is d / 100
  const auto interval = pic_interval(ae, ae_after, re, re_after);
  EXPECT_NEAR(interval->low, 0.025, 1e-12);
  EXPECT_NEAR(interval->high, 0.975, 1e-12);
  for (std::size_t d = 0; d < 6; ++d) re[d] = 0;
  EXPECT_FALSE(pic_interval(ae, ae_after, re, re_after).has_value());
}

double suppression(AucForm form, double original, double after) {
  return *auc_gain(form, original, after, 1, 1).suppression;
}

TEST(AucGain, PrintedFormContradictsItsText) {
  EXPECT_EQ(suppression(AucForm::printed, 1, 1), 0.5);  // the text promises 0
  EXPECT_EQ(suppression(AucForm::printed, 1, 0.5), 1);
  EXPECT_NEAR(suppression(AucForm::printed, 1, 0.49), 0.51, 1e-15);
  EXPECT_NEAR(suppression(AucForm::printed, 0.9, 0.6), 0.8 / 0.9, 1e-15);
}

TEST(AucGain, ConsistentFormKeepsThePromise) {
  for (const double original : {0.6, 0.9, 1.0}) {
    EXPECT_NEAR(suppression(AucForm::consistent, original, original), 0, 1e-15);
    EXPECT_EQ(suppression(AucForm::consistent, original, 0.5), 1);
  }
  EXPECT_NEAR(suppression(AucForm::consistent, 0.9, 0.7), 0.5, 1e-15);
  EXPECT_EQ(suppression(AucForm::consistent, 1, 0), 1);  // inverted counts as suppressed
}

TEST(AucGain, LeakAwareFormSeesInvertedClassifiers) {
  for (const double original : {0.6, 0.9, 1.0, 0.1}) {
    EXPECT_NEAR(suppression(AucForm::leak_aware, original, original), 0, 1e-15);
    EXPECT_NEAR(suppression(AucForm::leak_aware, original, 1 - original), 0, 1e-15);
    EXPECT_EQ(suppression(AucForm::leak_aware, original, 0.5), 1);
  }
  EXPECT_NEAR(suppression(AucForm::leak_aware, 0.9, 0.3), 0.5, 1e-15);
  EXPECT_EQ(suppression(AucForm::leak_aware, 0.7, 0.95), 0);  // clamped
}

TEST(AucGain, IdentityLossAndDifference) {
  const AucGain gain = auc_gain(AucForm::leak_aware, 0.9, 0.7, 0.98, 0.784);
  EXPECT_NEAR(*gain.suppression, 0.5, 1e-15);
  EXPECT_NEAR(*gain.identity_loss, 0.2, 1e-15);
  EXPECT_NEAR(*gain.pic, 0.3, 1e-15);
  EXPECT_EQ(*auc_gain(AucForm::printed, 0.9, 0.7, 0.9, 0.95).identity_loss, 0);
}

TEST(AucGain, UndefinedWithoutAnythingToSuppress) {
  for (const AucForm form : {AucForm::consistent, AucForm::leak_aware}) {
    const AucGain gain = auc_gain(form, 0.5, 0.5, 0.9, 0.9);
    EXPECT_FALSE(gain.pic.has_value());
    EXPECT_NE(gain.undefined.find("nothing can be suppressed"), std::string::npos);
  }
  EXPECT_TRUE(auc_gain(AucForm::printed, 0.5, 0.5, 0.9, 0.9).pic.has_value());
  EXPECT_FALSE(auc_gain(AucForm::printed, 0.9, 0.5, 0, 0).pic.has_value());
  EXPECT_EQ(to_text(AucForm::leak_aware), "leak-aware");
}

}  // namespace
}  // namespace bauta
