// Face replacement in the way of DeepPrivacy (Hukkelas et al. 2019) and CIAGAN (Maximov et al. 2020): the face is cut
// out, and a generator of our own paints another one into its surroundings, where five points say that eyes, nose and
// mouth were. The pixels of the face are no input of the generator; who appears instead is drawn, image by image.
#include <algorithm>
#include <iterator>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "../template/network_protection.hpp"
#include "bauta/core/digest.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/resized.hpp"
#include "bauta/data/subject_codes.hpp"
#include "bauta/deep/face_canvas.hpp"
#include "bauta/deep/face_net.hpp"
#include "bauta/deep/image_trainer.hpp"
#include "bauta/deep/sampling.hpp"
#include "bauta/deep/shared_weights.hpp"
#include "bauta/protect/bringing.hpp"
#include "face_point_finder.hpp"
#include "image_protection.hpp"

namespace bauta {
namespace {

constexpr const char* name = "face-replace";
constexpr const char* own_weights = "face-replace.npz";
constexpr std::size_t stages = 5, channels = 3, planes = 1 + spot_planes;

/// From shares of full light to what networks like, and back.
void centre(std::span<float> values) {
  for (float& value : values) value = 2 * value - 1;
}
float light(float value) {
  return 127.5F * (value + 1);
}

/// Marks the cells of a grid in which there is anything of these pixels.
std::vector<float> cells_of(const std::vector<bool>& pixels, std::size_t width, std::size_t height, std::size_t size) {
  Image shade{width, height, 1, {}};
  for (const bool inside : pixels) shade.pixels.push_back(inside ? 255 : 0);
  std::vector<float> cells = resized(shade, size, 1);
  for (float& cell : cells) cell = cell > 0 ? 1.0F : 0.0F;
  return cells;
}

/// Faces to learn from: rows of planes.
struct Faces {
  Matrix<float> images, spots;
  std::vector<std::int32_t> people;
  std::vector<bool> held_out;
};

class FaceReplace : public ImageProtection, public BringingProtection {
 public:
  explicit FaceReplace(const Parameters& parameters)
      : ImageProtection(name),
        parameters_(parameters),
        aligned_(parameters.text("frame") == "aligned"),
        found_(parameters.text("points") == "found"),
        finder_(name, parameters.text("models")),
        size_(integer_or("size", GeneratorOptions().network.size)),
        width_(integer_or("width", GeneratorOptions().network.width)) {
    constexpr std::size_t step = std::size_t{1} << (stages - 1);
    if (size_ % step != 0) {
      throw_usage("face-replace:size", fmt::format("{} is no multiple of {}", size_, step),
                  fmt::format("take {}", std::max(step, size_ / step * step)));
    }
  }

  void fit(const Dataset& train, const std::vector<std::string>&, const ProtectContext& context) override {
    const Faces faces = faces_of(train, context);
    GeneratorOptions options;
    options.network.training = training_options(parameters_, name, context);
    options.network.size = size_;
    options.network.width = width_;
    options.network.stages = stages;
    options.network.planes = planes;
    options.network.code = static_cast<std::size_t>(parameters_.integer("code"));
    options.divergence = parameters_.real("divergence");
    options.adversarial = parameters_.real("adversarial");
    options.identity = parameters_.real("identity");
    std::map<std::string, TfjsTensor> face_net;
    if (options.identity > 0) {
      face_net = face_net_weights(parameters_.text("models"));
      options.face_net = &face_net;
      options.face_frame = net_frame();
    }
    TrainedImageNetwork trained = image_trainer().train_generator({faces.images.view(), faces.people, faces.held_out},
                                                                  region().cells(size_), faces.spots.view(), options);
    network_ = std::move(trained.network);
    report_ = std::move(trained.report);
  }

  [[nodiscard]] std::unique_ptr<const Protection> among(const Dataset&, const std::vector<std::string>&,
                                                        const ProtectContext&) const override {
    // What is missing is said before any work is done.
    if (found_) finder_.load();
    (void)network();
    return nullptr;
  }

  [[nodiscard]] std::string brought() const override {
    return file_digest(find_own_weights(parameters_.text("models"), own_weights));
  }

  [[nodiscard]] FittedState state() const override {
    FittedState state = arrays_of(network_);
    add_report(state, report_);
    return state;
  }

