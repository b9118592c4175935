#include "bauta/question/comparing.hpp"

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/question/protecting.hpp"

namespace bauta {
namespace {

Dataset population(std::size_t dim) {
  SynthOptions options;
  options.identities = 10;
  options.samples = 2;
  options.dim = dim;
  return synthesize_templates(options).dataset;
}

TEST(ChooseComparator, TakesTheProtectionsOwnUnlessTold) {
  Dataset data = population(16);
  EXPECT_EQ(choose_comparator(data, "").specification, "cosine");
  data.provenance = Provenance{"pe-miu:block=4,cost=l2", "pe-miu:block=4,cost=l2", {}};
  EXPECT_EQ(choose_comparator(data, "").specification, "pe-miu:block=4,cost=l2");
  EXPECT_EQ(choose_comparator(data, "").remarks.size(), 1U);
  EXPECT_EQ(choose_comparator(data, "cosine").specification, "cosine");
  EXPECT_EQ(choose_comparator(data, "cosine").remarks.size(), 1U);
}

// Features of deviation 1 around 1000: cosines fall 1e-6 short of 1, of which floats tell sixteen steps apart.
TEST(ChooseComparator, TellsWhereCosinesHaveFewDigits) {
  Dataset data = population(16);
  EXPECT_TRUE(choose_comparator(data, "").remarks.empty());
  Matrix<float> moved(data.size(), 16);
  for (std::size_t i = 0; i < moved.size(); ++i) moved.data()[i] = data.templates.floats().data[i] + 1000;
  data.templates = Templates(std::move(moved));
  const std::vector<std::string> remarks = choose_comparator(data, "").remarks;
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_NE(remarks[0].find("point nearly the same way"), std::string::npos);
  EXPECT_TRUE(choose_comparator(data, "euclidean").remarks.empty());
  // What failed counts for nothing, whichever way it points, and neither does what points nowhere.
  Matrix<float> lost(data.size(), 16);
  std::copy_n(data.templates.floats().data, lost.size(), lost.data());
  std::ranges::fill(lost.row(0), -1000.0F);
  std::ranges::fill(lost.row(1), 0.0F);
  data.templates = Templates(std::move(lost));
  std::vector<std::string> failed(data.size(), "0");
  failed[0] = "1";
  data.labels.set_column("failed", failed);
  const std::vector<std::string> again = choose_comparator(data, "").remarks;
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].find("nan"), std::string::npos);
}

TEST(RequireComparable, RefusesOtherWidthsAndOtherMasks) {
  EXPECT_NO_THROW(require_comparable(population(16), population(16)));
  EXPECT_THROW(require_comparable(population(16), population(8)), Error);
  const Dataset clear = population(16);
  const Dataset masked = protect_dataset(make_protection("pe-miu:block=4"), clear, protect_context(clear, 1));
  EXPECT_THROW(require_comparable(clear, masked), Error);
}

TEST(RequireComparable, RefusesOtherExtractorsAndOtherFits) {
  const auto extracted = [](const char* extractor, const char* model) {
    Dataset data = population(16);
    data.provenance = Provenance{"", "", {{"extractor", extractor}, {"extractor_model", model}}};
    return data;
  };
  EXPECT_NO_THROW(require_comparable(extracted("pixels:size=4", ""), extracted("pixels:size=4", "")));
  EXPECT_NO_THROW(require_comparable(extracted("pixels:size=4", ""), population(16)));
  EXPECT_THROW(require_comparable(extracted("pixels:size=4", ""), extracted("eigenface", "")), Error);
  EXPECT_THROW(require_comparable(extracted("eigenface", "a"), extracted("eigenface", "b")), Error);
}

// Two data sets under one seed must not be shuffled alike: row i of one would line up with row i of the other.
TEST(ProtectContext, SaltsTheSeedWithTheData) {
  const Dataset one = population(16);
  Dataset two = one;
  two.labels.add_column("extra", std::vector<std::string>(two.size(), "x"));
  EXPECT_NE(protect_context(one, 1).randomness.stream("x").next64(),
            protect_context(two, 1).randomness.stream("x").next64());
  EXPECT_EQ(protect_context(one, 1).randomness.stream("x").next64(),
            protect_context(one, 1).randomness.stream("x").next64());
}

// Less one sample, or in another order, nothing tells that one was made of the other.
TEST(UnnamedSamples, AreToldWherePeopleStandOnBothSides) {
  const Dataset data = population(16);  // with ids
  EXPECT_EQ(unnamed_samples(data, data.select({0, 1, 2})), "");
  Dataset nameless = data;
  nameless.labels = LabelTable("nameless", data.size());
  nameless.labels.add_column("identity", data.labels.column("identity"));
  EXPECT_NE(unnamed_samples(nameless, nameless.select({2, 1})).find("do not name their samples"), std::string::npos);
  Dataset strangers = nameless;
  strangers.labels = LabelTable("strangers", data.size());
  strangers.labels.add_column("identity", std::vector<std::string>(data.size(), "nobody else"));
  EXPECT_EQ(unnamed_samples(nameless, strangers), "");
}

