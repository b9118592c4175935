#include "bauta/core/secret_key.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <sodium.h>

#include "bauta/core/error.hpp"
#include "bauta/core/input.hpp"

namespace bauta {

SecretKey::SecretKey() {
  if (sodium_init() < 0) throw_environment("libsodium", "could not be initialised");
  auto* memory = static_cast<std::uint8_t*>(sodium_malloc(size));
  if (memory == nullptr)
    throw_environment("libsodium", "no locked memory for a key", "raise the memlock limit (ulimit -l)");
  bytes_ = std::shared_ptr<std::uint8_t[]>(memory, [](std::uint8_t* key) { sodium_free(key); });
}

SecretKey SecretKey::generate() {
  SecretKey key;
  randombytes_buf(key.bytes_.get(), size);
  return key;
}

SecretKey SecretKey::from_seed(std::uint64_t seed, std::string_view purpose) {
  SecretKey key;
  crypto_generichash(key.bytes_.get(), size, reinterpret_cast<const std::uint8_t*>(purpose.data()), purpose.size(),
                     nullptr, 0);
  crypto_generichash(key.bytes_.get(), size, reinterpret_cast<const std::uint8_t*>(&seed), sizeof seed,
                     std::vector<std::uint8_t>(key.bytes_.get(), key.bytes_.get() + size).data(), size);
  return key;
}

SecretKey SecretKey::from_file(const std::string& path) {
  InputFile file(path);
  if (file.open_to_others()) {
    throw_input(path, "this key can be read or changed by others, so it is no secret",
                "chmod 600 it if nobody has read it, else make a new one");
  }
  std::vector<char> content(2 * size + 2);
  std::size_t length = 0;
  while (length < content.size()) {
    const std::size_t got = file.read(content.data() + length, content.size() - length);
    if (got == 0) break;
    length += got;
  }
  SecretKey key;
  bool understood = false;
  if (length == size) {
    std::memcpy(key.bytes_.get(), content.data(), size);
    understood = true;
  } else {
    while (length > 0 && (content[length - 1] == '\n' || content[length - 1] == '\r')) --length;
    std::size_t written = 0;
    understood = length == 2 * size &&
                 sodium_hex2bin(key.bytes_.get(), size, content.data(), length, nullptr, &written, nullptr) == 0 &&
                 written == size;
  }
  sodium_memzero(content.data(), content.size());
  if (!understood) {
    throw_input(
        path, "not a key",
        "a key file holds exactly 32 bytes or 64 hexadecimal digits, e.g. (umask 077; head -c 32 /dev/urandom > key)");
  }
  // Of 32 random bytes 30 differ on average, and fewer than 16 never.
  std::size_t different = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint8_t* const first = key.bytes_.get();
    different += std::find(first, first + i, first[i]) == first + i;
  }
  if (different < 16) {
    throw_input(path, "this key repeats itself, so that it can be guessed; nobody drew it at random",
                "draw one: (umask 077; head -c 32 /dev/urandom > key)");
  }
  return key;
}

SecretKey SecretKey::derive(std::string_view role, std::string_view item) const {
  SecretKey derived;
  derive(role, item, std::span<std::uint8_t, size>(derived.bytes_.get(), size));
  return derived;
}

void SecretKey::derive(std::string_view role, std::string_view item, std::span<std::uint8_t, size> out) const {
  crypto_generichash_state state;
  crypto_generichash_init(&state, bytes_.get(), size, size);
  // Lengths are hashed too, so that ("ab", "c") and ("a", "bc") differ.
  for (const std::string_view part : {role, item}) {
    const std::uint64_t length = part.size();
    crypto_generichash_update(&state, reinterpret_cast<const std::uint8_t*>(&length), sizeof length);
    crypto_generichash_update(&state, reinterpret_cast<const std::uint8_t*>(part.data()), part.size());
  }
  crypto_generichash_final(&state, out.data(), out.size());
  sodium_memzero(&state, sizeof state);
}

}  // namespace bauta
