// Learned reversal of images: a convolutional network from masked to clear images, learned from pairs of other people.
// It works on small images, which is what recognition by a face needs, and what two cores learn in minutes.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "bauta/core/most_frequent.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/data/resized.hpp"
#include "bauta/data/subject_codes.hpp"
#include "bauta/deep/image_trainer.hpp"
#include "bauta/deep/sampling.hpp"
#include "image_pairs.hpp"
#include "medium_recovery.hpp"

namespace bauta {
namespace {

constexpr std::size_t stages = 4;

/// One mean and one deviation of all values, so that what a mask leaves of an image counts as much as the image did.
struct Level {
  double mean = 0, deviation = 1;

  static Level of(MatrixView<const float> images) {
    Level level;
    const double count = static_cast<double>(images.rows) * static_cast<double>(images.cols);
    double square = 0;
    for (std::size_t i = 0; i < images.rows; ++i) {
      for (const float value : images.row(i)) level.mean += value / count;
    }
    for (std::size_t i = 0; i < images.rows; ++i) {
      for (const float value : images.row(i)) square += (value - level.mean) * (value - level.mean) / count;
    }
    if (square > 0) level.deviation = std::sqrt(square);
    return level;
  }

  void apply(std::span<float> values) const {
    for (float& value : values) value = static_cast<float>((value - mean) / deviation);
  }
};

class Reversal : public ImageRecovery {
 public:
  explicit Reversal(const Parameters& parameters)
      : ImageRecovery("reversal"),
        parameters_(parameters),
        size_(static_cast<std::size_t>(parameters.integer("size"))) {
    constexpr std::size_t step = std::size_t{1} << (stages - 1);
    if (size_ % step != 0) {
      throw_usage("reversal:size", fmt::format("{} is no multiple of {}", size_, step),
                  fmt::format("take {}", std::max(step, size_ / step * step)));
    }
  }

