// A medium as a value: an image, a recording or a motion, whatever the file it came from.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "bauta/data/image.hpp"
#include "bauta/data/motion.hpp"
#include "bauta/data/recording.hpp"

namespace bauta {

using Medium = std::variant<Image, Recording, Motion>;

/// "image", "voice" or "motion": what techniques and extractors declare that they take.
std::string_view kind_of(const Medium& medium);

/// The content decides about the kind, not the name. Input errors as of read_image(), read_recording(), read_motion().
Medium read_medium(const std::filesystem::path& path);

/// Without loss, so that read_medium() gives it again: PNG, WAV of 32-bit floats, or NPY (the positions of a motion).
/// Complete or not at all, mode 0600.
void write_medium(const std::filesystem::path& path, const Medium& medium);
/// Of a file that write_medium() writes: ".png", ".wav" or ".npy".
std::string_view extension_of(const Medium& medium);

/// Names the content: equal media alone have the same.
std::string digest(const Medium& medium);

[[noreturn]] void refuse_kind(std::string_view who, std::string_view takes, const Medium& medium);

/// The medium as the kind that `who` takes; an input error for another.
template <class Kind>
const Kind& medium_as(const Medium& medium, std::string_view who) {
  if (const auto* found = std::get_if<Kind>(&medium)) return *found;
  refuse_kind(who, kind_of(Medium(Kind())), medium);
}

}  // namespace bauta
