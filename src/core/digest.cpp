#include "bauta/core/digest.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bauta/core/row_blocks.hpp"

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
  // A digest of digests, so that all threads can work; the blocks depend on the shape alone.
  const std::size_t rows = mebibyte_rows(templates);
  std::vector<std::array<unsigned char, size>> parts((templates.rows() + rows - 1) / rows);
  for_row_blocks(templates, rows, [&](std::size_t first, std::size_t count) {
    Hash part;
    for (std::size_t i = first; i < first + count; ++i) {
      const std::string_view row = templates.row_bytes(i);
      part.add(row.data(), row.size());
    }
    crypto_generichash_final(&part.state_, parts[first / rows].data(), size);
  });
  for (const auto& part : parts) add(part.data(), part.size());
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
