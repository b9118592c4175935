// Networks of one or two nodes, whose outputs are calculated by hand.
#include <algorithm>

#include "../data/hostile.hpp"
#include "bauta/core/parallel.hpp"
#include "media.hpp"
#include "onnx_check.hpp"
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
  return make_extractor("onnx:path=" + path + "," + options)->extract(read_medium(file)).value();
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
  expect_contains(error_of(Fault::usage, [&] { (void)make_extractor("onnx:size=2,path=" + path); }), "2 x 2");
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

TEST(Onnx, TheModelIsThatOfTheFile) {
  const Scratch scratch;
  const std::string one = "onnx:size=1,path=" + scratch.write("one.onnx", mean_network(1)).string();
  const std::string other = "onnx:size=1,path=" + scratch.write("other.onnx", mixing_network(1)).string();
  EXPECT_EQ(make_extractor(one)->model(), make_extractor(one + ",mean=0")->model());
  EXPECT_NE(make_extractor(one)->model(), make_extractor(other)->model());
}

TEST(Onnx, WhatIsNoNetworkIsRefusedBeforeAnythingIsExtracted) {
  const Scratch scratch;
  const auto make = [&](const std::string& bytes, const std::string& options) {
    const auto file = scratch.write("network.onnx", bytes);
    (void)make_extractor("onnx:path=" + file.string() + options);
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

/// A tensor that says more of itself than its name, shape and values.
std::string refusal_of(const std::string& tensor) {
  const Scratch scratch;
  const auto file = scratch.write(
      "network.onnx",
      onnx::model({.nodes = {onnx::node("Conv", {"x", "w"}, "y", "mix", {onnx::attribute("kernel_shape", {1, 1})})},
                   .tensors = {tensor},
                   .inputs = {onnx::value_info("x", {1, 3, 1, 1})},
                   .outputs = {onnx::value_info("y", {1, 2, 1, 1})}}));
  return test::input_error([&] { (void)make_extractor("onnx:size=1,path=" + file.string()); });
}

// OpenCV reads as many weights as the shape says, from wherever they would lie: other features at each run.
TEST(Onnx, WeightsThatAreMissingAreNotReadFromElsewhere) {
  using onnx::field;
  const std::vector<std::uint64_t> shape = {2, 3, 1, 1};
  expect_contains(refusal_of(onnx::tensor("w", shape, {1, 2, 3})), "'w' has 3 elements, its shape says 6");
  expect_contains(refusal_of(onnx::tensor("w", shape, {})), "'w' has 0 elements");
  expect_contains(refusal_of(onnx::tensor("w", shape, {1, 2, 3, 4, 5, 6, 7})), "has 7 elements");
  expect_contains(refusal_of(onnx::tensor("w", {1 << 20, 1 << 20, 1 << 20}, {1})), "dimension");
  expect_contains(refusal_of(onnx::tensor("w", {2, static_cast<std::uint64_t>(-3), 1, 1}, {1})), "dimension of -3");
  // Elements one by one or in a block of their own field; of that of another type; in another file.
  const std::string dims = field(1, 2) + field(1, 3) + field(1, 1) + field(1, 1);
  const std::string half = std::string(12, '\1');
  expect_contains(refusal_of(dims + field(2, 1) + field(8, "w") + field(4, half)), "has 3 elements");
  expect_contains(refusal_of(dims + field(2, 1) + field(8, "w") + field(4, half) + field(9, half)), "another type");
  expect_contains(refusal_of(dims + field(2, 1) + field(8, "w") + field(7, half)), "another type");
  expect_contains(refusal_of(dims + field(2, 1) + field(8, "w") + field(14, 1)), "another file");
  expect_contains(refusal_of(dims + field(2, 7) + field(8, "w") + field(7, 1) + field(7, 2)), "has 2 elements");
  expect_contains(refusal_of(dims + field(2, 1) + field(8, "w") + field(9, std::string(23, '\1'))), "23 bytes");
}

TEST(Onnx, WeightsOfNodesAndOfGraphsWithinThemAreLookedThroughToo) {
  using onnx::field;
  const std::string cut = onnx::tensor("inner", {5}, {1});
  const auto with = [](const std::string& attribute) {
    return field(7, field(1, onnx::node("Constant", {}, "c", "n", {attribute})));
  };
  const auto refused = [](const std::string& model) {
    const std::vector<std::uint8_t> bytes(model.begin(), model.end());
    return test::input_error([&] { check_onnx(bytes, "file"); });
  };
  expect_contains(refused(with(field(1, "value") + field(5, cut))), "'inner' has 1 elements, its shape says 5");
  expect_contains(refused(with(field(1, "values") + field(10, cut))), "'inner'");
  expect_contains(refused(with(field(1, "then") + field(6, field(5, cut)))), "'inner'");
  // Readers make one of two: shape of the first, elements of the second.
  expect_contains(refused(with(field(1, "value") + field(5, "") + field(5, ""))), "several");
  const std::string graph = field(7, field(2, "g"));
  expect_contains(refused(graph + graph), "several graphs");
  std::string deep = field(2, "g");
  for (int i = 0; i < 40; ++i) deep = field(1, onnx::node("If", {}, "c", "n", {field(1, "then") + field(6, deep)}));
  expect_contains(refused(field(7, deep)), "more than 32 deep");
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
  expect_contains(test::input_error([&] { (void)make_extractor("onnx:size=8,path=" + file.string()); }),
                  "killed by signal 8 (FPE)");
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
      test::mutation_rounds(100), 41);
}

TEST(OnnxModule, ThatIsMissingNamesThePackage) {
  const std::string text = error_of(Fault::environment, [] { (void)load_onnx_module({"/no/such/libbauta_onnx.so"}); });
  expect_contains(text, "without OpenCV");
  expect_contains(text, "libopencv-dnn-dev");
}

}  // namespace
}  // namespace bauta
