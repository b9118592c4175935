// Networks of one or two nodes, whose outputs are calculated by hand.
#include <algorithm>

#include "../data/hostile.hpp"
#include "bauta/core/parallel.hpp"
#include "media.hpp"
#include "onnx_file.hpp"
#include "onnx_module.hpp"

namespace bauta {
namespace {

using test::error_of;
using test::expect_contains;
using test::Scratch;
namespace onnx = test::onnx;

/// The mean of each colour.
std::string mean_network(std::uint64_t size) {
  return onnx::model({.nodes = {onnx::node("GlobalAveragePool", {"x"}, "y", "mean")},
                      .tensors = {},
                      .inputs = {onnx::value_info("x", {1, 3, size, size})},
                      .outputs = {onnx::value_info("y", {1, 3, 1, 1})}});
}

/// Two mixtures of the colours, and their means over the image.
std::string mixing_network(std::uint64_t size) {
  return onnx::model(
      {.nodes = {onnx::node("Conv", {"x", "w", "b"}, "c", "mix", {onnx::attribute("kernel_shape", {1, 1})}),
                 onnx::node("GlobalAveragePool", {"c"}, "y")},
       .tensors = {onnx::tensor("w", {2, 3, 1, 1}, {1, 10, 100, -1, 0, 2}), onnx::tensor("b", {2}, {0.5F, -3})},
       .inputs = {onnx::value_info("x", {1, 3, size, size})},
       .outputs = {onnx::value_info("y", {1, 2, 1, 1})}});
}

/// Takes images of one pixel only.
std::string dense_network() {
  return onnx::model(
      {.nodes = {onnx::node("Flatten", {"x"}, "f"),
                 onnx::node("Gemm", {"f", "w", "b"}, "y", "", {onnx::attribute("transB", 1)})},
       .tensors = {onnx::tensor("w", {2, 3}, {1, 10, 100, -1, 0, 2}), onnx::tensor("b", {2}, {0.5F, -3})},
       .inputs = {onnx::value_info("x", {1, 3, 1, 1})},
       .outputs = {onnx::value_info("y", {1, 2})}});
}

/// Means and maxima of the colours.
std::string forked_network() {
  return onnx::model(
      {.nodes = {onnx::node("GlobalAveragePool", {"x"}, "mean"), onnx::node("GlobalMaxPool", {"x"}, "most")},
       .tensors = {},
       .inputs = {onnx::value_info("x", {1, 3, 2, 2})},
       .outputs = {onnx::value_info("mean", {1, 3, 1, 1}), onnx::value_info("most", {1, 3, 1, 1})}});
}

std::vector<float> features(const Scratch& scratch, const std::string& image, const std::string& options) {
  const auto file = scratch.write("image", image);
  const std::string path = (scratch / "network.onnx").string();
  return test::unconfined("onnx:path=" + path + "," + options)->extract(read_medium(file)).value();
}

void expect_values(const std::vector<float>& values, const std::vector<float>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-4) << i;
}

// Two pixels, red and blue: 200 10 30 and 100 50 90, so that the means are 150 30 60.
constexpr const char* two_pixels = "P3 2 1 255 200 10 30 100 50 90";

TEST(Onnx, IsShownRedGreenBlueLessTheMeanTimesTheScale) {
  const Scratch scratch;
  scratch.write("network.onnx", mean_network(1));
  expect_values(features(scratch, two_pixels, "size=1,mean=0,scale=1"), {150, 30, 60});
  expect_values(features(scratch, two_pixels, "size=1,mean=50,scale=0.5"), {50, -10, 5});
  expect_values(features(scratch, two_pixels, "size=1,mean=100/20/10,scale=2"), {100, 20, 100});
  // Of 255 the defaults make 1.
  expect_values(features(scratch, "P3 1 1 255 255 0 0", "size=1"), {1, -1, -1});
}

TEST(Onnx, BlueComesFirstWhereThatIsAskedForAndTheMeanStaysThatOfRedGreenBlue) {
  const Scratch scratch;
  scratch.write("network.onnx", mean_network(1));
  expect_values(features(scratch, two_pixels, "size=1,mean=100/20/10,scale=2,color=bgr"), {100, 20, 100});
  expect_values(features(scratch, two_pixels, "size=1,mean=1/2/3,scale=1,color=bgr"), {57, 28, 149});
}

TEST(Onnx, SmallerAndGreyImagesAreStretched) {
  const Scratch scratch;
  scratch.write("network.onnx", mean_network(4));
  expect_values(features(scratch, "P2 1 1 255 70", "size=4,mean=0,scale=1"), {70, 70, 70});
  // Symmetric, so the mean stays.
  expect_values(features(scratch, two_pixels, "size=4,mean=0,scale=1"), {150, 30, 60});
}

TEST(Onnx, TheOutputIsThatOfTheLastNodeOrOfTheOneThatIsNamed) {
  const Scratch scratch;
  scratch.write("network.onnx", mixing_network(2));
  // Red 1, green 2, blue 3 everywhere: 1 + 20 + 300 + 0.5 and -1 + 6 - 3.
  const std::string image = "P3 2 2 255 1 2 3 1 2 3 1 2 3 1 2 3";
  expect_values(features(scratch, image, "size=2,mean=0,scale=1"), {321.5F, 2});
  expect_values(features(scratch, image, "size=2,mean=0,scale=1,layer=y"), {321.5F, 2});
  expect_values(features(scratch, image, "size=2,mean=0,scale=1,layer=mix"),
                {321.5F, 321.5F, 321.5F, 321.5F, 2, 2, 2, 2});
}

TEST(Onnx, OfSeveralOutputsOneIsNamed) {
  const Scratch scratch;
  scratch.write("network.onnx", forked_network());
  const std::string image = "P3 2 2 255 1 2 3 1 2 3 1 2 3 5 6 11";
  expect_values(features(scratch, image, "size=2,mean=0,scale=1,layer=mean"), {2, 3, 5});
  expect_values(features(scratch, image, "size=2,mean=0,scale=1,layer=most"), {5, 6, 11});
  const std::string text = error_of(Fault::usage, [&] { (void)features(scratch, image, "size=2"); });
  expect_contains(text, "2 outputs");
  expect_contains(text, "mean, most");
}

TEST(Onnx, AnImageOfTheWrongSizeIsRefusedBeforeAnythingIsExtracted) {
  const Scratch scratch;
  scratch.write("network.onnx", dense_network());
  expect_values(features(scratch, "P3 1 1 255 1 2 3", "size=1,mean=0,scale=1"), {321.5F, 2});
  const std::string path = (scratch / "network.onnx").string();
  expect_contains(error_of(Fault::usage, [&] { (void)test::unconfined("onnx:size=2,path=" + path); }), "2 x 2");
}

TEST(Onnx, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Scratch scratch;
  const auto network = scratch.write("network.onnx", mixing_network(3));
  std::vector<std::string> images;
  for (int i = 0; i < 40; ++i) images.push_back("P2 2 2 255 1 2 3 " + std::to_string(i));
  const Scratch media;
  const Dataset dataset = test::media_of(media, images);
  const ResolvedExtractor resolved = make_extractor("onnx:path=" + network.string() + ",size=3");
  set_threads(1);
  const Dataset one = extract_dataset(resolved, dataset);
  set_threads(4);
  const Dataset four = extract_dataset(resolved, dataset);
  set_threads(0);
  for (std::size_t row = 0; row < images.size(); ++row) {
    EXPECT_TRUE(std::ranges::equal(one.templates.floats().row(row), four.templates.floats().row(row)));
  }
  EXPECT_NE(one.templates.floats().row(0)[0], one.templates.floats().row(39)[0]);
}

// Three megabytes pass through the socket in pieces.
TEST(Onnx, GivesTheSameInAProcessOfItsOwn) {
  const Scratch scratch;
  const std::string network = "onnx:size=1,mean=0,scale=1,path=" + scratch.write("n.onnx", mean_network(1)).string();
  Image image{1000, 1000, 3, std::vector<std::uint8_t>(3000000)};
  for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<std::uint8_t>(i % 3 * 20 + i % 7);
  const auto found = make_extractor(network)->extract(image);
  EXPECT_EQ(found, test::unconfined(network)->extract(image));
  ASSERT_TRUE(found.has_value());
  expect_values(*found, {3, 23, 43});  // 7 and 3 share no factor: each colour sees 0 to 6 alike
}

TEST(Onnx, TheModelIsThatOfTheFile) {
  const Scratch scratch;
  const std::string one = "onnx:size=1,path=" + scratch.write("one.onnx", mean_network(1)).string();
  const std::string other = "onnx:size=1,path=" + scratch.write("other.onnx", mixing_network(1)).string();
  EXPECT_EQ(make_extractor(one)->model(), test::unconfined(one + ",mean=0")->model());
  EXPECT_NE(make_extractor(one)->model(), make_extractor(other)->model());
}

TEST(Onnx, WhatIsNoNetworkIsRefusedBeforeAnythingIsExtracted) {
  const Scratch scratch;
  const auto make = [&](const std::string& bytes, const std::string& options) {
    const auto file = scratch.write("network.onnx", bytes);
    (void)test::unconfined("onnx:path=" + file.string() + options);
  };
  expect_contains(test::input_error([&] { make("no network", ""); }), "network.onnx");
  expect_contains(test::input_error([&] { make("", ""); }), "network.onnx");
  expect_contains(test::input_error([&] { make(mean_network(1).substr(0, 20), ""); }), "network.onnx");
  expect_contains(test::input_error([] { (void)make_extractor("onnx:path=/no/such/file"); }), "/no/such/file");
  expect_contains(error_of(Fault::usage, [] { (void)make_extractor("onnx"); }), "path");
  expect_contains(error_of(Fault::usage, [&] { make(mixing_network(2), ",size=2,layer=mixx"); }), "did you mean 'mix'");
  for (const char* mean : {"1/2", "1/2/3/4", "1/", "/1", "x", "1/2/3/", "nan"}) {
    expect_contains(error_of(Fault::usage, [&] { make(mean_network(1), ",size=1,mean=" + std::string(mean)); }), mean);
  }
}

// OpenCV reads as many weights as the shape says, from wherever they would lie: other features at each run.
TEST(Onnx, WeightsThatAreMissingAreNotReadFromElsewhere) {
  const Scratch scratch;
  const auto file = scratch.write(
      "network.onnx",
      onnx::model({.nodes = {onnx::node("Conv", {"x", "w"}, "y", "mix", {onnx::attribute("kernel_shape", {1, 1})})},
                   .tensors = {onnx::tensor("w", {2, 3, 1, 1}, {1, 2, 3})},
                   .inputs = {onnx::value_info("x", {1, 3, 1, 1})},
                   .outputs = {onnx::value_info("y", {1, 2, 1, 1})}}));
  const std::string specification = "onnx:size=1,path=" + file.string();
  for (const auto& make :
       {make_extractor, +[](std::string_view text) { return test::unconfined(std::string(text)); }}) {
    expect_contains(test::input_error([&] { (void)make(specification); }), "'w' has 3 elements, its shape says 6");
  }
}

// OpenCV 4.6 divides by the square of the block in 32 bits, which is 0.
TEST(Onnx, OneThatDiesIsAnErrorAndNotTheEnd) {
  const Scratch scratch;
  const auto file = scratch.write(
      "network.onnx",
      onnx::model({.nodes = {onnx::node("DepthToSpace", {"x"}, "y", "n", {onnx::attribute("blocksize", 1 << 16)})},
                   .tensors = {},
                   .inputs = {onnx::value_info("x", {1, 3, 8, 8})},
                   .outputs = {onnx::value_info("y", {1, 3, 8, 8})}}));
#ifdef BAUTA_SANITIZED
  const char* const end = "ended its process with status";  // the sanitizer takes the signal and reports it
#else
  const char* const end = "killed by signal 8 (FPE)";
#endif
  expect_contains(test::input_error([&] { (void)make_extractor("onnx:size=8,path=" + file.string()); }), end);
}

TEST(Onnx, RandomMutationsAreSurvived) {
  const Scratch scratch;
  const auto medium = read_medium(scratch.write("image", "P3 2 2 255 1 2 3 1 2 3 1 2 3 5 6 11"));
  test::expect_mutations_survived(
      "onnx", mixing_network(2),
      [&](const std::string& bytes) {
        const auto file = scratch.write("network.onnx", bytes);
        (void)make_extractor("onnx:size=2,path=" + file.string())->extract(medium);
      },
      test::mutation_rounds(40), 41);
}

TEST(OnnxModule, ThatIsMissingNamesThePackage) {
  const std::string text = error_of(Fault::environment, [] { (void)load_onnx_module({"/no/such/libbauta_onnx.so"}); });
  expect_contains(text, "without OpenCV");
  expect_contains(text, "libopencv-dnn-dev");
}

}  // namespace
}  // namespace bauta
