// What the program and the process that runs a user's network say to each other: numbers, texts and arrays, one after
// the other, as they lie in memory. Neither side trusts the sizes that the other names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/data/medium.hpp"

namespace bauta {

class MessageWriter {
 public:
  void number(std::uint64_t value) { append(&value, sizeof value); }
  void real(double value) { append(&value, sizeof value); }
  void text(std::string_view value);
  void floats(std::span<const float> values);
  void medium(const Medium& value);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  std::string bytes_;
};

/// Throws an input error where the message is shorter than it says.
class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number();
  double real();
  std::string text();
  std::vector<float> floats();
  Medium medium();

 private:
  std::string_view take(std::uint64_t count, std::size_t size = 1);

  std::string_view rest_;
};

// What a message begins with.
enum class Request : std::uint64_t { load, extract };
enum class Answer : std::uint64_t { nothing, features, model, error };

/// Of a limit of so many seconds per medium. Loading takes its time, above all that of LibTorch itself.
inline std::uint64_t seconds_for(Request request, std::uint64_t limit) {
  constexpr std::uint64_t enough_to_load = 120;
  return request == Request::load ? std::max(limit, std::min(10 * limit, enough_to_load)) : limit;
}

}  // namespace bauta
