// What holds for every protection: independence of cuts and threads, provenance without keys, failed samples left
// alone.
#include "bauta/protect/protection.hpp"

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "fixtures.hpp"

namespace bauta {
namespace {

class EveryProtection : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryProtection, BitsDoNotDependOnBlocksOrThreads) {
  const Dataset dataset = dataset_of(gaussian_templates(600, 32), 3);
  const ResolvedProtection resolved = make_protection(GetParam());
  ProtectContext context;
  context.subjects = dataset.labels.column("identity");
  const int before = threads();
  set_threads(1);
  const Dataset one = protect_dataset(resolved, dataset, context);
  set_threads(2);
  const Dataset two = protect_dataset(make_protection(GetParam()), dataset, context);
  set_threads(before);
  EXPECT_TRUE(same_bits(one.templates, two.templates));
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
    // Single rows only where a tile ends: the point is the cut, not the number of calls.
    const std::size_t end = size == 1 ? 262 : dataset.size();
    for (std::size_t first = size == 1 ? 250 : 0; first < end; first += size) {
      const std::size_t count = std::min(size, end - first);
      const Templates block = resolved->protect(dataset.templates.slice(first, count), first, context);
      ASSERT_TRUE(same_bits(block, one.templates.slice(first, count))) << size << " at " << first;
    }
  }
}

TEST_P(EveryProtection, AnotherSeedGivesAnotherResultAndTheSameSeedTheSame) {
  const Dataset dataset = dataset_of(gaussian_templates(20, 32), 2);
  const ResolvedProtection resolved = make_protection(GetParam());
  const auto protect = [&](const Randomness& randomness) {
    return protect_dataset(resolved, dataset, {.randomness = randomness}).templates;
  };
  const Templates first = protect(Randomness::seeded(1));
  const bool random = GetParam() != "none";
  EXPECT_EQ(same_bits(first, protect(Randomness::seeded(2))), !random);
  EXPECT_EQ(same_bits(protect(Randomness::operating_system()), protect(Randomness::operating_system())), !random);
  EXPECT_TRUE(same_bits(first, protect(Randomness::seeded(1))));
}

TEST_P(EveryProtection, FailedSamplesBecomeZeroRowsAndTheOthersStayTheSame) {
  Dataset dataset = dataset_of(gaussian_templates(10, 32), 2);
  const Dataset whole = protect_dataset(make_protection(GetParam()), dataset, {});
  Matrix<float> values(10, 32);
  for (std::size_t i = 0; i < 10; ++i) std::copy_n(dataset.templates.floats().row(i).data(), 32, values.row(i).data());
  for (float& value : values.row(4)) value = NAN;
  for (float& value : values.row(9)) value = 0;
  dataset.templates = Templates(std::move(values));
  dataset.labels.add_column("failed", {"0", "0", "0", "0", "1", "0", "0", "0", "0", "1"});
  const Dataset holed = protect_dataset(make_protection(GetParam()), dataset, {});
  for (std::size_t i = 0; i < 10; ++i) {
    if (i == 4 || i == 9) {
      for (const float value : row_of(holed.templates, i)) EXPECT_EQ(value, 0);
    } else {
      EXPECT_TRUE(same_bits(holed.templates.slice(i, 1), whole.templates.slice(i, 1))) << i;
    }
  }
}

