// Inside the module: what is trained, and what is told of it.
#include "conv_stack.hpp"

#include <gtest/gtest.h>

#include "image_networks.hpp"

namespace bauta::training {
namespace {

Matrix<float> drawn(std::size_t rows, std::size_t cols, std::uint64_t item) {
  Matrix<float> values(rows, cols);
  Stream stream(7, "conv stack test", item);
  stream.normals(std::span<float>(values.data(), values.size()));
  return values;
}

TEST(ConvStack, PlainArraysSayWhatTheNetworkSays) {
  ConvOptions options;
  options.input = {11, 8, 3};
  options.filters = {5, 4};
  options.hidden = {6};
  WeightBlock block;
  Stream stream(1, "weights");
  ConvStack stack(block, options, 3, stream);
  block.place(at::kCPU);
  stack.place(at::kCPU);
  const Matrix<float> rows = drawn(9, options.input.size(), 1);
  const at::Tensor images = images_tensor(rows.view(), options.input, at::kCPU);
  Stream thinned(1, "thinned");
  for (int i = 0; i < 3; ++i) (void)stack.forward(images * (1 + i), &thinned);  // moves means and variances
  const at::Tensor said = stack.forward(images, nullptr).contiguous();
  const ConvNetwork plain = stack.plain();
  Matrix<float> found(9, 3);
  plain.forward(rows.view(), 0, found.view());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found.data()[i], said.data_ptr<float>()[i], 1e-4);
}

// A teacher that is a linear map of each person's mean colours: from noisy images the network learns to say the same of
// people whom it has not seen.
TEST(Distillation, TheStudentSaysWhatTheTeacherDoes) {
  const auto lesson = [](std::uint64_t item, Matrix<float>& taught) {
    constexpr std::size_t count = 240;
    Matrix<float> images = drawn(count, 8 * 8 * 3, item);
    const Matrix<float> colours = drawn(count, 3, item + 1);
    taught = Matrix<float>(count, 4);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < images.cols(); ++k) images(i, k) = 0.3F * images(i, k) + colours(i / 4, k % 3);
      for (std::size_t k = 0; k < 4; ++k) taught(i, k) = colours(i / 4, k % 3) * (k == 3 ? -5.0F : 5.0F);
    }
    return images;
  };
  Matrix<float> taught, truth;
  const Matrix<float> seen = lesson(10, taught), others = lesson(20, truth);
  std::vector<std::int32_t> people(240);
  for (std::size_t i = 0; i < 240; ++i) people[i] = static_cast<std::int32_t>(i / 4);
  DistillationOptions options;
  options.network.input = {8, 8, 3};
  options.network.filters = {8, 8};
  options.network.hidden = {32};
  options.network.dropout = 0;
  options.network.training.rate = 1e-2;
  options.network.training.epochs = 60;
  const TrainedConvNetwork trained = train_distilled({seen.view(), people}, taught.view(), options);
  EXPECT_EQ(trained.report.epochs(), 60U);
  EXPECT_LT(trained.report.training_losses.back(), trained.report.training_losses.front() / 2);
  Matrix<float> said(240, 4);
  trained.network.forward(others.view(), 0, said.view());
  double cosine = 0;
  for (std::size_t i = 0; i < 240; ++i) {
    double product = 0, length = 0, own = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      product += double{said(i, k)} * truth(i, k);
      length += double{truth(i, k)} * truth(i, k);
      own += double{said(i, k)} * said(i, k);
    }
    EXPECT_NEAR(own, 1, 1e-5);
    cosine += product / std::sqrt(length) / 240;
  }
  EXPECT_GT(cosine, 0.95);
  // The same seed, the same bits.
  const TrainedConvNetwork again = train_distilled({seen.view(), people}, taught.view(), options);
  EXPECT_EQ(trained.report.training_losses, again.report.training_losses);
}

}  // namespace
}  // namespace bauta::training
