// Small folders of media for tests of extractors.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "../data/scratch.hpp"
#include "bauta/extract/extractor.hpp"

namespace bauta::test {

/// Files "0", "1", ... with these bytes, each of its own identity.
inline Dataset media_of(const Scratch& scratch, const std::vector<std::string>& contents) {
  std::string labels = "file,identity\n";
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const std::string name = std::to_string(i);
    scratch.write(name, contents[i]);
    labels += name + ",p" + name + "\n";
  }
  scratch.write("labels.csv", labels);
  ReadOptions options;
  options.templates_required = false;
  return read_dataset(scratch.path(), options);
}

/// In this process, as the one that runs the files of users has it.
inline ResolvedExtractor unconfined(const std::string& specification) {
  return resolve(extractors(), "extractor", specification);
}

/// A recording of one channel with 16 bits as a WAV file.
inline std::string wav_of(const std::vector<std::int16_t>& samples, std::uint32_t rate = 8000) {
  const auto number = [](std::uint64_t value, int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
    return bytes;
  };
  const std::uint64_t size = samples.size() * 2;
  std::string file = "RIFF" + number(36 + size, 4) + "WAVEfmt " + number(16, 4) + number(1, 2) + number(1, 2) +
                     number(rate, 4) + number(std::uint64_t{rate} * 2, 4) + number(2, 2) + number(16, 2) + "data" +
                     number(size, 4);
  for (const std::int16_t sample : samples) file += number(static_cast<std::uint16_t>(sample), 2);
  return file;
}

/// An environment variable for as long as this lives.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Setting() { ::unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
};

inline std::vector<std::int16_t> tone(double hertz, std::size_t count, double amplitude = 8000, double rate = 8000) {
  std::vector<std::int16_t> samples;
  for (std::size_t n = 0; n < count; ++n) {
    const double angle = 2 * std::numbers::pi * hertz * static_cast<double>(n) / rate;
    samples.push_back(static_cast<std::int16_t>(std::lround(amplitude * std::sin(angle))));
  }
  return samples;
}

}  // namespace bauta::test
