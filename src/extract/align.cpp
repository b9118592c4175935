#include "bauta/extract/align.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/data/image_cut.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/provenance_file.hpp"
#include "eyes.hpp"
#include "face_module.hpp"
#include "weights.hpp"

namespace bauta {

ImageCut level_eyes(const Point& left, const Point& right, std::size_t side) {
  const double edge = static_cast<double>(side);
  // In the square the eyes are a third of its width apart, the left one a third of the way.
  const double apart = edge / 3;
  ImageCut cut{.across = (right.x - left.x) / apart, .down = (right.y - left.y) / apart};
  // Landmarks count from the middle of a pixel, a cut from its edge.
  const double x = edge / 3, y = 0.48 * edge;
  cut.left = left.x + 0.5 - (x * cut.across - y * cut.down);
  cut.top = left.y + 0.5 - (x * cut.down + y * cut.across);
  return cut;
}

Eyes eyes_of(const std::vector<Point>& landmarks) {
  BAUTA_ASSERT(landmarks.size() == 5);
  const auto middle = [&](std::size_t i) {
    return Point{(landmarks[i].x + landmarks[i + 1].x) / 2, (landmarks[i].y + landmarks[i + 1].y) / 2};
  };
  const Point one = middle(0), other = middle(2);
  return one.x < other.x ? Eyes{one, other} : Eyes{other, one};
}

namespace {

class Aligner {
 public:
  explicit Aligner(const AlignOptions& options)
      : options_(options),
        landmarks_(face_module().load_landmarks(find_weights(options.models, "shape_predictor_5_face_landmarks.dat"))) {
  }

  [[nodiscard]] Image operator()(const Medium& medium) const {
    const auto& image = medium_as<Image>(medium, "align");
    const std::optional<Box> face = face_module().largest_face(image, options_.upsample);
    if (!face) throw_input("align", "no face was found");
    const auto [left, right] = eyes_of(landmarks_->find_fine(image, *face));
    if (std::hypot(right.x - left.x, right.y - left.y) < 1) throw_input("align", "the eyes could not be told apart");
    return cut_square(image, level_eyes(left, right, options_.size), options_.size);
  }

 private:
  AlignOptions options_;
  std::unique_ptr<Landmarks> landmarks_;
};

AlignedFolder align_to_folder(const Dataset& media, const AlignOptions& options, const std::filesystem::path& folder) {
  if (media.media == nullptr) throw_usage(media.origin, "holds templates, and faces are found in images");
  const Aligner align(options);
  const std::vector<bool> marked = media.failed();
  AlignedFolder result{std::vector<std::string>(media.size()), std::vector<std::string>(media.size())};
  Progress progress("align", media.size(), "images");
  parallel_for(media.size(), [&](std::size_t row, int) {
    try {
      if (marked[row]) throw_input(media.origin, "marked in the data");
      const Medium aligned = align(media.media->load(row));
      const std::string name = stored_name(row, aligned);
      write_medium(folder / name, aligned);
      result.files[row] = name;
    } catch (const Error& error) {
      if (error.fault != Fault::input) throw;
      result.reasons[row] = error.finding;
    }
    progress.add(1);
  });
  result.failures = static_cast<std::size_t>(std::count(result.files.begin(), result.files.end(), ""));
  if (result.failures == media.size()) {
    throw_input(media.origin, fmt::format("none of {} images could be aligned", media.size()),
                fmt::format("the first: {}", result.reasons.front()));
  }
  return result;
}

}  // namespace

AlignedFolder write_aligned(const Dataset& media, const AlignOptions& options, const std::filesystem::path& folder) {
  AlignedFolder result = align_to_folder(media, options, folder);
  LabelTable labels = media.labels;
  labels.set_column("file", result.files);
  std::vector<std::string> failed;
  for (const std::string& file : result.files) failed.emplace_back(file.empty() ? "1" : "0");
  if (labels.has("failed") || result.failures > 0) labels.set_column("failed", std::move(failed));
  write_description(folder, {media.provenance, {}}, labels);
  return result;
}

}  // namespace bauta
