// What holds for every recovery: provenance, pairs that correspond, independence of threads, nothing from nothing.
#include "bauta/recover/recovery.hpp"

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/public_specification.hpp"
#include "fixtures.hpp"

namespace bauta {
namespace {

TEST(Recovery, TheResultSaysThatItIsClearDataAndHowItWasMade) {
  const Dataset clear = dataset_of(gaussian_templates(30, 16, 1), "clear");
  const Dataset shuffled = protect("pe-miu:block=4", dataset_of(gaussian_templates(5, 16, 2)));
  const Dataset recovered = recover("align-mean", shuffled, {.clear = &clear});
  ASSERT_TRUE(recovered.provenance);
  EXPECT_EQ(recovered.provenance->technique, "none");
  EXPECT_EQ(recovered.provenance->comparator, "cosine");
  EXPECT_EQ(recovered.provenance->properties.at("recovered_by"), "align-mean:block=0,cost=likelihood");
  EXPECT_EQ(recovered.provenance->properties.at("recovered_from"), "pe-miu:block=4,cost=l2");
  EXPECT_EQ(recovered.labels.column("identity"), shuffled.labels.column("identity"));
}

TEST(Recovery, PeelsOneLayer) {
  const Dataset original = dataset_of(gaussian_templates(5, 16, 2));
  const Dataset twice = protect("csn", enrolled(protect("pe-miu:block=4", original), 3));
  const Dataset recovered = recover("average", twice);
  EXPECT_EQ(recovered.provenance->technique, "pe-miu:block=4,cost=l2");
  EXPECT_EQ(recovered.provenance->comparator, "pe-miu:block=4,cost=l2");
  EXPECT_FALSE(recovered.provenance->properties.contains("applied_to"));
  const Dataset clear = dataset_of(gaussian_templates(30, 16, 1), "clear");
  const Dataset bare = recover("align-mean", recovered, {.clear = &clear});
  EXPECT_EQ(bare.provenance->technique, "none");
  EXPECT_EQ(bare.provenance->properties.at("recovered_by"),
            "average:by=original,scale=auto then align-mean:block=0,cost=likelihood");
}

TEST(Recovery, FailedSamplesBecomeZeroRowsAndTeachNothing) {
  const auto holed = [](std::size_t rows, std::uint64_t seed, std::size_t hole) {
    Dataset dataset = dataset_of(templates_of(rows, 16, seed, [&](std::size_t i, std::size_t, Stream& stream) {
      return i == hole ? std::nan("") : stream.normal();
    }));
    std::vector<std::string> failed(rows, "0");
    failed[hole] = "1";
    dataset.labels.add_column("failed", failed);
    return dataset;
  };
  const Dataset clear = holed(30, 1, 4);
  const Dataset recovered = recover("align-mean", protect("pe-miu:block=4", holed(6, 2, 2)), {.clear = &clear});
  for (std::size_t i = 0; i < 6; ++i) {
    const double square = dot_product(recovered.templates.floats().row(i), recovered.templates.floats().row(i));
    EXPECT_EQ(square > 0, i != 2) << i;
  }
}

// A pair of which either side failed teaches nothing, whatever stands there.
TEST(Recovery, PairsOfWhichOneSideFailedAreLeftOut) {
  const Dataset clear = dataset_of(gaussian_templates(30, 4, 1), "clear");
  const Dataset pairs = protect("random-projection", clear);
  const Dataset target = protect("random-projection", dataset_of(gaussian_templates(5, 4, 2)));
  std::vector<std::size_t> rest;
  for (std::size_t row = 0; row < 30; ++row) {
    if (row != 7) rest.push_back(row);
  }
  const Dataset fewer = clear.select(rest), fewer_pairs = pairs.select(rest);
  const Templates expected =
      recover("ridge:penalty=1", target, {.clear = &fewer, .protected_clear = &fewer_pairs}).templates;
  std::vector<std::string> failed(30);
  failed[7] = "1";
  for (const bool of_clear : {true, false}) {
    Dataset one = clear, two = pairs;
    (of_clear ? one : two).labels.add_column("failed", failed);
    const Dataset found = recover("ridge:penalty=1", target, {.clear = &one, .protected_clear = &two});
    EXPECT_TRUE(same_floats(found.templates, expected)) << of_clear;
    EXPECT_EQ(found.provenance->properties.at("pairs_used"), "29");
  }
}

// What a regression makes of nothing is its intercept; a sample that failed stays without a template.
TEST(Recovery, WhereAllSamplesFailedNothingIsRecovered) {
  const Dataset clear =
      dataset_of(templates_of(40, 4, 1, [](auto, auto, Stream& stream) { return 5 + stream.normal(); }), "clear");
  const Dataset pairs = protect("random-projection", clear);
  Dataset target = protect("random-projection", dataset_of(gaussian_templates(3, 4, 2)));
  target.labels.add_column("failed", {"1", "1", "1"});
  const Dataset recovered = recover("ridge", target, {.clear = &clear, .protected_clear = &pairs});
  for (std::size_t i = 0; i < 3; ++i) {
    for (const float value : recovered.templates.floats().row(i)) EXPECT_EQ(value, 0) << i;
  }
}

TEST(Recovery, TwoClearTemplatesAreEnoughAndOneIsNot) {
  const Dataset original = dataset_of(gaussian_templates(3, 4, 2));
  const Dataset projected = protect("random-projection:length=3", original);
  const Dataset shuffled = protect("pe-miu:block=2", original);
  const ResolvedProtection stolen = stolen_technique(projected, {}, {});
  for (const std::size_t rows : {2U, 1U}) {
    const Dataset clear = dataset_of(gaussian_templates(rows, 4, 1), "clear");
    const Dataset pairs = protect("random-projection:length=3", clear);
    const std::string expected = rows == 2 ? "no error" : "at least 2";
    for (const auto& [recovery, target] :
         {std::pair("pre-image", &projected), std::pair("ridge", &projected), std::pair("align-mean", &shuffled)}) {
      const Knowledge knowledge{.clear = &clear, .protected_clear = &pairs, .technique = &stolen};
      EXPECT_NE(error_of([&, name = recovery, hidden = target] { recover(name, *hidden, knowledge); }).find(expected),
                std::string::npos)
          << recovery << rows;
    }
  }
}

TEST(Recovery, PairsMustCorrespond) {
  const ResolvedRecovery recovery = make_recovery("average");
  const Dataset clear = dataset_of(gaussian_templates(6, 8), "clear");
  const Dataset guarded = protect("csn", clear);
  EXPECT_EQ(error_of([&] { fit_recovery(recovery, {.clear = &clear, .protected_clear = &guarded}); }), "no error");
  EXPECT_NE(error_of([&] { fit_recovery(recovery, {.protected_clear = &guarded}); }).find("--clear"),
            std::string::npos);
  const Dataset fewer = guarded.select({0, 1, 2});
  EXPECT_NE(error_of([&] { fit_recovery(recovery, {.clear = &clear, .protected_clear = &fewer}); }).find("6 clear"),
            std::string::npos);
  const Dataset swapped = guarded.select({0, 1, 3, 2, 4, 5});
  EXPECT_NE(error_of([&] { fit_recovery(recovery, {.clear = &clear, .protected_clear = &swapped}); }).find("row 3"),
            std::string::npos);
  // Masked media lie in other files, and others could not be read.
  for (const std::string name : {"file", "failed", "session"}) {
    Dataset ours = clear, theirs = guarded;
    ours.labels.add_column(name, std::vector<std::string>(6, "0"));
    theirs.labels.add_column(name, {"0", "1", "0", "0", "0", "0"});
    EXPECT_EQ(error_of([&] { fit_recovery(recovery, {.clear = &ours, .protected_clear = &theirs}); }) == "no error",
              name != "session")
        << name;
  }
}

TEST(Recovery, UnknownNamesSuggestTheNearest) {
  EXPECT_NE(error_of([] { make_recovery("algin-mean"); }).find("did you mean 'align-mean'?"), std::string::npos);
}

TEST(Recovery, TheTechniqueIsStolenFromTheRecord) {
  const Dataset original = dataset_of(gaussian_templates(4, 8));
  const Dataset projected = protect("random-projection:length=6", original);
  const ResolvedProtection stolen = stolen_technique(projected, {}, {});
  EXPECT_EQ(public_specification(stolen), projected.provenance->technique);
  EXPECT_TRUE(same_floats(protect_dataset(stolen, original, {}).templates, projected.templates));
  EXPECT_NE(error_of([&] { stolen_technique(original, {}, {}); }).find("dataset.toml"), std::string::npos);
  Dataset from_file = projected;
  from_file.provenance->properties["key_source"] = "keyfile";
  EXPECT_NE(error_of([&] { stolen_technique(from_file, {}, {}); }).find("--keyfile"), std::string::npos);
  EXPECT_NE(error_of([&] { stolen_technique(from_file, "nowhere", {}); }).find("nowhere"), std::string::npos);
  const std::string missing = error_of([&] { stolen_technique(from_file, "nowhere", {}); });
  from_file.provenance->technique = "random-projection";  // without parameters that the key would stand behind
  EXPECT_EQ(error_of([&] { stolen_technique(from_file, "nowhere", {}); }), missing);
  from_file.provenance->properties["key_source"] = "operating system";
  EXPECT_NE(error_of([&] { stolen_technique(from_file, {}, {}); }).find("never kept"), std::string::npos);
}

TEST(Recovery, BitsDoNotDependOnThreads) {
  const Dataset clear = dataset_of(gaussian_templates(300, 32, 1), "clear");
  const Dataset shuffled = protect("pe-miu:block=4", dataset_of(gaussian_templates(100, 32, 2)));
  const int before = threads();
  set_threads(1);
  const Dataset one = recover("align-mean", shuffled, {.clear = &clear});
  set_threads(2);
  const Dataset two = recover("align-mean", shuffled, {.clear = &clear});
  set_threads(before);
  EXPECT_TRUE(same_floats(one.templates, two.templates));
}

// Null control: where the protected data is noise that never saw the original, nothing comes back. The mean of 400
// cosines of independent directions in 32 dimensions has deviation 1 / sqrt(32 * 400) = 0.0088.
TEST(Recovery, NothingComesFromNothing) {
  const Dataset clear = dataset_of(gaussian_templates(500, 32, 1), "clear");
  const Dataset original = dataset_of(gaussian_templates(400, 32, 2));
  const Dataset noise = dataset_of(gaussian_templates(400, 32, 3));
  EXPECT_NEAR(mean_cosine(recover("align-mean", protect("pe-miu:block=4", noise), {.clear = &clear}).templates,
                          original.templates),
              0, 0.036);
  EXPECT_NEAR(mean_cosine(recover("average", protect("csn", enrolled(noise, 9))).templates, original.templates), 0,
              0.036);
}

}  // namespace
}  // namespace bauta
