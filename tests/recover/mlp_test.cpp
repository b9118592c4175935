#include <gtest/gtest.h>

#include "../held.hpp"
#include "fixtures.hpp"

namespace bauta {
namespace {

// Signs along orthonormal vectors of independent normal features: the linear estimate is the best there is (each sign
// tells of its own direction alone), with mean cosine sqrt(16) E|u_1| = 0.8105 in 16 dimensions (closed form in
// ridge_test.cpp). What is learned from 4000 pairs stays a little below.
TEST(MlpRecovery, BioHashComesBackAtTheLevelOfItsSigns) {
  const std::string technique = "biohash:threshold=zero,entries=gaussian";
  const Dataset clear = dataset_of(gaussian_templates(4000, 16, 1), "clear");
  const Dataset original = dataset_of(gaussian_templates(300, 16, 2));
  const Dataset pairs = protect(technique, clear);
  const Dataset recovered =
      recover("mlp:hidden=64,epochs=60", protect(technique, original), {.clear = &clear, .protected_clear = &pairs});
  const double level = mean_cosine(recovered.templates, original.templates);
  EXPECT_GT(level, 0.77);
  EXPECT_LT(level, 0.825);
}

// The square of a number that is as often positive as negative does not correlate with it.
TEST(MlpRecovery, SeesWhatALineCannot) {
  const auto protected_data = [](std::size_t rows, std::uint64_t seed) {
    return dataset_of(
        templates_of(rows, 4, seed, [](std::size_t, std::size_t, Stream& stream) { return 4 * stream.uniform() - 2; }));
  };
  const auto squared = [](const Dataset& data) {
    Dataset result = data;
    result.templates = templates_of(data.size(), 4, 1, [&](std::size_t i, std::size_t j, Stream&) {
      const double x = data.templates.floats()(i, j);
      return x * x - 4.0 / 3;  // of mean zero
    });
    return result;
  };
  const Dataset pairs = protected_data(4000, 1);
  const Dataset clear = squared(pairs);
  const Dataset target = protected_data(200, 2);
  const Templates truth = squared(target).templates;
  const Knowledge knowledge{.clear = &clear, .protected_clear = &pairs};
  EXPECT_GT(mean_cosine(recover("mlp:hidden=64,epochs=100", target, knowledge).templates, truth), 0.95);
  EXPECT_LT(mean_cosine(recover("ridge", target, knowledge).templates, truth), 0.2);
}

TEST(MlpRecovery, TakesCodesAndFloats) {
  const Dataset clear = dataset_of(gaussian_templates(1500, 8, 1), "clear");
  const Dataset original = dataset_of(gaussian_templates(100, 8, 2));
  for (const char* technique : {"iom-grp:m=40,q=8", "csn:s=0.9"}) {
    const Dataset pairs = protect(technique, clear);
    const Dataset target = protect(technique, original);
    const Knowledge knowledge{.clear = &clear, .protected_clear = &pairs};
    const Dataset recovered = recover("mlp:hidden=64,epochs=60", target, knowledge);
    EXPECT_GT(mean_cosine(recovered.templates, original.templates), 0.8) << technique;
    EXPECT_TRUE(same_floats(recover("mlp:hidden=64,epochs=60", target, knowledge).templates, recovered.templates))
        << technique;
  }
}

// What a row becomes does not depend on how many there are.
TEST(MlpRecovery, ManyTargetsAreTakenInBlocks) {
  const Dataset clear = dataset_of(gaussian_templates(40, 3, 1), "clear");
  const Dataset pairs = protect("biohash", clear);
  const Dataset target = protect("biohash", dataset_of(gaussian_templates(1030, 3, 2)));
  const ResolvedRecovery recovery = make_recovery("mlp:hidden=4,epochs=1");
  fit_recovery(recovery, {.clear = &clear, .protected_clear = &pairs});
  const Dataset all = recover_dataset(recovery, target);
  for (const std::size_t row : {0U, 511U, 512U, 1023U, 1024U, 1029U}) {
    const Dataset one = recover_dataset(recovery, target.select({row}));
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(all.templates.floats()(row, j), one.templates.floats()(0, j), 1e-5) << row;
    }
  }
}

// Nothing to learn but the one row that there is.
TEST(MlpRecovery, WhereAllAreAlikeThatIsWhatComesBack) {
  const Dataset pairs = protect("biohash", dataset_of(gaussian_templates(30, 3, 1)));
  Dataset clear = pairs;
  clear.templates = Templates(Matrix<float>(30, 2, 2.5F));
  const Dataset recovered = recover("mlp:hidden=4,epochs=1", pairs, {.clear = &clear, .protected_clear = &pairs});
  for (std::size_t i = 0; i < 30; ++i) {
    for (const float value : recovered.templates.floats().row(i)) EXPECT_EQ(value, 2.5F);
  }
}

TEST(MlpRecovery, WidthsAreChecked) {
  for (const char* wrong : {"x", "0", "12/", "/12", "12//3", "12,3"}) {
    EXPECT_NE(error_of([&] { make_recovery(std::string("mlp:hidden=") + wrong); }), "no error") << wrong;
  }
  EXPECT_EQ(error_of([] { make_recovery("mlp:hidden=12/3/7"); }), "no error");
}

// As it was on 2026-11-16. People have several samples, of whom some are held out.
TEST(HeldRecoveries, ByAPerceptron) {
  test::expect_held(
      {{"mlp:hidden=8,epochs=4,batch=16 of csn:s=0.9", -1.49230077},
       {"mlp:hidden=8/6,epochs=4,batch=16,validation=0.3 of biohash", -1.56700115},
       {"mlp:hidden=8,epochs=4,batch=16,validation=0,scale=unit of random-projection", -4.18608017},
       {"mlp:hidden=8,epochs=3,batch=16 of iom-grp:m=6,q=4", -0.452649499}},
      [](const std::string& what) {
        const std::size_t middle = what.find(" of ");
        const std::string technique = what.substr(middle + 4);
        Dataset clear = dataset_of(templates_of(90, 5, 1, [](std::size_t, std::size_t j, Stream& stream) {
          return static_cast<double>(j) + (1 + 0.5 * static_cast<double>(j)) * stream.normal();
        }));
        std::vector<std::string> people;
        for (std::size_t i = 0; i < 90; ++i) people.push_back(i % 9 == 8 ? "" : std::to_string(i / 5));
        clear.labels.replace_column("identity", people);
        const Dataset pairs = protect(technique, clear);
        const Dataset recovered =
            recover(what.substr(0, middle), protect(technique, dataset_of(gaussian_templates(12, 5, 2))),
                    {.clear = &clear, .protected_clear = &pairs});
        const MatrixView<const float> values = recovered.templates.floats();
        return std::vector<float>(values.data, values.data + values.rows * values.cols);
      },
      1e-4);
}

}  // namespace
}  // namespace bauta
