#include <gtest/gtest.h>

#include "fixtures.hpp"

namespace bauta {
namespace {

constexpr std::uint8_t bins = 4;

Templates positives(std::size_t rows, std::size_t cols) {
  Matrix<std::uint8_t> codes(rows, cols);
  Stream stream(1, "test.positives");
  for (std::uint8_t& code : std::span(codes.data(), codes.size())) code = static_cast<std::uint8_t>(stream.below(bins));
  return Templates(std::move(codes));
}

/// Each feature becomes one of the other values, all equally likely.
Dataset negatives(const Templates& truth, std::size_t times) {
  Dataset repeated = enrolled(dataset_of(truth), times);
  Matrix<std::uint8_t> codes(repeated.size(), truth.cols());
  Stream stream(2, "test.negatives");
  for (std::size_t i = 0; i < codes.rows(); ++i) {
    for (std::size_t j = 0; j < codes.cols(); ++j) {
      codes(i, j) = static_cast<std::uint8_t>((repeated.templates.codes()(i, j) + 1 + stream.below(bins - 1)) % bins);
    }
  }
  repeated.templates = Templates(std::move(codes));
  repeated.provenance = Provenance{"nfr:bins=4", "nfr", {{"model", "abc"}}};
  return repeated;
}

double share_right(const Dataset& recovered, const Templates& truth) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < truth.rows(); ++i) {
    for (std::size_t j = 0; j < truth.cols(); ++j) {
      right += recovered.templates.codes()(i, j) == truth.codes()(i, j) ? 1 : 0;
    }
  }
  return static_cast<double>(right) / static_cast<double>(truth.rows() * truth.cols());
}

// Closed form (coupon collector): after N draws from three values all were seen with probability
// 1 - 3 (2/3)^N + 3 (1/3)^N, exactly two of them with 3 ((2/3)^N - 2 (1/3)^N), one with 3 (1/3)^N. Of the values not
// seen, one is true: with D seen a guess is right with probability 1 / (4 - D).
TEST(Intersect, IsCertainAsOftenAsTheCouponCollectorSays) {
  const Templates truth = positives(100, 1000);
  const auto features = static_cast<double>(truth.rows() * truth.cols());
  for (const std::size_t times : {1, 2, 3, 5, 8}) {
    const auto n = static_cast<double>(times);
    const double three = 1 - 3 * std::pow(2.0 / 3, n) + 3 * std::pow(1.0 / 3, n);
    const double two = 3 * (std::pow(2.0 / 3, n) - 2 * std::pow(1.0 / 3, n));
    const double one = 3 * std::pow(1.0 / 3, n);
    const double right = three + two / 2 + one / 3;
    const Dataset recovered = recover("intersect", negatives(truth, times));
    ASSERT_EQ(recovered.size(), truth.rows());
    const double certain = std::stod(recovered.provenance->properties.at("certain_share"));
    EXPECT_NEAR(certain, three, 4 * std::sqrt(three * (1 - three) / features) + 1e-12) << times;
    EXPECT_NEAR(share_right(recovered, truth), right, 4 * std::sqrt(right * (1 - right) / features)) << times;
  }
}

// A feature is open after 60 enrolments with probability 3 (2/3)^60 = 8e-11.
TEST(Intersect, ManyEnrolmentsTellAll) {
  const Templates truth = positives(20, 500);
  const Dataset recovered = recover("intersect", negatives(truth, 60));
  EXPECT_EQ(share_right(recovered, truth), 1);
  EXPECT_EQ(recovered.provenance->properties.at("certain_share"), "1");
  EXPECT_EQ(recovered.provenance->properties.at("model"), "abc");
}

// By hand: of four values 0, 1 and 2 were seen in the first feature, which is 3; 0 and 1 in the second.
TEST(Intersect, OneSampleAlone) {
  Matrix<std::uint8_t> codes(3, 2);
  codes(0, 0) = 0, codes(1, 0) = 1, codes(2, 0) = 2;
  codes(0, 1) = 0, codes(1, 1) = 0, codes(2, 1) = 1;
  Dataset target = enrolled(dataset_of(positives(1, 2)), 3);
  target.templates = Templates(std::move(codes));
  const Dataset recovered = recover("intersect:bins=4", target);
  ASSERT_EQ(recovered.size(), 1U);
  EXPECT_EQ(recovered.templates.codes()(0, 0), 3);
  EXPECT_GE(recovered.templates.codes()(0, 1), 2);
  EXPECT_EQ(recovered.provenance->properties.at("certain_share"), "0.5");
}

// The same beside a sample that failed: it has no codes, and no share in what is certain.
TEST(Intersect, ASampleThatFailedHasNoShare) {
  Matrix<std::uint8_t> codes(6, 2, 1);
  codes(0, 0) = 0, codes(1, 0) = 1, codes(2, 0) = 2;
  codes(0, 1) = 0, codes(1, 1) = 0, codes(2, 1) = 1;
  Dataset target = enrolled(dataset_of(positives(2, 2)), 3);
  target.templates = Templates(std::move(codes));
  target.labels.add_column("failed", {"", "", "", "1", "1", "1"});
  const Dataset recovered = recover("intersect:bins=4", target);
  ASSERT_EQ(recovered.size(), 2U);
  EXPECT_EQ(recovered.templates.codes()(0, 0), 3);
  EXPECT_EQ(recovered.templates.codes()(1, 0), 0);
  EXPECT_EQ(recovered.templates.codes()(1, 1), 0);
  EXPECT_EQ(recovered.provenance->properties.at("certain_share"), "0.5");
  EXPECT_EQ(recovered.provenance->comparator, "iom");
  target.labels.replace_column("failed", std::vector<std::string>(6, "1"));
  EXPECT_EQ(recover("intersect:bins=4", target).provenance->properties.at("certain_share"), "0");
}

TEST(Intersect, RefusesWhatItCannotUse) {
  const Dataset target = negatives(positives(2, 10), 2);
  EXPECT_NE(error_of([&] { recover("intersect:bins=3", target); }).find("row"), std::string::npos);
  Dataset unknown = target;
  unknown.provenance.reset();
  EXPECT_NE(error_of([&] { recover("intersect", unknown); }).find("intersect:bins=N"), std::string::npos);
  for (const char* technique : {"nfr:bins=0", "nfr:bins=4x", "other:bins=4", ""}) {
    unknown.provenance = Provenance{technique, "nfr", {}};
    EXPECT_NE(error_of([&] { recover("intersect", unknown); }).find("intersect:bins=N"), std::string::npos)
        << technique;
  }
  unknown.provenance = Provenance{"nfr", "nfr", {}};  // by default 4 bins
  EXPECT_EQ(recover("intersect", unknown).templates.codes()(0, 0),
            recover("intersect", target).templates.codes()(0, 0));
  EXPECT_NE(error_of([&] { recover("intersect", dataset_of(gaussian_templates(2, 3))); }).find("float32"),
            std::string::npos);
}

}  // namespace
}  // namespace bauta
