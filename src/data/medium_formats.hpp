// Media as the bytes of lossless files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "bauta/data/medium.hpp"

namespace bauta {

/// 8 bits, grey or red, green, blue.
std::string png_of(const Image& image);

/// The positions alone.
std::string npy_of(const Motion& motion);

enum class WaveFormat : std::uint16_t { integers = 1, floats = 3 };
/// One channel; `samples` are the bytes of the samples, little-endian.
std::string wav_of(WaveFormat format, unsigned bits, std::uint64_t rate, std::string_view samples);

/// The first bytes of a file, as many as tell its format.
std::string start_of(const std::filesystem::path& path);
/// By the first bytes of a file.
bool is_image(std::string_view start);
/// Empty if it is in no format that libsndfile knows.
std::optional<Recording> decode_recording(const std::filesystem::path& path);
/// Whether it is in one, damaged or not.
bool is_recording(const std::filesystem::path& path);

/// What kind_of() will say of it, by a look at its start; an input error where it is of none.
std::string_view kind_of_file(const std::filesystem::path& path);

}  // namespace bauta
