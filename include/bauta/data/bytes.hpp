// Numbers inside byte buffers, in either byte order and at any alignment.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace bauta {

/// How a file orders the bytes of a number.
enum class ByteOrder { little, big };

inline constexpr ByteOrder native_order =
    std::endian::native == std::endian::little ? ByteOrder::little : ByteOrder::big;

inline std::uint8_t byte_swap(std::uint8_t value) {
  return value;
}
inline std::uint16_t byte_swap(std::uint16_t value) {
  return __builtin_bswap16(value);
}
inline std::uint32_t byte_swap(std::uint32_t value) {
  return __builtin_bswap32(value);
}
inline std::uint64_t byte_swap(std::uint64_t value) {
  return __builtin_bswap64(value);
}

/// Reads an unsigned number of sizeof(T) bytes; the caller has checked that they are there.
template <class T>
T load(const std::uint8_t* from, ByteOrder order = ByteOrder::little) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return order == native_order ? value : byte_swap(value);
}

template <class T>
void store(std::uint8_t* to, T value, ByteOrder order = ByteOrder::little) {
  if (order != native_order) value = byte_swap(value);
  std::memcpy(to, &value, sizeof value);
}

}  // namespace bauta
