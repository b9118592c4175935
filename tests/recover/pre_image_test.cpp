#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "fixtures.hpp"

namespace bauta {
namespace {

struct Theft {
  Dataset clear;
  Dataset original;
  Dataset target;
  ResolvedProtection technique;

  [[nodiscard]] Knowledge knowledge() const { return {.clear = &clear, .technique = &technique}; }
};

Theft theft(const std::string& technique, std::size_t d, std::size_t known = 2000, std::size_t targets = 100) {
  Dataset original = dataset_of(gaussian_templates(targets, d, 2));
  Dataset target = protect(technique, original);
  ResolvedProtection stolen = stolen_technique(target, {}, {});
  return {dataset_of(gaussian_templates(known, d, 1), "clear"), std::move(original), std::move(target),
          std::move(stolen)};
}

double property(const Dataset& dataset, const std::string& name) {
  return std::stod(dataset.provenance->properties.at(name));
}

double largest_error(const Templates& a, const Templates& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.cols(); ++j) {
      largest = std::max(largest, std::abs(double{a.floats()(i, j)} - b.floats()(i, j)));
    }
  }
  return largest;
}

// As many projections as features: the matrix has an inverse. Its condition number (here below 1000) times the rounding
// of a float bounds the error.
TEST(PreImage, ASquareProjectionGivesEverythingBack) {
  for (const char* matrix : {"gaussian", "orthonormal"}) {
    const Theft stolen = theft(std::string("random-projection:matrix=") + matrix, 32);
    for (const bool prior : {true, false}) {
      Knowledge knowledge = stolen.knowledge();
      if (!prior) knowledge.clear = nullptr;
      const Dataset recovered = recover("pre-image", stolen.target, knowledge);
      EXPECT_LT(largest_error(recovered.templates, stolen.original.templates), 1e-3) << matrix << prior;
      EXPECT_GT(mean_cosine(recovered.templates, stolen.original.templates), 1 - 1e-8) << matrix << prior;
      EXPECT_EQ(recovered.provenance->properties.at("pre_image"), prior ? "posterior mean" : "pseudo-inverse");
    }
  }
}

// Closed form: of m orthonormal projections of d independent normal features the best estimate is the projection onto
// their span, which keeps m / d of the squared length: cosine sqrt(m / d) up to the spread of a beta distribution.
TEST(PreImage, FewerProjectionsGiveTheirSpanBack) {
  const Theft stolen = theft("random-projection:length=18,matrix=orthonormal", 32, 20000, 400);
  const Dataset recovered = recover("pre-image", stolen.target, stolen.knowledge());
  EXPECT_NEAR(mean_cosine(recovered.templates, stolen.original.templates), std::sqrt(18.0 / 32), 0.01);
  const Dataset shortest = recover("pre-image:dimension=32", stolen.target, {.technique = &stolen.technique});
  EXPECT_NEAR(mean_cosine(shortest.templates, stolen.original.templates), std::sqrt(18.0 / 32), 0.01);
}

// Features that go together: from the first of two with correlation r the second follows as r times it (mean 5 each).
TEST(PreImage, ThePriorFillsInWhatIsMissing) {
  const auto correlated = [](std::size_t rows, std::uint64_t seed) {
    Matrix<float> values(rows, 8);
    for (std::size_t i = 0; i < rows; ++i) {
      Stream stream(seed, "test.correlated", i);
      const double common = stream.normal();
      for (float& value : values.row(i)) value = static_cast<float>(5 + common + 0.1 * stream.normal());
    }
    return dataset_of(Templates(std::move(values)), "correlated");
  };
  const Dataset clear = correlated(5000, 1);
  const Dataset original = correlated(200, 2);
  const Dataset target = protect("random-projection:length=3", original);
  const ResolvedProtection technique = stolen_technique(target, {}, {});
  const Dataset recovered = recover("pre-image", target, {.clear = &clear, .technique = &technique});
  // What is left is the noise of 0.1 per feature.
  double squares = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      const double error = recovered.templates.floats()(i, j) - original.templates.floats()(i, j);
      squares += error * error / 1600;
    }
  }
  EXPECT_LT(std::sqrt(squares), 0.11);
}

