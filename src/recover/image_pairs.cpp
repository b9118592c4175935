#include "image_pairs.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"

namespace bauta {

namespace {

constexpr std::size_t rows_at_a_time = 64;

struct Pair {
  Image clear, masked;
};

std::optional<Pair> load_pair(const Knowledge& knowledge, std::size_t row, const std::string& recovery) {
  try {
    const Medium clear = knowledge.clear->media->load(row), masked = knowledge.protected_clear->media->load(row);
    Pair pair{medium_as<Image>(clear, recovery), medium_as<Image>(masked, recovery)};
    if (pair.clear.width != pair.masked.width || pair.clear.height != pair.masked.height ||
        pair.clear.channels != pair.masked.channels) {
      return std::nullopt;
    }
    return pair;
  } catch (const Error& error) {
    if (error.fault != Fault::input) throw;
    return std::nullopt;
  }
}

}  // namespace

ImagePairs::ImagePairs(std::string recovery, const Knowledge& knowledge)
    : recovery_(std::move(recovery)), knowledge_(knowledge) {
  if (knowledge.clear != nullptr && knowledge.protected_clear != nullptr && knowledge.clear->size() > 0) return;
  throw_usage(recovery_, "learns from pairs of images", "name them with --clear and --protected");
}

std::size_t ImagePairs::size() const {
  return knowledge_.clear->size();
}

std::vector<ImageShape> ImagePairs::shapes() const {
  std::vector<ImageShape> shapes;
  each([&](const Image& clear, const Image&) { shapes.push_back({clear.width, clear.height, clear.channels}); });
  return shapes;
}

void ImagePairs::each(const std::function<void(const Image& clear, const Image& masked)>& take) const {
  std::vector<std::size_t> rows(size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  each(rows, [&](std::size_t, const Image& clear, const Image& masked) { take(clear, masked); });
}

void ImagePairs::each(const std::vector<std::size_t>& rows,
                      const std::function<void(std::size_t row, const Image& clear, const Image& masked)>& take) const {
  std::size_t taken = 0;
  for (std::size_t first = 0; first < rows.size(); first += rows_at_a_time) {
    std::vector<std::optional<Pair>> pairs(std::min(rows_at_a_time, rows.size() - first));
    parallel_for(pairs.size(),
                 [&](std::size_t i, int) { pairs[i] = load_pair(knowledge_, rows[first + i], recovery_); });
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!pairs[i]) continue;
      take(rows[first + i], pairs[i]->clear, pairs[i]->masked);
      ++taken;
    }
  }
  if (taken > 0) return;
  throw_input(knowledge_.clear->origin + " and " + knowledge_.protected_clear->origin,
              "no image can be read in both, and is of the same size in both");
}

}  // namespace bauta
