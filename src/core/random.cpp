#include "bauta/core/random.hpp"

#include <cmath>
#include <cstring>
#include <numbers>

#include <Random123/philox.h>
#include <sodium.h>

#include "bauta/core/error.hpp"
#include "bauta/core/secret_key.hpp"

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
  if (secret_) {
    // The item is the nonce, the block is the counter: one keystream per item.
    std::array<std::uint8_t, crypto_stream_chacha20_NONCEBYTES> nonce{};
    std::memcpy(nonce.data(), &item_, sizeof item_);
    std::array<std::uint8_t, sizeof(buffer_)> zeros{};
    crypto_stream_chacha20_xor_ic(reinterpret_cast<std::uint8_t*>(buffer_.data()), zeros.data(), zeros.size(),
                                  nonce.data(), block_++, key_.data());
  } else {
    r123::Philox4x32 philox;
    r123::Philox4x32::key_type key{};
    std::memcpy(&key, key_.data(), sizeof key);
    for (std::size_t i = 0; i < buffer_.size(); i += 4) {
      r123::Philox4x32::ctr_type counter{};
      const std::array<std::uint64_t, 2> position{block_++, item_};
      std::memcpy(&counter, position.data(), sizeof counter);
      const auto values = philox(counter, key);
      for (std::size_t j = 0; j < 4; ++j) buffer_[i + j] = values[j];
    }
  }
  used_ = 0;
}

double Stream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

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