/// The templates in full: value by value.
Dataset with_rows(Dataset data, Templates templates) {
  data.templates = std::move(templates);
  return data;
}

TEST(RequireOtherSamples, ANegativeZeroIsAZero) {
  const Dataset data = population(2);
  Matrix<float> zeros(data.size(), 2, 0.0F), negative(data.size(), 2, -0.0F);
  for (std::size_t i = 0; i < data.size(); ++i) {
    zeros(i, 1) = static_cast<float>(i + 1);
    negative(i, 1) = static_cast<float>(i < 2 ? i + 1 : i + 100);
  }
  try {
    require_other_samples(with_rows(data, Templates(std::move(zeros))),
                          with_rows(data, Templates(std::move(negative))));
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(error.finding.starts_with("2 samples stand in both")) << error.finding;
  }
}

TEST(SuspectedCopies, AreNearlyTheSameOrHaveTheSameCodes) {
  const Dataset data = population(16);
  EXPECT_TRUE(suspected_copies(data.select({0, 2, 4}), data.select({1, 3, 5})).empty());
  Matrix<float> doubled(3, 16);
  for (std::size_t i = 0; i < doubled.size(); ++i) doubled.data()[i] = 2 * data.templates.floats().data[i];
  const auto near = suspected_copies(data, with_rows(data.select({0, 1, 2}), Templates(std::move(doubled))));
  ASSERT_EQ(near.size(), 1U);
  EXPECT_TRUE(near[0].starts_with("3 enrolled samples nearly equal a probe")) << near[0];
  // Ten probes of 64 bits, of which all are among the twenty enrolled, who all differ: 10 / 22 by chance.
  Matrix<std::uint64_t> words(data.size(), 1);
  for (std::size_t i = 0; i < data.size(); ++i) words(i, 0) = 0x0123456789abcdefU * (i + 1);
  const Dataset bits = with_rows(data, Templates(std::move(words), 64));
  const auto copies = suspected_copies(bits, bits.select({10, 11, 12, 13, 14, 15, 16, 17, 18, 19}));
  ASSERT_EQ(copies.size(), 1U);
  EXPECT_TRUE(
      copies[0].starts_with("10 of 10 probes have the code of an enrolled sample, where chance explains 1, the "
                            "first: rows 11 and 1"))
      << copies[0];
  EXPECT_TRUE(suspected_copies(bits.select({0, 1, 2, 3}), bits.select({4, 5, 6, 7})).empty());
}

TEST(EarlierMasks, AreWhatTheRecordSays) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(earlier_masks({"none", "", {}}), Names());
  EXPECT_EQ(earlier_masks({"", "", {{"extractor", "pixels"}}}), Names());
  EXPECT_EQ(earlier_masks({"pe-miu:block=4", "", {{"applied_to", "none"}}}), Names{"pe-miu:block=4"});
  EXPECT_EQ(earlier_masks({"my own", "", {{"applied_to", "k-same-pixel:k=2"}}}), (Names{"my own", "k-same-pixel:k=2"}));
  EXPECT_EQ(earlier_masks({"", "", {{"recovered_from", "csn:s=1"}}}), Names{"csn:s=1"});
}

// What everybody contributed to is in every part. Who masked each sample by itself may deal them out; what learned is
// remarked on within one folder only, because two that were masked alike are how such attacks are made.
TEST(MadeTogether, IsSaidOfPartsOfOneMaskedFolder) {
  Dataset one = population(4), two = one;
  one.folder = two.folder = "masked";
  const auto said = [&](const std::string& technique, const std::string& before = "none") {
    one.provenance = two.provenance = Provenance{technique, "", {{"applied_to", before}}};
    return made_together(one, two);
  };
  EXPECT_NE(said("utility-preserving:g=8").find("masked was masked with utility-preserving, which makes a record from"),
            std::string::npos);
  EXPECT_NE(said("pe-miu:block=4", "utility-preserving:g=8").find("utility-preserving"), std::string::npos);
  EXPECT_NE(said("ive").find("ive, which learns, perhaps from these people"), std::string::npos);
  EXPECT_EQ(said("pe-miu:block=4"), "");
  EXPECT_EQ(said("my own"), "");
  two.folder = "another";
  EXPECT_EQ(said("utility-preserving:g=8"), "");
  one.provenance.reset();
  EXPECT_EQ(made_together(one, one), "");
}

}  // namespace
}  // namespace bauta
