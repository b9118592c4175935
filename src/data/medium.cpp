// Which kind of medium a file holds, and how each is written.
#include "bauta/data/medium.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/output.hpp"
#include "bauta/data/mapped_file.hpp"
#include "bauta/data/npy.hpp"
#include "medium_formats.hpp"
#include "motion_formats.hpp"

namespace bauta {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

namespace {

struct Kind {
  std::string_view name;
  std::string_view one;
  std::string_view many;
  std::string_view extension;
};

// In the order of the variant.
constexpr std::array<Kind, std::variant_size_v<Medium>> kinds = {{{"image", "an image", "images", ".png"},
                                                                  {"voice", "a recording", "recordings", ".wav"},
                                                                  {"motion", "a motion", "motions", ".npy"}}};

std::string_view as_text(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

std::string bytes_of(const Image& image) {
  return png_of(image);
}

std::string bytes_of(const Recording& recording) {
  BAUTA_ASSERT(recording.rate > 0 && recording.rate == std::floor(recording.rate));
  for (const float sample : recording.samples) BAUTA_ASSERT(std::abs(sample) <= 1);
  return wav_of(WaveFormat::floats, 32, static_cast<std::uint64_t>(recording.rate), as_text(recording.samples));
}

std::string bytes_of(const Motion& motion) {
  return npy_of(motion);
}

bool is_motion(std::string_view start, const std::filesystem::path& path) {
  return is_npy(start) || is_trc(start) || is_bvh(start) || is_c3d(start) || is_motion_csv(path);
}

[[noreturn]] void refuse_file(const std::filesystem::path& path) {
  throw_input(path.string(), "is no image, recording or motion in a known format",
              "JPEG, PNG, PGM, PPM, what libsndfile knows (WAV, FLAC, Ogg ...), and motion as .npy, C3D, TRC, BVH and "
              ".csv are read");
}

}  // namespace

std::string npy_of(const Motion& motion) {
  BAUTA_ASSERT(motion.positions.size() == motion.frames * motion.width());
  std::string bytes = npy_header("<f4", std::array<std::uint64_t, 3>{motion.frames, motion.joints, 3});
  return bytes += as_text(motion.positions);
}

std::string start_of(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  return {reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 16)};
}

std::string_view kind_of(const Medium& medium) {
  return kinds[medium.index()].name;
}

std::string_view extension_of(const Medium& medium) {
  return kinds[medium.index()].extension;
}

void refuse_kind(std::string_view who, std::string_view takes, const Medium& medium) {
  std::string_view many = takes;
  for (const Kind& kind : kinds) many = kind.name == takes ? kind.many : many;
  throw_input(std::string(who), fmt::format("takes {}, this is {}", many, kinds[medium.index()].one));
}

Medium read_medium(const std::filesystem::path& path) {
  const std::string start = start_of(path);
  if (is_motion(start, path)) return read_motion(path);
  if (is_image(start)) return read_image(path);
  if (std::optional<Recording> recording = decode_recording(path)) return std::move(*recording);
  refuse_file(path);
}

std::string_view kind_of_file(const std::filesystem::path& path) {
  const std::string start = start_of(path);
  if (is_motion(start, path)) return kind_of(Motion());
  if (is_image(start)) return kind_of(Image());
  if (is_recording(path)) return kind_of(Recording());
  refuse_file(path);
}

void write_medium(const std::filesystem::path& path, const Medium& medium) {
  write_file(path, std::visit([](const auto& content) { return bytes_of(content); }, medium));
}

std::string digest(const Medium& medium) {
  Hash hash;
  hash.add(kind_of(medium));
  if (const auto* image = std::get_if<Image>(&medium)) {
    hash.add(fmt::format("{} {} {}", image->width, image->height, image->channels));
    hash.add(image->pixels.data(), image->pixels.size());
  } else if (const auto* recording = std::get_if<Recording>(&medium)) {
    hash.add(fmt::format("{} {}", recording->rate, recording->samples.size()));
    hash.add(as_text(recording->samples));
  } else {
    const Motion& motion = std::get<Motion>(medium);
    hash.add(fmt::format("{} {} {}", motion.frames, motion.joints, motion.rate));
    for (const std::string& name : motion.names) hash.add(name);
    hash.add(as_text(motion.positions));
  }
  return hash.hex();
}

}  // namespace bauta
