// A folder for one test, removed afterwards, and what tests of readers say again and again.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "bauta/core/error.hpp"

namespace bauta::test {

class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "bauta-data-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  std::filesystem::path write(std::string_view name, std::string_view bytes) const {
    const auto path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    // A new file each time: ext4 flushes files that are truncated and written again, which makes fuzzing slow.
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Runs `body`, which must throw an Error of this kind, and returns its text.
template <class Body>
std::string error_of(Fault fault, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.fault), static_cast<int>(fault)) << error.what();
    return error.where + ": " + error.finding + " (" + error.hint + ")";
  }
  ADD_FAILURE() << "no error";
  return {};
}

template <class Body>
std::string input_error(Body&& body) {
  return error_of(Fault::input, std::forward<Body>(body));
}

inline void expect_contains(const std::string& text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is missing in: " << text;
}

/// A string literal with its zero bytes.
template <std::size_t N>
std::string bytes(const char (&literal)[N]) {
  return {literal, N - 1};
}

}  // namespace bauta::test
