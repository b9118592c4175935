// Secret keys: locked memory, wiped on destruction, never printed and never written into results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bauta {

class SecretKey {
 public:
  static constexpr std::size_t size = 32;

  /// 32 bytes from the operating system.
  static SecretKey generate();
  /// Reproducible key for experiments; protects nothing outside of one.
  static SecretKey from_seed(std::uint64_t seed, std::string_view purpose);
  /// A file of exactly 32 bytes, or of 64 hexadecimal digits. An input error where others may read or replace it, and
  /// for what nobody drew at random: text, decimal digits, patterns.
  static SecretKey from_file(const std::string& path);

  /// An independent key for a role and an item (user, application, index).
  [[nodiscard]] SecretKey derive(std::string_view role, std::string_view item) const;
  /// The same into memory of the caller, who wipes it: a stream per sample cannot afford guarded pages.
  void derive(std::string_view role, std::string_view item, std::span<std::uint8_t, size> out) const;
  [[nodiscard]] const std::uint8_t* bytes() const { return bytes_.get(); }

 private:
  SecretKey();
  std::shared_ptr<std::uint8_t[]> bytes_;  // sodium_malloc: guarded, locked, wiped by sodium_free
};

}  // namespace bauta
