#include "bauta/core/random.hpp"

#include <algorithm>
#include <cstring>

#include <sodium.h>

#include "bauta/core/error.hpp"
#include "bauta/core/secret_key.hpp"
#include "random_batch.hpp"

namespace bauta {

namespace {

// FNV-1a, then the finaliser of SplitMix64: purposes that differ in one letter get unrelated keys.
std::uint64_t mix(std::uint64_t seed, std::string_view purpose) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char letter : purpose) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  std::uint64_t z = hash + seed * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Stream::Stream(std::uint64_t seed, std::string_view purpose, std::uint64_t item) : item_(item) {
  const std::uint64_t key = mix(seed, purpose);
  std::memcpy(key_.data(), &key, sizeof key);
}

Stream::Stream(const SecretKey& key, std::string_view purpose, std::uint64_t item) : item_(item), secret_(true) {
  key.derive("stream", purpose, key_);
}

Stream::~Stream() {
  if (secret_) sodium_memzero(key_.data(), key_.size());
}

void Stream::refill() {
  generate(buffer_);
  used_ = 0;
}

/// Whole blocks of 16 words: one of ChaCha20, or four counters of Philox.
void Stream::generate(std::span<std::uint32_t> words) {
  const std::size_t blocks = words.size() / 16;
  if (secret_) {
    // The item is the nonce, the block is the counter: one keystream per item.
    std::array<std::uint8_t, crypto_stream_chacha20_NONCEBYTES> nonce{};
    std::memcpy(nonce.data(), &item_, sizeof item_);
    std::fill(words.begin(), words.end(), 0);
    auto* bytes = reinterpret_cast<std::uint8_t*>(words.data());
    crypto_stream_chacha20_xor_ic(bytes, bytes, words.size_bytes(), nonce.data(), block_, key_.data());
    block_ += blocks;
  } else {
    std::array<std::uint32_t, 2> key{};
    std::memcpy(key.data(), key_.data(), sizeof key);
    philox_words(key, block_, item_, 4 * blocks, words.data());
    block_ += 4 * blocks;
  }
}

void Stream::fill(std::span<std::uint32_t> words) {
  const auto take = [&](std::size_t count) {
    std::memcpy(words.data(), buffer_.data() + used_, count * sizeof(std::uint32_t));
    used_ += count;
    words = words.subspan(count);
  };
  take(std::min(words.size(), buffer_.size() - used_));
  const std::size_t whole = words.size() / buffer_.size() * buffer_.size();
  if (whole > 0) {
    generate(words.first(whole));
    words = words.subspan(whole);
  }
  if (words.empty()) return;
  refill();
  take(words.size());
}

void Stream::refill_normals() {
  static_assert(normal_batch == std::tuple_size_v<decltype(normals_)>);
  std::array<std::uint32_t, 2 * normal_batch> words;
  fill(words);
  normals_from_words(words.data(), 1, normals_.data());
  normals_used_ = 0;
}

template <class T>
void Stream::draw_normals(std::span<T> out) {
  const auto take = [&](std::span<const double> from) {
    for (std::size_t i = 0; i < from.size(); ++i) out[i] = static_cast<T>(from[i]);
    out = out.subspan(from.size());
  };
  const auto take_kept = [&] {
    const std::size_t count = std::min(out.size(), normals_.size() - normals_used_);
    take(std::span<const double>(normals_).subspan(normals_used_, count));
    normals_used_ += count;
  };
  take_kept();
  // So many batches at a time that words and normals stay in the cache.
  constexpr std::size_t most = 16;
  std::array<std::uint32_t, 2 * most * normal_batch> words;
  std::array<double, most * normal_batch> drawn;
  while (out.size() >= normal_batch) {
    const std::size_t batches = std::min(most, out.size() / normal_batch);
    fill(std::span(words).first(2 * batches * normal_batch));
    normals_from_words(words.data(), batches, drawn.data());
    take(std::span<const double>(drawn).first(batches * normal_batch));
  }
  if (out.empty()) return;
  refill_normals();
  take_kept();
}

template void Stream::draw_normals(std::span<double> out);
template void Stream::draw_normals(std::span<float> out);

std::uint64_t Stream::below(std::uint64_t bound) {
  BAUTA_ASSERT(bound > 0);
  // Lemire's multiplication method: the low half is rejected where it would make some results likelier than others.
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next64()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<Wide>(next64()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

Randomness Randomness::seeded(std::uint64_t seed, std::string_view salt) {
  Randomness result;
  result.seed_ = seed;
  result.salted_seed_ = salt.empty() ? seed : mix(seed, salt);
  return result;
}

Randomness Randomness::operating_system() {
  Randomness result;
  result.key_ = std::make_shared<const SecretKey>(SecretKey::generate());
  return result;
}

Stream Randomness::stream(std::string_view purpose, std::uint64_t item) const {
  return key_ ? Stream(*key_, purpose, item) : Stream(salted_seed_, purpose, item);
}

SecretKey Randomness::key(std::string_view purpose) const {
  return key_ ? key_->derive("key", purpose) : SecretKey::from_seed(seed_, purpose);
}

}  // namespace bauta