TEST_P(EveryProtection, AFolderHoldsWhatTheDataSetWouldHave) {
  Dataset dataset = dataset_of(gaussian_templates(514, 32), 2);
  std::vector<std::string> failed(514, "0");
  failed[0] = failed[256] = failed[511] = failed[513] = "1";
  dataset.labels.add_column("failed", failed);
  const ResolvedProtection resolved = make_protection(GetParam());
  const std::filesystem::path root =
      std::filesystem::temp_directory_path() / ("bauta-test-folder-" + std::to_string(getpid()));
  for (const char* name : {"held", "streamed"}) std::filesystem::create_directories(root / name);
  write_dataset(root / "held", protect_dataset(resolved, dataset, {}));
  const ProtectedFolder written = protect_to_folder(resolved, dataset, {}, root / "streamed");
  const auto content = [&](const std::string& name) {
    std::ifstream file(root / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  for (const std::string name : {"templates.npy", "labels.csv", "dataset.toml"}) {
    EXPECT_EQ(content("streamed/" + name), content("held/" + name)) << name;
    EXPECT_FALSE(content("streamed/" + name).empty()) << name;
  }
  const Dataset read = read_dataset(root / "streamed");
  EXPECT_EQ(read.templates.kind(), written.kind);
  EXPECT_EQ(read.templates.cols(), written.width);
  EXPECT_EQ(read.provenance->technique, written.provenance.technique);
  std::filesystem::remove_all(root);
}

TEST_P(EveryProtection, AnEmptyBlockHasTheWidthOfAllBlocks) {
  const ResolvedProtection resolved = make_protection(GetParam());
  const Templates input = gaussian_templates(3, 32);
  const ProtectContext context{.subjects = {"a", "b", "c"}};
  const Templates some = resolved->protect(input, 0, context);
  const Templates none = resolved->protect(input.slice(0, 0), 0, context);
  EXPECT_EQ(none.rows(), 0u);
  EXPECT_EQ(none.cols(), some.cols());
  EXPECT_EQ(none.kind(), some.kind());
}

INSTANTIATE_TEST_SUITE_P(
    All, EveryProtection,
    ::testing::Values("none", "pe-miu:block=4", "csn", "esn", "random-projection:length=24",
                      "random-projection:length=24,matrix=orthonormal", "random-projection:regime=secret",
                      "random-projection:regime=application,application=3", "biohash",
                      "biohash:length=24,threshold=zero", "biohash:entries=gaussian,regime=secret",
                      "biohash:regime=application,application=3", "mlp-hash", "mlp-hash:length=80,output=linear",
                      "mlp-hash:length=20,regime=secret", "mlp-hash:regime=application,application=3",
                      "iom-grp:m=40,q=10", "iom-grp:m=40,q=10,regime=secret",
                      "iom-grp:m=40,q=10,regime=application,application=3", "iom-urp:m=40,k=20",
                      "iom-urp:m=40,p=3,k=32,regime=secret", "iom-urp:m=40,k=20,regime=application,application=3"));

// A technique that is added to the catalogue has to be added above.
TEST(Protection, EveryOneThatDoesNotLearnIsTestedHere) {
  const auto* suite = ::testing::UnitTest::GetInstance();
  std::string tested;
  for (int i = 0; i < suite->total_test_suite_count(); ++i) {
    for (int j = 0; j < suite->GetTestSuite(i)->total_test_count(); ++j) {
      const char* value = suite->GetTestSuite(i)->GetTestInfo(j)->value_param();
      if (value != nullptr) tested += std::string(value) + "\n";
    }
  }
  for (const auto& entry : protections()) {
    if (entry.declaration.learns || entry.declaration.medium == "any") continue;  // others make it: command_test.cpp
#ifdef BAUTA_WITHOUT_TORCH  // which their tests need
    if (entry.declaration.name == "fawkes" || entry.declaration.name == "face-replace") continue;
#endif
    EXPECT_NE(tested.find("\"" + entry.declaration.name), std::string::npos) << entry.declaration.name;
  }
}

TEST(Protection, EveryMaskSaysWhatItClaimsAndWhatBreaksIt) {
  for (const auto& entry : protections()) {
    if (!entry.declaration.masks) continue;
    EXPECT_FALSE(entry.declaration.claim.empty()) << entry.declaration.name;
    EXPECT_FALSE(entry.declaration.broken_by.empty()) << entry.declaration.name;
  }
}

TEST(Protection, SpecificationsResolveToComparatorsAndProvenance) {
  const ResolvedProtection resolved = make_protection("pe-miu:block=8,cost=l2sq");
  EXPECT_EQ(resolved.comparator, "pe-miu:block=8,cost=l2sq");
  const Dataset dataset = dataset_of(gaussian_templates(4, 16), 2);
  const Dataset once = protect_dataset(resolved, dataset, {});
  ASSERT_TRUE(once.provenance.has_value());
  EXPECT_EQ(once.provenance->technique, "pe-miu:block=8,cost=l2sq");
  EXPECT_EQ(once.provenance->comparator, "pe-miu:block=8,cost=l2sq");
  EXPECT_EQ(once.labels.column("identity"), dataset.labels.column("identity"));
  // Nothing on top changes nothing: the comparator that the data needs stays.
  const Dataset twice = protect_dataset(make_protection("none"), once, {});
  EXPECT_EQ(twice.provenance->comparator, "pe-miu:block=8,cost=l2sq");
  EXPECT_EQ(twice.provenance->properties.at("applied_to"), "pe-miu:block=8,cost=l2sq");
}

TEST(Protection, UnknownNamesSuggestTheNearestAndBadValuesAreRefused) {
  EXPECT_NE(error_of([] { make_protection("pe-mui"); }).find("pe-miu"), std::string::npos);
  EXPECT_NE(error_of([] { make_protection("csn:s=1.5"); }).find("1.5"), std::string::npos);
  EXPECT_NE(error_of([] { make_protection("pe-miu:cost=l3"); }), "no error");
  EXPECT_NE(error_of([] { make_protection("none:block=3"); }), "no error");
}

TEST(Protection, MediaAndForeignKindsAreRefused) {
  Dataset media = dataset_of(gaussian_templates(4, 16), 2);
  media.templates = Templates();
  EXPECT_NE(error_of([&] { protect_dataset(make_protection("csn"), media, {}); }).find("holds none"),
            std::string::npos);
  const Dataset bits = dataset_of(Templates(Matrix<std::uint64_t>(4, 1, 0), 64), 2);
  for (const char* technique :
       {"csn", "esn", "pe-miu", "random-projection", "biohash", "mlp-hash", "iom-grp", "iom-urp"}) {
    EXPECT_NE(error_of([&] { protect_dataset(make_protection(technique), bits, {}); }).find("bits"), std::string::npos);
  }
  EXPECT_EQ(protect_dataset(make_protection("none"), bits, {}).templates.cols(), 64u);
}

TEST(Protection, NoSamplesAreNoProblem) {
  const Dataset empty = dataset_of(Templates(Matrix<float>(0, 16)), 1);
  for (const char* technique :
       {"none", "csn", "pe-miu", "random-projection:length=5", "biohash", "mlp-hash", "iom-grp", "iom-urp:k=4"}) {
    EXPECT_EQ(protect_dataset(make_protection(technique), empty, {}).templates.rows(), 0u) << technique;
  }
}

// Whatever the technique and its parameters: infinities are never written.
TEST(Protection, WhatIsNoNumberIsNeverTheResult) {
  const Dataset large = dataset_of(scaled(gaussian_templates(4, 8), 3e38F), 1);
  const std::string said = error_of([&] { (void)protect_dataset(make_protection("random-projection"), large, {}); });
  EXPECT_NE(said.find("no finite number"), std::string::npos) << said;
  EXPECT_NE(error_of([] { (void)make_protection("esn:distance=1e39"); }).find("outside of"), std::string::npos);
}

}  // namespace
}  // namespace bauta
