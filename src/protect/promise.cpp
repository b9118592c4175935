#include "bauta/protect/promise.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"

namespace bauta {

std::string to_text(Guarantee::Kind kind) {
  switch (kind) {
    case Guarantee::Kind::none:
      return "none";
    case Guarantee::Kind::differential_privacy:
      return "differential privacy";
    case Guarantee::Kind::k_anonymity:
      return "k-anonymity";
  }
  return {};
}

std::string to_text(const Guarantee& guarantee) {
  const std::string& remark = guarantee.remark;
  switch (guarantee.kind) {
    case Guarantee::Kind::none:
      return "no formal guarantee" + (remark.empty() ? std::string() : ": " + remark);
    case Guarantee::Kind::differential_privacy:
      return fmt::format("epsilon = {:.6g}, delta = {:.6g} for images that differ in {}{}; several of a person add up",
                         guarantee.epsilon, guarantee.delta,
                         guarantee.pixels == 1 ? "one pixel" : fmt::format("at most {} pixels", guarantee.pixels),
                         remark.empty() ? std::string() : " (" + remark + ")");
    case Guarantee::Kind::k_anonymity:
      return fmt::format("k-anonymity, k = {0}: a masked image names the right person in one case of {0} at best{1}",
                         guarantee.k, remark.empty() ? std::string() : " (" + remark + ")");
  }
  return {};
}

Guarantee weaker(const Guarantee& a, const Guarantee& b) {
  if (a.kind == Guarantee::Kind::none || b.kind == Guarantee::Kind::none) {
    return a.kind == Guarantee::Kind::none ? a : b;
  }
  BAUTA_ASSERT(a.kind == b.kind);
  Guarantee both = b.epsilon > a.epsilon ? b : a;  // with the remark about that epsilon
  both.delta = std::max(a.delta, b.delta);
  both.pixels = std::min(a.pixels, b.pixels);
  both.k = std::min(a.k, b.k);
  return both;
}

std::set<ImageShape> image_shapes(const Dataset& dataset) {
  if (!dataset.media) return {};
  std::vector<std::optional<ImageShape>> shapes(dataset.size());
  parallel_for(shapes.size(), [&](std::size_t row, int) {
    try {
      shapes[row] = dataset.media->image_shape(row);
    } catch (const Error& error) {
      if (error.fault != Fault::input) throw;
    }
  });
  std::set<ImageShape> found;
  for (const auto& shape : shapes) {
    if (shape) found.insert(*shape);
  }
  return found;
}

Promise promise_of(const ResolvedProtection& protection, const std::set<ImageShape>& shapes) {
  if (protection.declaration->medium != "image") return {protection->guarantee({}), {}};
  Promise promise;
  for (const ImageShape& shape : shapes) {
    const Guarantee own = protection->guarantee(shape);
    promise.guarantee = shape == *shapes.begin() ? own : weaker(promise.guarantee, own);
    for (const auto& [name, pixels] : protection->in_pixels(shape)) {
      const auto [range, first] = promise.in_pixels.emplace(name, Range{pixels, pixels});
      range->second = {std::min(range->second.low, pixels), std::max(range->second.high, pixels)};
    }
  }
  return promise;
}

Promise promise_on(const ResolvedProtection& protection, const Dataset& dataset) {
  const bool looks = protection.declaration->medium == "image";
  return promise_of(protection, looks ? image_shapes(dataset) : std::set<ImageShape>());
}

std::string to_text(const std::map<std::string, Range>& in_pixels) {
  std::vector<std::string> parts;
  for (const auto& [name, range] : in_pixels) {
    parts.push_back(range.low == range.high ? fmt::format("{} = {}", name, range.low)
                                            : fmt::format("{} = {} to {}", name, range.low, range.high));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void record_promise(const Promise& promise, const Randomness& randomness, Provenance& provenance) {
  auto& properties = provenance.properties;
  // What comes after a guarantee cannot take it away; who knows the seed of its noise still can.
  for (const std::string name : {"guarantee", "noise_source"}) {
    const auto last = properties.find(name);
    if (last == properties.end()) continue;
    std::string& before = properties[name + "_before"];
    before += (before.empty() ? "" : "; then ") + last->second;
  }
  for (const char* name : {"in_pixels", "noise_source"}) properties.erase(name);
  properties["guarantee"] = to_text(promise.guarantee);
  if (!promise.in_pixels.empty()) properties["in_pixels"] = to_text(promise.in_pixels);
  if (promise.guarantee.kind == Guarantee::Kind::differential_privacy) {
    properties["noise_source"] = randomness.reproducible() ? "seed" : "operating system";
  }
}

}  // namespace bauta
