#include <gtest/gtest.h>

#include "fixtures.hpp"

namespace bauta {
namespace {

// Closed form: the mean of N independent vectors of length r in uniformly random directions has mean square r^2 / N.
// The square of one mean varies by about sqrt(2 / d) of itself, that of 600 by 0.0102: 4 deviations are 0.041.
TEST(Average, EsnErrorFallsWithTheRootOfTheEnrolments) {
  const Dataset original = dataset_of(gaussian_templates(600, 32));
  for (const std::size_t times : {1, 4, 25}) {
    const Dataset recovered = recover("average", protect("esn:distance=0.5", enrolled(original, times)));
    ASSERT_EQ(recovered.size(), original.size());
    double squares = 0;
    for (std::size_t i = 0; i < original.size(); ++i) {
      for (std::size_t j = 0; j < 32; ++j) {
        const double error = recovered.templates.floats()(i, j) - original.templates.floats()(i, j);
        squares += error * error;
      }
    }
    const double expected = 0.25 / static_cast<double>(times);
    EXPECT_NEAR(squares / static_cast<double>(original.size()), expected, 0.041 * expected) << times;
  }
}

// Closed form: the mean of N unit vectors s v + sqrt(1 - s^2) p is s v plus something orthogonal of mean square
// (1 - s^2) / N, so that the mean of tan^2 of its angle to v is (1 - s^2) / (N s^2).
TEST(Average, CsnAngleFallsWithTheRootOfTheEnrolments) {
  const Dataset original = dataset_of(gaussian_templates(600, 32));
  for (const double s : {0.8, 0.5, -0.5}) {
    for (const std::size_t times : {1, 4, 25}) {
      const std::string technique = "csn:s=" + std::to_string(s);
      const Dataset recovered = recover("average", protect(technique, enrolled(original, times)));
      double sum = 0;
      for (std::size_t i = 0; i < original.size(); ++i) {
        const double c = cosine(recovered.templates.floats().row(i), original.templates.floats().row(i));
        EXPECT_GT(c, 0);
        sum += 1 / (c * c) - 1;
      }
      const double expected = (1 - s * s) / (static_cast<double>(times) * s * s);
      EXPECT_NEAR(sum / static_cast<double>(original.size()), expected, 0.041 * expected) << s << " " << times;
    }
  }
}

// Hand calculation: (3, 4) and (0, 2) have mean (1.5, 3); at unit length (0.6, 0.8) and (0, 1), mean (0.3, 0.9).
TEST(Average, ScalesAsAsked) {
  Matrix<float> rows(2, 2);
  rows(0, 0) = 3, rows(0, 1) = 4, rows(1, 0) = 0, rows(1, 1) = 2;
  Dataset target = dataset_of(Templates(std::move(rows)));
  target.identity_column.clear();
  target.labels.add_column("sample", {"x", "x"});
  const Dataset plain = recover("average:by=sample,scale=none", target);
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_FLOAT_EQ(plain.templates.floats()(0, 0), 1.5F);
  EXPECT_FLOAT_EQ(plain.templates.floats()(0, 1), 3.0F);
  const Dataset unit = recover("average:by=sample,scale=unit", target);
  EXPECT_FLOAT_EQ(unit.templates.floats()(0, 0), 0.3F);
  EXPECT_FLOAT_EQ(unit.templates.floats()(0, 1), 0.9F);
}

// By hand: at unit length (0.3, 0.4) is (0.6, 0.8), and a zero row has none to give. What leaves data as they are was
// not undone.
TEST(Average, ShortRowsCountAsMuchAsLongOnesAndZeroRowsNothing) {
  Matrix<float> rows(2, 2, 0.0F);
  rows(0, 0) = 0.3F, rows(0, 1) = 0.4F;
  Dataset target = dataset_of(Templates(std::move(rows)));
  target.identity_column.clear();
  target.labels.add_column("original", {"x", "x"});
  target.provenance = Provenance{"none", "cosine", {}};
  const Dataset recovered = recover("average", target);
  EXPECT_FLOAT_EQ(recovered.templates.floats()(0, 0), 0.3F);
  EXPECT_FLOAT_EQ(recovered.templates.floats()(0, 1), 0.4F);
  EXPECT_FALSE(recovered.provenance->properties.contains("recovered_from"));
  target.provenance->technique = "csn:s=0";  // nothing of the original is kept, and nothing comes back of it
  EXPECT_FLOAT_EQ(recover("average", target).templates.floats()(0, 0), 0.3F);
}

// The first of three enrolments failed: the sample has not, and is the mean of the two others.
TEST(Average, AnEnrolmentThatFailedIsLeftOut) {
  Matrix<float> rows(3, 1);
  rows(0, 0) = 100, rows(1, 0) = 1, rows(2, 0) = 2;
  Dataset target = dataset_of(Templates(std::move(rows)));
  target.identity_column.clear();
  target.labels.add_column("original", {"x", "x", "x"});
  target.labels.add_column("failed", {"1", "0", "0"});
  const Dataset recovered = recover("average:scale=none", target);
  ASSERT_EQ(recovered.size(), 1U);
  EXPECT_EQ(recovered.labels.column("identity")[0], "subject 1");
  EXPECT_EQ(recovered.templates.floats()(0, 0), 1.5F);
}

TEST(Average, KeepsOneRowPerSampleWithItsLabels) {
  Dataset original = dataset_of(gaussian_templates(3, 8));
  original.labels.add_column("failed", {"0", "1", "0"});
  const Dataset recovered = recover("average", protect("csn", enrolled(original, 5)));
  EXPECT_EQ(recovered.labels.column("identity"), original.labels.column("identity"));
  EXPECT_EQ(recovered.labels.column("original"), (std::vector<std::string>{"1", "2", "3"}));
  for (const float value : recovered.templates.floats().row(1)) EXPECT_EQ(value, 0);
  EXPECT_GT(cosine(recovered.templates.floats().row(2), original.templates.floats().row(2)), 0.8);
}

TEST(Average, RefusesRowsThatAreNoEnrolmentsOfOneSample) {
  const Dataset once = protect("csn", dataset_of(gaussian_templates(3, 8)));
  EXPECT_NE(error_of([&] { recover("average", once); }).find("--enrolments N"), std::string::npos);
  Dataset mixed = once;
  mixed.labels.add_column("original", {"1", "1", "2"});
  EXPECT_NE(error_of([&] { recover("average", mixed); }).find("'subject 0' and for 'subject 1'"), std::string::npos);
  Dataset nameless = once;
  nameless.labels.add_column("original", {"1", "", "2"});
  EXPECT_NE(error_of([&] { recover("average", nameless); }).find("row 2"), std::string::npos);
}

}  // namespace
}  // namespace bauta