  void restore(const FittedState& state, const std::string& where) override {
    network_ = image_network_of(state, size_, stages, where);
    const auto length = static_cast<std::size_t>(parameters_.integer("code"));
    if (network_.channels() != channels || network_.inputs() != channels + planes || network_.code_length() != length) {
      throw_input(
          where,
          fmt::format("holds a network of {} planes, {} channels and a code of {} numbers, where {}, {} and {} are "
                      "needed",
                      network_.inputs(), network_.channels(), network_.code_length(), channels + planes, channels,
                      length),
          "fit the protection again");
    }
    report_ = report_of(state);
  }

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t sample, const ProtectContext& context) const override {
    require_frame(image);
    const FacePoints points = points_of(image);
    const std::vector<bool> hidden = region().pixels(image.width, image.height);
    const ImageNetwork& generator = network();
    std::vector<float> code(generator.code_length());
    context.randomness.stream(name, sample).normals(std::span(code));
    std::vector<float> face(channels * generator.size * generator.size);
    generator.forward(shown(image, hidden, points, generator.size), code, face);
    const std::vector<float> painted = stretched(face, generator.size, image.width, image.height);
    Image result = image;
    for (std::size_t i = 0; i < hidden.size(); ++i) {
      if (!hidden[i]) continue;
      const float* const colour = painted.data() + i * channels;
      if (image.channels == 1) {
        result.pixels[i] = to_pixel(light(0.299F * colour[0] + 0.587F * colour[1] + 0.114F * colour[2]));  // BT.601
      } else {
        for (std::size_t c = 0; c < channels; ++c) result.pixels[i * channels + c] = to_pixel(light(colour[c]));
      }
    }
    return result;
  }

 private:
  [[nodiscard]] std::size_t integer_or(const char* parameter, std::size_t otherwise) const {
    const std::int64_t value = parameters_.integer(parameter);
    return value > 0 ? static_cast<std::size_t>(value) : otherwise;
  }

  /// What was learned, else what comes with Bauta.
  [[nodiscard]] const ImageNetwork& network() const {
    if (!network_.down.empty()) return network_;
    std::call_once(brought_once_, [&] {
      if (!aligned_) {
        throw_usage("face-replace:frame=whole", "the weights that come with it were learned from aligned crops",
                    "fit others: --fit PEOPLE --save FILE, then --load FILE");
      }
      brought_ = load_brought(parameters_.text("models"));
      const std::size_t width = brought_->down[0].outputs();
      for (const auto& [asked, has] :
           {std::pair("size", brought_->size), std::pair("width", width), std::pair("code", brought_->code_length())}) {
        if (integer_or(asked, has) == has) continue;
        throw_usage(fmt::format("face-replace:{}", asked), fmt::format("the weights that come with it have {}", has),
                    "leave it out, or fit others with --fit");
      }
    });
    return *brought_;
  }

  static std::shared_ptr<const ImageNetwork> load_brought(const std::string& models) {
    static SharedWeights<ImageNetwork> known;
    return known.take(find_own_weights(models, own_weights), [](const std::filesystem::path& file) {
      const ResolvedProtection loaded = load_protection(file, name);
      return std::make_shared<const ImageNetwork>(std::move(dynamic_cast<FaceReplace&>(*loaded).network_));
    });
  }

  [[nodiscard]] const FaceRegion& region() const { return aligned_ ? aligned_face : whole_face; }

  /// Where a face network looks in what is learned from.
  [[nodiscard]] NetworkFrame net_frame() const {
    const auto edge = static_cast<double>(size_);
    return aligned_ ? frame_of_aligned_crop(edge) : frame_of_whole_image(edge, edge);
  }

  [[nodiscard]] FacePoints points_of(const Image& image) const { return found_ ? finder_.find(image) : usual_points; }

  void require_frame(const Image& image) const {
    if (!aligned_ || image.width == image.height) return;
    throw_input("face-replace:frame=aligned",
                fmt::format("needs a square crop, not {} x {} pixels", image.width, image.height),
                "frame=whole takes the whole image for the face");
  }

  /// What the generator is shown: the image without the cells in which there is anything of the face, these cells, and
  /// the points.
  [[nodiscard]] std::vector<float> shown(const Image& image, const std::vector<bool>& hidden, const FacePoints& points,
                                         std::size_t size) const {
    Image rest = image;
    for (std::size_t i = 0; i < rest.pixels.size(); ++i) {
      if (hidden[i / image.channels]) rest.pixels[i] = 0;
    }
    std::vector<float> all = resized_planes(rest, size, channels);
    centre(all);
    const std::vector<float> cells = cells_of(hidden, image.width, image.height, size);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] *= 1 - cells[i % cells.size()];
    all.insert(all.end(), cells.begin(), cells.end());
    std::ranges::copy(spots(points, size), std::back_inserter(all));
    return all;
  }