TEST(PreImage, PersonalKeysHelpNobodyOnceTheyAreStolen) {
  const Theft stolen = theft("random-projection:regime=secret", 16, 500, 20);
  const Dataset recovered = recover("pre-image", stolen.target, stolen.knowledge());
  EXPECT_GT(mean_cosine(recovered.templates, stolen.original.templates), 1 - 1e-6);
  // The wrong seed is the wrong key: 20 cosines in 16 dimensions have a mean of deviation 0.056.
  Knowledge wrong = stolen.knowledge();
  wrong.key_source = Randomness::seeded(2);
  EXPECT_NEAR(mean_cosine(recover("pre-image", stolen.target, wrong).templates, stolen.original.templates), 0, 0.23);
  const Theft bits = theft("biohash:regime=secret", 16, 500, 6);
  const Dataset guessed = recover("pre-image:pairs=1000,rounds=5", bits.target, bits.knowledge());
  EXPECT_GT(mean_cosine(guessed.templates, bits.original.templates), 0.65);
}

// The linear start of a sign code in as many orthonormal directions has cosine sqrt(2 / pi) = 0.798 and the right bits,
// so that there is nothing to climb (closed form in ridge_test.cpp; E = 0.804 for d = 32).
TEST(PreImage, BioHashComesBackAtTheLevelOfItsSigns) {
  const Theft stolen = theft("biohash:threshold=zero,entries=gaussian", 32, 2000, 300);
  const Dataset recovered = recover("pre-image:rounds=10", stolen.target, stolen.knowledge());
  EXPECT_NEAR(mean_cosine(recovered.templates, stolen.original.templates), 0.804, 0.015);
  EXPECT_GT(property(recovered, "similarity_before"), -0.01);
}

// Climbing never makes a protected form less similar. With codes of many inequalities that also brings the original
// closer. (Products of two entries are the same for x and -x, which the templates' mean tells apart.)
TEST(PreImage, ClimbingComesCloser) {
  for (const char* technique : {"iom-grp:m=60,q=16", "iom-urp:m=200,k=16", "mlp-hash"}) {
    const auto off_centre = [](std::size_t rows, std::uint64_t seed) {
      return templates_of(rows, 16, seed, [](std::size_t, std::size_t, Stream& stream) { return 1 + stream.normal(); });
    };
    const Dataset clear = dataset_of(off_centre(200, 1), "clear");
    const Dataset original = dataset_of(off_centre(60, 2));
    const Dataset target = protect(technique, original);
    const ResolvedProtection stolen = stolen_technique(target, {}, {});
    const auto attack = [&](const std::string& rounds) {
      return recover("pre-image:pairs=300,rounds=" + rounds, target, {.clear = &clear, .technique = &stolen});
    };
    const Dataset start = attack("0");
    const Dataset end = attack("80");
    EXPECT_EQ(property(start, "similarity_before"), property(end, "similarity_before")) << technique;
    EXPECT_EQ(property(start, "similarity_before"), property(start, "similarity_after")) << technique;
    EXPECT_GT(property(end, "similarity_after"), property(end, "similarity_before")) << technique;
    if (std::string_view(technique) == "mlp-hash") continue;  // so few bits leave too many pre-images
    EXPECT_GT(mean_cosine(end.templates, original.templates), mean_cosine(start.templates, original.templates))
        << technique;
  }
}

TEST(PreImage, BitsDoNotDependOnThreads) {
  const Theft stolen = theft("biohash", 16, 200, 30);
  const int before = threads();
  set_threads(1);
  const Dataset one = recover("pre-image:pairs=500,rounds=5", stolen.target, stolen.knowledge());
  set_threads(2);
  const Dataset two = recover("pre-image:pairs=500,rounds=5", stolen.target, stolen.knowledge());
  set_threads(before);
  EXPECT_TRUE(same_floats(one.templates, two.templates));
}

