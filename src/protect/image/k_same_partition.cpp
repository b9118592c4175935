#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/simd.hpp"
#include "k_same.hpp"

namespace bauta {
namespace {

using Members = std::vector<std::size_t>;
using Distance = std::function<double(std::size_t, std::size_t)>;

constexpr std::size_t together = 64;  // distances that one thread computes

/// While there are 2k and more: the next one and the k - 1 that are closest to it, earlier ones first where they are
/// equally close. The rest, k to 2k - 1, are the last group.
std::vector<Members> groups_of(Members left, std::size_t k, const Distance& distance) {
  BAUTA_ASSERT(left.size() >= k);
  std::vector<Members> groups;
  while (left.size() >= 2 * k) {
    std::vector<double> away(left.size());
    parallel_for((left.size() + together - 1) / together, [&](std::size_t task, int) {
      for (std::size_t i = task * together; i < std::min((task + 1) * together, left.size()); ++i) {
        away[i] = i == 0 ? -1 : distance(left[0], left[i]);
      }
    });
    std::vector<std::size_t> order(left.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return away[a] < away[b]; });
    Members& group = groups.emplace_back();
    for (std::size_t i = 0; i < k; ++i) group.push_back(left[order[i]]);
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(k), order.end());
    Members rest;
    for (std::size_t i = k; i < order.size(); ++i) rest.push_back(left[order[i]]);
    left = std::move(rest);
  }
  groups.push_back(std::move(left));
  return groups;
}

BAUTA_MULTIVERSION std::uint32_t squared_distance(const std::uint8_t* a, const std::uint8_t* b, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::int32_t step = std::int32_t{a[i]} - b[i];
    sum += static_cast<std::uint32_t>(step * step);
  }
  return sum;
}

double pixel_distance(const Gallery& gallery, std::size_t a, std::size_t b) {
  constexpr std::size_t chunk = 65536;  // 255^2 times this is less than 2^32
  double sum = 0;
  for (std::size_t from = 0; from < gallery.pixels.cols(); from += chunk) {
    sum += squared_distance(gallery.pixels.row(a).data() + from, gallery.pixels.row(b).data() + from,
                            std::min(chunk, gallery.pixels.cols() - from));
  }
  return sum;
}

class Partition : public ImageProtection {
 public:
  Partition(const KSameOptions& options, const Dataset& whole, const ProtectContext& context)
      : ImageProtection(options.technique), image_of_(whole.size(), nowhere) {
    Members rows;
    for (std::size_t row = 0; row < whole.size(); ++row) {
      if (context.failed.empty() || !context.failed[row]) rows.push_back(row);
    }
    const Gallery gallery = gallery_of(whole, rows, options.technique);
    shape_ = gallery.shape;
    const std::vector<std::string> classes = classes_of(whole, options);
    std::map<std::string, std::map<std::string, Members>> people;  // images of each, by class and name
    for (std::size_t i = 0; i < gallery.size(); ++i) {
      const std::size_t row = gallery.rows[i];
      if (!options.by.empty() && classes[row].empty()) continue;  // fails when it is masked
      const bool named = !context.subjects.empty() && !context.subjects[row].empty();
      people[classes[row]][named ? context.subjects[row] : fmt::format("\n{}", row)].push_back(i);
    }
    check(options, whole, gallery, people);
    Stream stream = context.randomness.stream("k-same.partition");
    if (options.eigen) space_ = FaceSpace::learn(gallery, options.components, false, stream);
    for (const auto& [name, members] : people) share_out(options, gallery, members, stream);
  }