  /// Media that cannot be read, are no crops or show no face are passed over.
  [[nodiscard]] Faces faces_of(const Dataset& train, const ProtectContext& context) const {
    const std::vector<bool> failed = context.failed.empty() ? train.failed() : context.failed;
    std::vector<std::size_t> rows(train.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::erase_if(rows, [&](std::size_t row) { return !failed.empty() && failed[row]; });
    const auto most = static_cast<std::size_t>(parameters_.integer("most"));
    if (rows.size() > most) {
      context.randomness.stream("face-replace.rows").shuffle(std::span(rows));
      rows.resize(most);
      std::sort(rows.begin(), rows.end());
    }
    Matrix<float> read(rows.size(), channels * size_ * size_), places(rows.size(), spot_planes * size_ * size_);
    std::vector<char> usable(rows.size(), 0);
    parallel_for(rows.size(), [&](std::size_t i, int) {
      try {
        const Medium medium = train.media->load(rows[i]);
        const auto& image = medium_as<Image>(medium, name);
        require_frame(image);
        std::ranges::copy(spots(points_of(image), size_), places.row(i).begin());
        std::ranges::copy(resized_planes(image, size_, channels), read.row(i).begin());
        centre(read.row(i));
        usable[i] = 1;
      } catch (const Error& error) {
        if (error.fault != Fault::input) throw;
      }
    });
    const auto count = static_cast<std::size_t>(std::count(usable.begin(), usable.end(), 1));
    if (count == 0) throw_input(train.origin, "face-replace finds no image that it could learn from");
    Faces faces{Matrix<float>(count, read.cols()), Matrix<float>(count, places.cols()), {}, {}};
    const std::vector<std::int32_t> people = subject_codes(train);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (usable[i] == 0) continue;
      std::ranges::copy(read.row(i), faces.images.row(faces.people.size()).begin());
      std::ranges::copy(places.row(i), faces.spots.row(faces.people.size()).begin());
      faces.people.push_back(people[rows[i]]);
      if (!context.held_out.empty()) faces.held_out.push_back(context.held_out[rows[i]]);
    }
    if (context.held_out.empty()) {
      faces.held_out = hold_out_subjects(faces.people, parameters_.real("validation"),
                                         context.randomness.stream("face-replace.held-out"));
    }
    return faces;
  }

  Parameters parameters_;
  bool aligned_, found_;
  FacePointFinder finder_;
  std::size_t size_, width_;  ///< of a generator that is fitted
  ImageNetwork network_;
  TrainingReport report_;
  mutable std::once_flag brought_once_;
  mutable std::shared_ptr<const ImageNetwork> brought_;
};

}  // namespace

Entry<Protection> face_replace_protection() {
  const GeneratorOptions defaults;
  Declaration declaration = with_training(
      {.name = name,
       .paper =
           "in the way of Hukkelas, Mester, Lindseth 2019, DeepPrivacy, and Maximov, Elezi, Leal-Taixe 2020, "
           "CIAGAN; the generator is a conditional variational autoencoder against a critic (Larsen et al. 2016, Zhu "
           "et al. 2017)",
       .doc = "the face is cut out, and a generator that sees its surroundings and where eyes, nose and mouth were "
              "paints another one, drawn for each image; what the generator learned comes with it, --fit makes it "
              "learn from people of your own",
       .medium = "image",
       .claim = "of the face that was there five points decide about what is painted, with points=usual nothing; "
                "there is no formal guarantee, least of all for what stays around it",
       .broken_by = "recognisers that learned from such images: hair, ears, neck, clothes and background stay as they "
                    "are, and so do the pose and the edge of the crop",
       .parameters = {{.name = "frame",
                       .type = ParameterType::choice,
                       .default_value = "aligned",
                       .doc = "aligned: the image is a square crop with level eyes at 48 % of its height, a third of "
                              "its width apart; whole: the face fills the image",
                       .choices = {"aligned", "whole"}},
                      {.name = "points",
                       .type = ParameterType::choice,
                       .default_value = "found",
                       .doc = "found: eyes, nose and mouth are looked for, and an image without a face fails; usual: "
                              "where aligned crops have them in the mean, so that nothing of the face matters",
                       .choices = {"found", "usual"}},
                      {"size", ParameterType::integer, "0",
                       "edge of the images that the generator works on, a multiple of 16; 0: 112 with the weights that "
                       "come with it, 64 where it is fitted",
                       0, 256},
                      {"width", ParameterType::integer, "0",
                       "channels of its first stage; further ones have up to eight times as many; 0: 24 with the "
                       "weights that come with it, 8 where it is fitted",
                       0, 256},
                      {"code", ParameterType::integer, std::to_string(defaults.network.code),
                       "random numbers that make a face", 1, 1024},
                      {"divergence", ParameterType::real, fmt::format("{}", defaults.divergence),
                       "what a nat of the code costs in training, in mean absolute differences of values from -1 to "
                       "1; more makes faces more alike, and fits them better into their surroundings",
                       0, 1},
                      {"adversarial", ParameterType::real, fmt::format("{}", defaults.adversarial),
                       "what a nat of a critic counts that tells painted images from others; 0: there is none, and "
                       "faces are blurred",
                       0, 10},
                      {"identity", ParameterType::real, "0",
                       "what it costs in training that a face network takes the painted person for the one who was "
                       "there; takes several times as long on a processor",
                       0, 10},
                      {"models", ParameterType::folder, "", "folder of the weights; empty: where set-up put them"},
                      {"most", ParameterType::integer, "8192", "images at most that it learns from, drawn at random", 1,
                       1 << 20}}},
      defaults.network.training);
  declaration.example = "";  // what comes with it is fast enough
  return {std::move(declaration),
          [](const Parameters& parameters) { return std::make_unique<FaceReplace>(parameters); }};
}

}  // namespace bauta
