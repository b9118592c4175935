#include "image_stages.hpp"

#include <gtest/gtest.h>

namespace bauta::training {
namespace {

// With planes beside the image, and with a code, the network in plain arrays says what LibTorch says.
TEST(ImageStages, PlainArraysAreTheNetwork) {
  ImageNetworkOptions options;
  options.size = 16;
  options.width = 3;
  options.stages = 3;
  options.planes = 2;
  options.code = 4;
  WeightBlock block;
  Stream stream(3, "test.stages");
  const ImageStages stages(block, options, stream);
  block.place(at::kCPU);
  std::vector<float> planes(5 * 256), code(4), plain(3 * 256);
  stream.normals(std::span(planes));
  stream.normals(std::span(code));
  const c10::NoGradGuard no_gradients;
  const at::Tensor made =
      stages.forward(at::from_blob(planes.data(), {1, 5, 16, 16}), at::from_blob(code.data(), {1, 4}));
  const ImageNetwork network = stages.plain();
  EXPECT_EQ(network.inputs(), 5U);
  EXPECT_EQ(network.code_length(), 4U);
  network.forward(planes, code, plain);
  const std::vector<double> expected = to_doubles(made);
  ASSERT_EQ(expected.size(), plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_NEAR(plain[i], expected[i], 1e-4) << i;
  // Another code, another image.
  std::vector<float> other(3 * 256);
  code[0] += 1;
  network.forward(planes, code, other);
  EXPECT_NE(other, plain);
}

}  // namespace
}  // namespace bauta::training
