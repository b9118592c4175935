// Recordings through libsndfile, from a mapping of the file: nothing but its bytes is looked at.
#include "bauta/data/recording.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <sndfile.h>

#include "bauta/core/error.hpp"
#include "bauta/data/mapped_file.hpp"
#include "medium_formats.hpp"

namespace bauta {

namespace {

constexpr double longest_seconds = 3600;
constexpr int highest_rate = 768'000;
constexpr std::size_t most_channels = 64;

struct Cursor {
  std::span<const std::uint8_t> bytes;
  sf_count_t at = 0;
};

Cursor& cursor_of(void* user) {
  return *static_cast<Cursor*>(user);
}

sf_count_t length_of(void* user) {
  return static_cast<sf_count_t>(cursor_of(user).bytes.size());
}

sf_count_t seek_to(sf_count_t offset, int from, void* user) {
  Cursor& cursor = cursor_of(user);
  const sf_count_t base = from == SEEK_SET ? 0 : from == SEEK_CUR ? cursor.at : length_of(user);
  sf_count_t target = 0;
  if (__builtin_add_overflow(base, offset, &target) || target < 0) return -1;
  return cursor.at = target;
}

sf_count_t read_to(void* target, sf_count_t count, void* user) {
  Cursor& cursor = cursor_of(user);
  const sf_count_t available = std::clamp<sf_count_t>(length_of(user) - cursor.at, 0, std::max<sf_count_t>(count, 0));
  if (available > 0) std::memcpy(target, cursor.bytes.data() + cursor.at, static_cast<std::size_t>(available));
  cursor.at += available;
  return available;
}

/// libsndfile takes what is there of a WAV file that was cut off; its header still knows how much there should be.
bool cut_off_wave(std::span<const std::uint8_t> bytes) {
  const auto name_at = [&](std::size_t at, const char* name) { return std::memcmp(bytes.data() + at, name, 4) == 0; };
  const auto size_at = [&](std::size_t at) {
    return std::uint64_t{bytes[at]} | std::uint64_t{bytes[at + 1]} << 8U | std::uint64_t{bytes[at + 2]} << 16U |
           std::uint64_t{bytes[at + 3]} << 24U;
  };
  if (bytes.size() < 12 || !name_at(0, "RIFF") || !name_at(8, "WAVE")) return false;
  // Programs that write into a pipe do not know the size and leave this behind.
  constexpr std::uint64_t unknown = 0x7fffff00;
  for (std::uint64_t at = 12; at + 8 <= bytes.size();) {
    const std::uint64_t size = size_at(at + 4);
    if (name_at(at, "data")) return size > bytes.size() - at - 8 && size < unknown;
    at += 8 + size + size % 2;
  }
  return false;
}

using Sound = std::unique_ptr<SNDFILE, int (*)(SNDFILE*)>;

/// Null: it is in no known format.
Sound open_sound(Cursor& cursor, SF_INFO& info) {
  SF_VIRTUAL_IO access{length_of, seek_to, read_to, [](const void*, sf_count_t, void*) -> sf_count_t { return 0; },
                       [](void* user) { return cursor_of(user).at; }};
  return {sf_open_virtual(&access, SFM_READ, &info, &cursor), sf_close};
}

}  // namespace

bool is_recording(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  Cursor cursor{file->bytes()};
  SF_INFO info{};
  return open_sound(cursor, info) != nullptr;
}

std::optional<Recording> decode_recording(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const std::string where = path.string();
  Cursor cursor{file->bytes()};
  SF_INFO info{};
  const Sound sound = open_sound(cursor, info);
  if (!sound) return std::nullopt;
  if (info.samplerate <= 0 || info.samplerate > highest_rate || info.channels <= 0 ||
      static_cast<std::size_t>(info.channels) > most_channels) {
    throw_input(where, fmt::format("{} channels at {} Hz, expected at most {} at {}", info.channels, info.samplerate,
                                   most_channels, highest_rate));
  }
  const auto longest = static_cast<std::size_t>(longest_seconds * info.samplerate);
  const std::string too_long = fmt::format("is longer than {} seconds", longest_seconds);
  // Where the length is known, this spares the reading; it is never trusted with an allocation.
  if (info.frames > 0 && static_cast<std::uint64_t>(info.frames) > longest && info.frames != SF_COUNT_MAX) {
    throw_input(where, too_long);
  }
  if (cut_off_wave(cursor.bytes)) throw_input(where, "is damaged: it ends too early");

  Recording recording;
  recording.rate = info.samplerate;
  const auto channels = static_cast<std::size_t>(info.channels);
  constexpr std::size_t block_frames = 4096;
  std::vector<float> block(block_frames * channels);
  for (;;) {
    const sf_count_t count = sf_readf_float(sound.get(), block.data(), block_frames);
    if (count <= 0) break;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < channels; ++c) sum += block[i * channels + c];
      if (!std::isfinite(sum)) throw_input(where, "is damaged: a sample is not a finite number");
      // Files of floats may go beyond; players cut it off just so.
      recording.samples.push_back(static_cast<float>(std::clamp(sum / static_cast<double>(channels), -1.0, 1.0)));
    }
    if (recording.samples.size() > longest) throw_input(where, too_long);
  }
  if (sf_error(sound.get()) != SF_ERR_NO_ERROR) {
    throw_input(where, fmt::format("is damaged: {}", sf_strerror(sound.get())));
  }
  if (info.frames != SF_COUNT_MAX && recording.samples.size() < static_cast<std::uint64_t>(info.frames)) {
    throw_input(where,
                fmt::format("is damaged: it ends after {} of {} samples", recording.samples.size(), info.frames));
  }
  return recording;
}

Recording read_recording(const std::filesystem::path& path) {
  std::optional<Recording> recording = decode_recording(path);
  if (!recording) {
    throw_input(path.string(), "is no recording in a known format",
                "WAV, FLAC, Ogg and others that libsndfile knows are read");
  }
  return std::move(*recording);
}

std::string wav_of(WaveFormat format, unsigned bits, std::uint64_t rate, std::string_view samples) {
  const auto number = [](std::uint64_t value, unsigned bytes) {
    std::string text;
    for (unsigned i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
    return text;
  };
  const std::uint64_t frame = bits / 8;
  std::string file = "RIFF" + number(36 + samples.size(), 4) + "WAVEfmt " + number(16, 4) +
                     number(static_cast<std::uint64_t>(format), 2) + number(1, 2) + number(rate, 4) +
                     number(rate * frame, 4) + number(frame, 2) + number(bits, 2) + "data" + number(samples.size(), 4);
  return file.append(samples);
}

}  // namespace bauta