  void fit(const Knowledge& knowledge) override {
    const ImagePairs pairs("reversal", knowledge);
    const std::vector<std::int32_t> people = subject_codes(*knowledge.clear);
    std::vector<std::size_t> rows(pairs.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    const auto most = static_cast<std::size_t>(parameters_.integer("pairs"));
    if (rows.size() > most) {
      rows = Stream(knowledge.seed, "reversal.pairs").permutation(rows.size());
      rows.resize(most);
      std::sort(rows.begin(), rows.end());
    }
    std::vector<std::size_t> channels_of;
    pairs.each(rows, [&](std::size_t, const Image& image, const Image&) { channels_of.push_back(image.channels); });
    const std::size_t channels = most_frequent(channels_of);
    std::size_t taken = 0;
    Matrix<float> masked(channels_of.size(), channels * size_ * size_), clear(masked.rows(), masked.cols());
    std::vector<std::int32_t> subjects;
    pairs.each(rows, [&](std::size_t row, const Image& image, const Image& hidden) {
      std::ranges::copy(resized_planes(hidden, size_, channels), masked.row(taken).begin());
      std::ranges::copy(resized_planes(image, size_, channels), clear.row(taken).begin());
      subjects.push_back(people[row]);
      ++taken;
    });
    masked_ = Level::of(masked.view().slice(0, taken));
    clear_ = Level::of(clear.view().slice(0, taken));
    for (std::size_t i = 0; i < taken; ++i) {
      masked_.apply(masked.row(i));
      clear_.apply(clear.row(i));
    }
    TrainingSet set{masked.view().slice(0, taken), subjects};
    const double share = parameters_.real("validation");
    if (share > 0) set.held_out = hold_out_subjects(subjects, share, Stream(knowledge.seed, "reversal.held-out"));
    TrainedImageNetwork trained =
        image_trainer().train_image_network(set, clear.view().slice(0, taken), options(channels, knowledge.seed));
    network_ = std::move(trained.network);
    epochs_ = trained.report.best_epoch;
    loss_ = share > 0 && !trained.report.validation_losses.empty() ? trained.report.validation_losses[epochs_ - 1]
                                                                   : trained.report.training_losses.back();
  }

  [[nodiscard]] std::map<std::string, std::string> properties() const override {
    const double error = loss_ * clear_.deviation * clear_.deviation;
    return {{"reversal_epochs", std::to_string(epochs_)},
            {"reversal_psnr", fmt::format("{:.2f}", -10 * std::log10(std::max(error, 1e-12)))}};
  }

  [[nodiscard]] FittedState state() const override {
    FittedState state = arrays_of(network_);
    Matrix<float> report(1, 6);
    const std::array<double, 6> values = {
        static_cast<double>(epochs_), loss_, masked_.mean, masked_.deviation, clear_.mean, clear_.deviation};
    std::ranges::transform(values, report.data(), [](double value) { return static_cast<float>(value); });
    state.emplace("report", std::move(report));
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    const auto report = state.find("report");
    constexpr float most_epochs = 1 << 24;
    if (report == state.end() || report->second.size() != 6 ||
        !(report->second(0, 0) >= 0 && report->second(0, 0) <= most_epochs)) {
      throw_input(where, "holds no learned reversal");
    }
    epochs_ = static_cast<std::size_t>(report->second(0, 0));
    loss_ = report->second(0, 1);
    masked_ = {report->second(0, 2), report->second(0, 3)};
    clear_ = {report->second(0, 4), report->second(0, 5)};
    if (!(masked_.deviation > 0)) throw_input(where, "its masked images have no deviation");
    network_ = image_network_of(state, size_, stages, where);
    if (network_.inputs() != network_.channels() || network_.code_length() > 0) {
      throw_input(where, "its layers do not fit to each other");
    }
  }

 protected:
  [[nodiscard]] Image undone(const Image& image, std::size_t) const override {
    const std::size_t channels = network_.channels();
    std::vector<float> planes = resized_planes(image, size_, channels), clear(planes.size());
    masked_.apply(planes);
    network_.forward(planes, clear);
    for (float& value : clear) value = static_cast<float>(clear_.mean + clear_.deviation * value);
    std::vector<float> values = stretched(clear, size_, image.width, image.height);
    for (float& value : values) value *= 255;
    const Image result{image.width, image.height, channels, {}};
    return with_pixels(result, values);
  }

 private:
  [[nodiscard]] ImageNetworkOptions options(std::size_t channels, std::uint64_t seed) const {
    ImageNetworkOptions options;
    options.channels = channels;
    options.size = size_;
    options.stages = stages;
    options.width = static_cast<std::size_t>(parameters_.integer("width"));
    options.training.epochs = static_cast<std::size_t>(parameters_.integer("epochs"));
    options.training.batch = static_cast<std::size_t>(parameters_.integer("batch"));
    options.training.rate = parameters_.real("rate");
    options.training.patience = static_cast<std::size_t>(parameters_.integer("patience"));
    options.training.seed = Stream(seed, "reversal").next64();
    options.training.device = device();
    const auto progress = std::make_shared<Progress>("train reversal", options.training.epochs, "epochs");
    options.training.progress = [progress](const EpochLoss&) { progress->add(1); };
    return options;
  }

  Parameters parameters_;
  std::size_t size_;
  ImageNetwork network_;
  std::size_t epochs_ = 0;
  double loss_ = 0;       // mean squared error, in squared deviations of clear images
  Level masked_, clear_;  // of pixels from 0 to 1
};

}  // namespace

Entry<Recovery> reversal_recovery() {
  return {{.name = "reversal",
           .paper = "",
           .doc = "any technique: a convolutional network from masked to clear images, learned from pairs",
           .medium = "image",
           .learns = true,
           .parameters = {{"size", ParameterType::integer, "56", "edge of the images that it works on", 8, 1024},
                          {"width", ParameterType::integer, "12",
                           "channels of its first stage; further ones have up to four times as many", 1, 1024},
                          {"pairs", ParameterType::integer, "2000", "most pairs that it learns from", 1, 1 << 24},
                          {"epochs", ParameterType::integer, "12", "passes over the pairs at most", 1, 100000},
                          {"batch", ParameterType::integer, "16", "pairs per step", 1, 1 << 16},
                          {"rate", ParameterType::real, "0.002", "learning rate", 0},
                          {"patience", ParameterType::integer, "3",
                           "epochs without a better validation loss before training stops; 0: never stops early", 0,
                           100000},
                          {"validation", ParameterType::real, "0.1",
                           "share of the pairs' subjects that only decides when to stop", 0, 0.9}},
           .example = "size=32,width=4,epochs=2"},
          [](const Parameters& parameters) { return std::make_unique<Reversal>(parameters); }};
}

}  // namespace bauta
