#include "bauta/core/secret_key.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <vector>

#include <sodium.h>

#include "bauta/core/error.hpp"
#include "bauta/core/input.hpp"

namespace bauta {

namespace {

namespace fs = std::filesystem;

using Bytes = std::span<const std::uint8_t>;

/// Whoever may rename in a folder can put another key in the place of this one.
void require_own_place(const std::string& path) {
  std::error_code failure;
  for (fs::path folder = fs::canonical(path, failure).parent_path(); !failure && !folder.empty();
       folder = folder.parent_path()) {
    const fs::perms mode = fs::status(folder, failure).permissions();
    const bool open = (mode & fs::perms::others_write) != fs::perms::none;
    if (!failure && open && (mode & fs::perms::sticky_bit) == fs::perms::none) {
      throw_input(path, "this key can be replaced by others: anybody may write into " + folder.string(),
                  "chmod o-w that folder, and make a new key");
    }
    if (folder == folder.parent_path()) break;
  }
}

std::size_t distinct(Bytes bytes) {
  std::size_t count = 0;
  for (auto at = bytes.begin(); at != bytes.end(); ++at) count += std::find(bytes.begin(), at, *at) == at;
  return count;
}

/// Whether it begins anew before its end.
bool comes_again(Bytes bytes) {
  for (std::size_t period = 1; period <= bytes.size() / 2; ++period) {
    if (std::equal(bytes.begin() + static_cast<std::ptrdiff_t>(period), bytes.end(), bytes.begin())) return true;
  }
  return false;
}

/// UTF-8 without control characters but blanks, as passphrases are. Of random keys one in 10^11 is.
bool is_text(Bytes bytes) {
  std::size_t following = 0;
  for (const std::uint8_t byte : bytes) {
    if (following > 0) {
      if ((byte & 0xc0) != 0x80) return false;
      --following;
    } else if (byte >= 0xc2 && byte < 0xf5) {
      following = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    } else if (byte >= 0x7f || (byte < 0x20 && (byte < '\t' || byte > '\r'))) {
      return false;
    }
  }
  return true;
}

/// Of 32 random bytes 30 differ on average, and fewer than 16 never; nor do fewer of the steps between them.
bool repeats(Bytes key, Bytes digits) {
  std::array<std::uint8_t, SecretKey::size> steps{};
  std::adjacent_difference(key.begin(), key.end(), steps.begin());
  const bool few = distinct(key) < 16 || distinct(steps) < 16;
  sodium_memzero(steps.data(), steps.size());
  return few || comes_again(key) || comes_again(digits);
}

}  // namespace

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
  require_own_place(path);
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
  const Bytes digits(reinterpret_cast<const std::uint8_t*>(content.data()), length);  // or the 32 bytes themselves
  const Bytes bytes(key.bytes_.get(), size);
  const bool repeated = understood && repeats(bytes, digits);
  const auto is_decimal = [](std::uint8_t digit) { return digit >= '0' && digit <= '9'; };
  const bool spoken = understood && (is_text(bytes) || std::ranges::all_of(digits, is_decimal));
  sodium_memzero(content.data(), content.size());
  if (!understood) {
    throw_input(
        path, "not a key",
        "a key file holds exactly 32 bytes or 64 hexadecimal digits, e.g. (umask 077; head -c 32 /dev/urandom > key)");
  }
  constexpr const char* draw_one = "draw one: (umask 077; head -c 32 /dev/urandom > key)";
  if (repeated) {
    throw_input(path, "this key repeats itself, so that it can be guessed; nobody drew it at random", draw_one);
  }
  if (spoken) {
    throw_input(path, "this is a passphrase or a number and no key: whatever people think of can be found by trying",
                draw_one);
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
