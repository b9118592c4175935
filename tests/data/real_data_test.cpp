// Facts about real data sets, where they are present. The counts are those of the data's own description.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "bauta/data/dataset.hpp"

namespace bauta {
namespace {

std::filesystem::path real_data(const char* name) {
  const char* root = std::getenv("BAUTA_DATA");
  const std::filesystem::path folder =
      root != nullptr ? root : std::filesystem::path(BAUTA_SOURCE_DIR) / "../shared/data";
  return folder / name;
}

#define SKIP_WITHOUT(path)            \
  if (!std::filesystem::exists(path)) \
  GTEST_SKIP() << (path) << " is absent; set BAUTA_DATA to the folder with real data"

TEST(RealData, LfwTemplatesHaveTheirDescribedSizeAndSubjects) {
  const auto path = real_data("templates-lfw");
  SKIP_WITHOUT(path);
  const Dataset dataset = read_dataset(path);
  EXPECT_EQ(dataset.size(), 13225U);
  EXPECT_EQ(dataset.templates.cols(), 128U);
  EXPECT_EQ(dataset.labels.categorical("identity").classes.size(), 5744U);
  EXPECT_EQ(dataset.labels.categorical("gender").classes, (std::vector<std::string>{"F", "M"}));
}

TEST(RealData, UtkTemplatesAreWidenedFromFloat16) {
  const auto path = real_data("templates-utk");
  SKIP_WITHOUT(path);
  const Dataset dataset = read_dataset(path);
  ASSERT_EQ(dataset.size(), 7990U);
  ASSERT_EQ(dataset.templates.cols(), 128U);
  EXPECT_EQ(dataset.labels.kind("age"), ColumnKind::continuous);
  // numpy 1.24.2: X.astype('f8').sum() of the stored float16 values.
  const auto values = dataset.templates.floats();
  double sum = 0;
  for (std::size_t i = 0; i < values.rows; ++i) {
    for (const float value : values.row(i)) sum += value;
  }
  EXPECT_NEAR(sum, -4966.80950075388, 1e-6);
}

TEST(RealData, LfwFacesAreMediaWithPaths) {
  const auto path = real_data("faces-lfw");
  SKIP_WITHOUT(path);
  ReadOptions options;
  options.templates_required = false;
  const Dataset dataset = read_dataset(path, options);
  EXPECT_EQ(dataset.size(), 3039U + 2784U + 1726U);
  EXPECT_TRUE(dataset.templates.empty());
}

}  // namespace
}  // namespace bauta
