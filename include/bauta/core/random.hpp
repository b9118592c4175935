// Random streams named by (seed, purpose, item): every consumer has its own, so results do not depend on who draws
// first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace bauta {

class SecretKey;

class Stream {
 public:
  /// Counter-based (Philox 4x32-10): fast and reproducible, not secret.
  Stream(std::uint64_t seed, std::string_view purpose, std::uint64_t item = 0);
  /// ChaCha20 under a key derived from `key`, for what must not be guessed.
  Stream(const SecretKey& key, std::string_view purpose, std::uint64_t item = 0);
  ~Stream();
  Stream(const Stream&) = default;
  Stream& operator=(const Stream&) = default;

  std::uint32_t next32() {
    if (used_ == buffer_.size()) refill();
    return buffer_[used_++];
  }
  std::uint64_t next64() {
    const std::uint64_t low = next32();
    return low | (static_cast<std::uint64_t>(next32()) << 32);
  }
  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next64() >> 11) * 0x1.0p-53; }
  /// Standard normal (Box-Muller). One at a time or many at once, the sequence is the same; many at once are ten times
  /// as fast.
  double normal() {
    if (normals_used_ == normals_.size()) refill_normals();
    return normals_[normals_used_++];
  }
  void normals(std::span<double> out) { draw_normals(out); }
  void normals(std::span<float> out) { draw_normals(out); }
  /// Uniform in 0..bound-1 without bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);

  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }
  std::vector<std::size_t> permutation(std::size_t n) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    shuffle(std::span(order));
    return order;
  }

 private:
  void refill();
  void refill_normals();
  /// The next words, past the buffer where there are many.
  void fill(std::span<std::uint32_t> words);
  void generate(std::span<std::uint32_t> words);
  template <class T>
  void draw_normals(std::span<T> out);

  std::array<std::uint32_t, 64> buffer_{};
  std::size_t used_ = 64;
  std::uint64_t block_ = 0;
  std::uint64_t item_ = 0;
  std::array<std::uint8_t, 32> key_{};  // Philox uses the first 8 bytes
  bool secret_ = false;
  std::array<double, 16> normals_{};
  std::size_t normals_used_ = 16;
};

/// Where a protection draws from: a seed for experiments, the operating system for data that leaves the house.
class Randomness {
 public:
  /// `salt` (a digest of the data) keeps two data sets under one seed from sharing draws; keys do not depend on it.
  static Randomness seeded(std::uint64_t seed, std::string_view salt = {});
  static Randomness operating_system();

  [[nodiscard]] Stream stream(std::string_view purpose, std::uint64_t item = 0) const;
  /// A key for keyed protections, the same for the same purpose: derived from the seed or from what the system gave.
  [[nodiscard]] SecretKey key(std::string_view purpose) const;
  [[nodiscard]] bool reproducible() const { return key_ == nullptr; }

 private:
  std::uint64_t seed_ = 0;
  std::uint64_t salted_seed_ = 0;
  std::shared_ptr<const SecretKey> key_;
};

}  // namespace bauta
