#include "bauta/core/digest.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bauta/core/error.hpp"
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

std::string digest(const std::map<std::string, std::string>& parts) {
  Hash hash;
  for (const auto& [name, part] : parts) {
    hash.add(name);
    hash.add(part);
  }
  return hash.hex();
}

std::string file_digest(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code error;
  const std::uint64_t length = std::filesystem::file_size(file, error);
  if (!stream || error) throw_input(file.string(), "cannot be read");
  Hash hash;
  hash.add(&length, sizeof length);
  std::vector<char> piece(1 << 20);
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())) || stream.gcount() > 0) {
    hash.add(piece.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) throw_input(file.string(), "cannot be read to its end");
  return hash.hex();
}

}  // namespace bauta