 protected:
  [[nodiscard]] Image masked(const Image& image, std::size_t sample, const ProtectContext&) const override {
    if (image_of_[sample] != nowhere) return images_[image_of_[sample]];
    require_size(shape_, image, technique());
    throw_input(technique(), "the sample is in no group: its class is not known");
  }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  static void check(const KSameOptions& options, const Dataset& whole, const Gallery& gallery,
                    const std::map<std::string, std::map<std::string, Members>>& people) {
    std::size_t repeated = 0;
    for (const auto& [name, members] : people) {
      if (members.size() < options.k) {
        const std::string left_out = gallery.left_out();
        throw_input(whole.origin,
                    fmt::format("{} people{} cannot stand in groups of k={}{}{}", members.size(),
                                options.by.empty() ? "" : fmt::format(" with {} '{}'", options.by, name), options.k,
                                left_out.empty() ? "" : "; ", left_out),
                    left_out.empty() ? "choose a smaller k, or add people"
                                     : "cut all faces to one size and align them, or choose a smaller k");
      }
      for (const auto& [person, images] : members) repeated += images.size() > 1;
    }
    if (repeated == 0) return;
    if (!options.several) {
      throw_input(
          whole.origin,
          fmt::format("{} people have several images, and k-Same promises something of one image each", repeated),
          "keep one image of each, choose form=background, or give the promise up with several=galleries");
    }
    warn(
        fmt::format("{}: {} people have several images. Each of them hides among k people, but whoever sees several "
                    "of one person finds out who is in all of their groups",
                    options.technique, repeated));
  }

  /// Everybody's i-th image forms a gallery of its own, from which their i-th image is masked; whoever has fewer stands
  /// there with one that was there before.
  void share_out(const KSameOptions& options, const Gallery& gallery, const std::map<std::string, Members>& people,
                 Stream& stream) {
    std::size_t most = 0;
    for (const auto& [name, images] : people) most = std::max(most, images.size());
    std::vector<std::vector<float>> coordinates(gallery.size());
    if (options.eigen) {
      parallel_for(gallery.size(), [&](std::size_t i, int) { coordinates[i] = space_.project(gallery.pixels.row(i)); });
    }
    const Distance distance = [&](std::size_t a, std::size_t b) {
      if (!options.eigen) return pixel_distance(gallery, a, b);
      double sum = 0;
      for (std::size_t j = 0; j < coordinates[a].size(); ++j) {
        const double step = double{coordinates[a][j]} - coordinates[b][j];
        sum += step * step;
      }
      return sum;
    };
    for (std::size_t turn = 0; turn < most; ++turn) {
      Members members;
      std::vector<bool> shown(gallery.size(), false);
      for (const auto& [name, images] : people) {
        members.push_back(images[turn % images.size()]);
        shown[members.back()] = turn < images.size();
      }
      stream.shuffle(std::span(members));
      for (const Members& group : groups_of(std::move(members), options.k, distance)) {
        if (std::ranges::none_of(group, [&](std::size_t i) { return shown[i]; })) continue;
        images_.push_back(mean_of(options, gallery, coordinates, group));
        for (const std::size_t i : group) {
          if (shown[i]) image_of_[gallery.rows[i]] = images_.size() - 1;
        }
      }
    }
  }

  [[nodiscard]] Image mean_of(const KSameOptions& options, const Gallery& gallery,
                              const std::vector<std::vector<float>>& coordinates, const Members& group) const {
    if (options.eigen) {
      std::vector<float> mean(space_.dimension(), 0);
      for (std::size_t j = 0; j < mean.size(); ++j) {
        double sum = 0;
        for (const std::size_t i : group) sum += coordinates[i][j];
        mean[j] = static_cast<float>(sum / static_cast<double>(group.size()));
      }
      return space_.image(gallery.shape, mean);
    }
    std::vector<std::uint32_t> sum(gallery.pixels.cols(), 0);
    for (const std::size_t i : group) {
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += gallery.pixels(i, j);
    }
    return mean_image(gallery.shape, sum, group.size());
  }

  Image shape_;  // of whatever is in a group
  FaceSpace space_;
  std::vector<Image> images_;          // one for each group
  std::vector<std::size_t> image_of_;  // of each sample
};

}  // namespace

std::unique_ptr<const Protection> partitioned(const KSameOptions& options, const Dataset& whole,
                                              const ProtectContext& context) {
  return std::make_unique<Partition>(options, whole, context);
}

}  // namespace bauta
