#include "bauta/core/digest.hpp"

#include <array>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bauta {

Hash::Hash() {
  crypto_generichash_init(&state_, nullptr, 0, size);
}

void Hash::add(const void* data, std::size_t bytes) {
  crypto_generichash_update(&state_, static_cast<const unsigned char*>(data), bytes);
}

void Hash::add(std::string_view text) {
  const std::uint64_t length = text.size();
  add(&length, sizeof length);
  add(text.data(), text.size());
}

void Hash::add(const Templates& templates) {
  const std::array<std::uint64_t, 3> shape = {static_cast<std::uint64_t>(templates.kind()), templates.rows(),
                                              templates.cols()};
  add(shape.data(), sizeof shape);
  for (std::size_t i = 0; i < templates.rows(); ++i) {
    const std::string_view row = templates.row_bytes(i);
    add(row.data(), row.size());
  }
}

std::string Hash::hex() {
  std::array<unsigned char, size> out{};
  crypto_generichash_final(&state_, out.data(), out.size());
  return fmt::format("{:02x}", fmt::join(out, ""));
}

std::string digest(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.hex();
}

}  // namespace bauta