// Targets are climbed for in groups, of which none is empty however many are proposed; one proposal is enough.
TEST(PreImage, AnyNumberOfProposals) {
  const Theft stolen = theft("biohash", 8, 50, 5);
  for (const char* proposals : {"1", "256", "300"}) {
    const Dataset recovered =
        recover(std::string("pre-image:pairs=50,rounds=2,proposals=") + proposals, stolen.target, stolen.knowledge());
    EXPECT_GE(property(recovered, "similarity_after"), property(recovered, "similarity_before")) << proposals;
    EXPECT_LE(property(recovered, "similarity_after"), 0) << proposals;  // minus a share of differing bits
    EXPECT_GT(mean_cosine(recovered.templates, stolen.original.templates), 0.3) << proposals;
  }
}

TEST(PreImage, FailedTargetsChangeNothingForTheOthers) {
  for (const char* technique : {"random-projection", "biohash:regime=secret"}) {
    const Theft stolen = theft(technique, 8, 50, 5);
    const Dataset all = recover("pre-image:pairs=50,rounds=2", stolen.target, stolen.knowledge());
    Dataset target = stolen.target;
    target.labels.add_column("failed", {"", "", "1", "", ""});
    const Dataset some = recover("pre-image:pairs=50,rounds=2", target, stolen.knowledge());
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 8; ++j) {
        EXPECT_EQ(some.templates.floats()(i, j), i == 2 ? 0 : all.templates.floats()(i, j)) << technique << i;
      }
    }
    target.labels.replace_column("failed", std::vector<std::string>(5, "1"));
    const Dataset none = recover("pre-image:pairs=50,rounds=2", target, stolen.knowledge());
    for (std::size_t i = 0; i < 5; ++i) {
      for (const float value : none.templates.floats().row(i)) EXPECT_EQ(value, 0) << technique;
    }
  }
}

// Null control: hashes of templates that have nothing to do with the originals. Deviation 1 / sqrt(16 * 100) = 0.025.
TEST(PreImage, NothingComesFromNothing) {
  Theft stolen = theft("biohash", 16, 500, 100);
  stolen.target.templates = protect("biohash", dataset_of(gaussian_templates(100, 16, 8))).templates;
  const Dataset recovered = recover("pre-image:pairs=500,rounds=5", stolen.target, stolen.knowledge());
  EXPECT_NEAR(mean_cosine(recovered.templates, stolen.original.templates), 0, 0.1);
}

TEST(PreImage, RefusesWhatItCannotUse) {
  const Theft stolen = theft("biohash:length=12", 16, 50, 4);
  EXPECT_NE(error_of([&] { recover("pre-image", stolen.target); }).find("stolen"), std::string::npos);
  EXPECT_NE(error_of([&] {
              recover("pre-image:dimension=16", stolen.target, {.technique = &stolen.technique});
            }).find("--clear"),
            std::string::npos);
  EXPECT_NE(error_of([&] { recover("pre-image:dimension=9", stolen.target, stolen.knowledge()); }).find("16 features"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              const ResolvedProtection learned = make_protection("ive");
              recover("pre-image", stolen.target, {.clear = &stolen.clear, .technique = &learned});
            }).find("--model"),
            std::string::npos);
  EXPECT_EQ(error_of([&] { recover("pre-image:dimension=16,pairs=50,rounds=0", stolen.target, stolen.knowledge()); }),
            "no error");
  const Theft noise = theft("csn", 16, 50, 4);
  EXPECT_NE(error_of([&] { recover("pre-image", noise.target, noise.knowledge()); }).find("nothing to steal"),
            std::string::npos);
  const Dataset narrow = dataset_of(gaussian_templates(20, 8), "narrow");
  EXPECT_NE(error_of([&] {
              recover("pre-image", stolen.target, {.clear = &narrow, .technique = &stolen.technique});
            }).find("narrow"),
            std::string::npos);
}

}  // namespace
}  // namespace bauta
