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

}  // namespace
}  // namespace bauta
