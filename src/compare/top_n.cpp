#include "bauta/compare/top_n.hpp"

#include <algorithm>
#include <limits>

#include "bauta/core/parallel.hpp"
#include "bauta/core/simd.hpp"

namespace bauta {

namespace {

constexpr std::size_t stripe = 64;

// Whether any of the scores reaches the bar. Almost always not, so this loop is the cost of a consumer.
BAUTA_MULTIVERSION bool any_reaches(const float* scores, std::size_t count, float bar) {
  int hits = 0;
  for (std::size_t j = 0; j < count; ++j) hits |= static_cast<int>(scores[j] >= bar);
  return hits != 0;
}

}  // namespace

TopN::TopN(std::size_t n, std::size_t probes, std::size_t references, std::uint64_t seed, ReferenceClasses classes,
           bool exclude_same_row)
    : class_count_(classes.count),
      seed_(seed),
      classes_(std::move(classes.codes)),
      exclude_same_row_(exclude_same_row),
      workers_(static_cast<std::size_t>(threads())) {
  BAUTA_ASSERT(n > 0 && class_count_ > 0 && references <= std::numeric_limits<std::uint32_t>::max());
  BAUTA_ASSERT(classes_.empty() || classes_.size() == references);
  std::vector<std::size_t> sizes(class_count_, classes_.empty() ? references : 0);
  for (const std::int32_t code : classes_) {
    if (code >= 0) ++sizes[static_cast<std::size_t>(code)];
  }
  std::size_t smallest = *std::min_element(sizes.begin(), sizes.end());
  if (exclude_same_row && smallest > 0) --smallest;
  n_ = std::min(n, smallest);
  capacity_ = std::min(std::max<std::size_t>(2 * n_, n_ + 16), *std::max_element(sizes.begin(), sizes.end()));
  results_.resize(probes * class_count_ * n_);
}

bool TopN::better(std::size_t probe, const Neighbour& a, const Neighbour& b) const {
  if (a.score != b.score) return a.score > b.score;
  const auto tie_key = [&](std::uint32_t reference) {
    std::uint64_t z = seed_ + 0x9e3779b97f4a7c15ULL * (probe + 1) + 0xd1b54a32d192ed03ULL * (reference + 1ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  };
  return tie_key(a.reference) < tie_key(b.reference);
}

void TopN::cut(std::vector<Neighbour>& candidates, std::size_t probe) const {
  if (candidates.size() <= n_) return;
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(n_ - 1), candidates.end(),
                   [&](const Neighbour& a, const Neighbour& b) { return better(probe, a, b); });
  candidates.resize(n_);
}

void TopN::consume(const Tile& tile) {
  if (n_ == 0) return;
  auto& reservoirs = workers_[static_cast<std::size_t>(tile.worker)];
  reservoirs.reserve(tile.probes.size() * class_count_);
  while (reservoirs.size() < tile.probes.size() * class_count_) {
    reservoirs.emplace_back().candidates.reserve(capacity_);  // grown one by one they would take twice the room
  }
  const std::size_t width = tile.references.size();
  for (std::size_t i = 0; i < tile.probes.size(); ++i) {
    const std::size_t probe = tile.probes.begin + i;
    const float* scores = tile.scores.row(i).data();
    Reservoir* of_probe = &reservoirs[i * class_count_];
    const auto lowest_bar = [&] {
      float bar = of_probe[0].bar;
      for (std::size_t c = 1; c < class_count_; ++c) bar = std::min(bar, of_probe[c].bar);
      return bar;
    };
    float bar = lowest_bar();
    for (std::size_t begin = 0; begin < width; begin += stripe) {
      const std::size_t count = std::min(stripe, width - begin);
      if (!any_reaches(scores + begin, count, bar)) continue;
      for (std::size_t j = begin; j < begin + count; ++j) {
        if (scores[j] < bar) continue;
        const std::size_t reference = tile.references.begin + j;
        if (exclude_same_row_ && reference == probe) continue;
        const std::int32_t code = classes_.empty() ? 0 : classes_[reference];
        if (code < 0) continue;
        Reservoir& reservoir = of_probe[static_cast<std::size_t>(code)];
        if (scores[j] < reservoir.bar) continue;
        reservoir.candidates.push_back({scores[j], static_cast<std::uint32_t>(reference)});
        if (reservoir.candidates.size() >= capacity_) {
          cut(reservoir.candidates, probe);
          reservoir.bar = reservoir.candidates.back().score;
          bar = lowest_bar();
        }
      }
    }
  }
}

void TopN::finish(RowRange probes, int worker) {
  if (n_ == 0) return;
  auto& reservoirs = workers_[static_cast<std::size_t>(worker)];
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const std::size_t probe = probes.begin + i;
    for (std::size_t c = 0; c < class_count_; ++c) {
      Reservoir& reservoir = reservoirs[i * class_count_ + c];
      keep(probe, reservoir.candidates, c);
      reservoir.candidates.clear();
      reservoir.bar = -std::numeric_limits<float>::infinity();
    }
  }
}

void TopN::keep(std::size_t probe, std::vector<Neighbour>& candidates, std::size_t class_code) {
  cut(candidates, probe);
  std::sort(candidates.begin(), candidates.end(),
            [&](const Neighbour& a, const Neighbour& b) { return better(probe, a, b); });
  std::copy(candidates.begin(), candidates.end(),
            results_.begin() + static_cast<std::ptrdiff_t>((probe * class_count_ + class_code) * n_));
}

std::span<const Neighbour> TopN::best(std::size_t probe, std::size_t class_code) const {
  return {results_.data() + (probe * class_count_ + class_code) * n_, n_};
}

}  // namespace bauta
