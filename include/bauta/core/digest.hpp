// Digests that name contents: data, parameters, fitted models.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <sodium.h>

#include "bauta/core/templates.hpp"

namespace bauta {

/// BLAKE2b over parts that are added one by one.
class Hash {
 public:
  Hash();
  void add(const void* data, std::size_t bytes);
  /// With its length, so that ("ab", "c") and ("a", "bc") differ.
  void add(std::string_view text);
  void add(const Templates& templates);
  /// 32 hexadecimal digits; the last call.
  [[nodiscard]] std::string hex();

 private:
  static constexpr std::size_t size = 16;
  crypto_generichash_state state_{};
};

/// Of bytes: 32 hexadecimal digits.
std::string digest(std::string_view bytes);

/// Of named parts, given by their digests.
std::string digest(const std::map<std::string, std::string>& parts);

/// Of the bytes of a file, which may be larger than memory.
std::string file_digest(const std::filesystem::path& file);

}  // namespace bauta
