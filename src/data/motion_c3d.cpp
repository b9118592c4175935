// C3D, as motion capture systems write it: a header, parameters in groups, then frame by frame the markers and the
// analogue channels, in blocks of 512 bytes (the format's manual: c3d.org). Numbers lie as in the computer that wrote
// them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/bytes.hpp"
#include "bauta/data/mapped_file.hpp"
#include "motion_formats.hpp"
#include "text.hpp"

namespace bauta {
namespace {

constexpr std::size_t block_size = 512;
constexpr std::size_t longest_parameters = 255 * block_size;  // their length is a byte of the format
constexpr std::size_t most_markers = 0xffff;
constexpr float missing = std::numeric_limits<float>::quiet_NaN();

enum Processor : std::uint8_t { intel = 84, dec = 85, mips = 86 };

/// Numbers of the file, in the order and form of the processor that wrote it.
class Numbers {
 public:
  Numbers(std::span<const std::uint8_t> bytes, std::string path) : bytes_(bytes), path_(std::move(path)) {}

  void written_by(std::uint8_t processor, std::size_t at) {
    if (processor != intel && processor != dec && processor != mips) {
      fail(at, fmt::format("{} for the processor, expected 84 (Intel), 85 (DEC) or 86 (MIPS)", processor));
    }
    processor_ = processor;
  }
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] std::uint8_t byte(std::size_t at) const { return bytes(at, 1).front(); }
  [[nodiscard]] std::uint16_t word(std::size_t at) const { return load<std::uint16_t>(bytes(at, 2).data(), order()); }
  [[nodiscard]] double real(std::size_t at) const {
    const auto bits = load<std::uint32_t>(bytes(at, 4).data(), order());
    if (processor_ != dec) return std::bit_cast<float>(bits);
    // VAX: the high half first; 0.1m * 2^(e - 128), where others have 1.m * 2^(e - 127).
    const std::uint32_t turned = bits << 16U | bits >> 16U;
    const auto exponent = static_cast<int>(turned >> 23U & 0xff);
    const double sign = turned >> 31U != 0 ? -1 : 1;
    if (exponent == 0) return sign < 0 ? std::nan("") : 0;
    return sign * std::ldexp(static_cast<double>((turned & 0x7fffff) | 0x800000), exponent - 128 - 24);
  }
  /// Printable characters; the format knows no others.
  [[nodiscard]] std::string text(std::size_t at, std::size_t size) const {
    std::string result;
    for (const std::uint8_t byte : bytes(at, size)) {
      result.push_back(byte == 0 ? ' ' : byte < 0x20 || byte > 0x7e ? '_' : static_cast<char>(byte));
    }
    return result;
  }
  [[nodiscard]] std::span<const std::uint8_t> bytes(std::uint64_t at, std::uint64_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) {
      fail(at, fmt::format("{} bytes are expected here, the file has {}", size, bytes_.size()));
    }
    return bytes_.subspan(at, size);
  }
  [[noreturn]] void fail(std::uint64_t at, const std::string& finding, const std::string& hint = {}) const {
    throw_input(fmt::format("{} byte {}", path_, at), finding, hint);
  }

 private:
  [[nodiscard]] ByteOrder order() const { return processor_ == mips ? ByteOrder::big : ByteOrder::little; }

  std::span<const std::uint8_t> bytes_;
  std::string path_;
  std::uint8_t processor_ = intel;
};

/// What stands under a name: characters, bytes, words or floats.
struct Parameter {
  int type = 0;  // bytes of a value; -1: characters
  std::vector<std::size_t> extents = {};
  std::size_t at = 0;
  std::size_t count = 0;
};

/// `end`: of all parameters.
Parameter read_parameter(const Numbers& file, std::size_t at, std::size_t end) {
  Parameter parameter{.type = static_cast<std::int8_t>(file.byte(at))};
  if (parameter.type != -1 && parameter.type != 1 && parameter.type != 2 && parameter.type != 4) {
    file.fail(at, fmt::format("a parameter of type {}, expected -1, 1, 2 or 4", parameter.type));
  }
  const std::size_t dimensions = file.byte(at + 1);
  if (dimensions > 7) file.fail(at + 1, fmt::format("a parameter of {} dimensions, at most 7 are known", dimensions));
  parameter.count = 1;  // below 2^56 for seven extents of a byte each
  for (std::size_t d = 0; d < dimensions; ++d) {
    parameter.extents.push_back(file.byte(at + 2 + d));
    parameter.count *= parameter.extents.back();
  }
  parameter.at = at + 2 + dimensions;
  const std::size_t size = parameter.count * static_cast<std::size_t>(std::abs(parameter.type));
  if (parameter.at + size > end)
    file.fail(at, fmt::format("a parameter of {} bytes, which are more than 255 blocks", size));
  (void)file.bytes(parameter.at, size);
  return parameter;
}

/// The parameters of a file, by the names of group and parameter in small letters: "point:labels".
class Parameters {
 public:
  Parameters(const Numbers& file, std::size_t begin) : file_(file) {
    std::map<int, std::string> groups;
    std::vector<std::tuple<int, std::string, Parameter>> members;  // may stand before their group
    const std::size_t end = begin + longest_parameters;
    for (std::size_t at = begin + 4; at < end;) {
      const auto length = static_cast<std::size_t>(std::abs(static_cast<std::int8_t>(file.byte(at))));  // < 0: locked
      const int id = length == 0 ? 0 : static_cast<std::int8_t>(file.byte(at + 1));
      if (id == 0) break;
      std::string name = lower_case(file.text(at + 2, length));
      at += 2 + length;
      if (id < 0) {
        groups[-id] = std::move(name);
      } else {
        members.emplace_back(id, std::move(name), read_parameter(file, at + 2, end));
      }
      const std::size_t next = file.word(at);
      if (next == 0) break;
      at += next;
    }
    for (auto& [id, name, parameter] : members) {
      if (const auto group = groups.find(id); group != groups.end()) {
        all_.try_emplace(group->second + ":" + name, std::move(parameter));
      }
    }
  }

  /// The value of that number; counts, which the format keeps in words without a sign.
  [[nodiscard]] std::optional<double> number(const std::string& name, std::size_t i = 0) const {
    const auto found = all_.find(name);
    if (found == all_.end() || found->second.type < 0 || i >= found->second.count) return std::nullopt;
    const Parameter& parameter = found->second;
    if (parameter.type == 1) return file_.byte(parameter.at + i);
    return parameter.type == 2 ? file_.word(parameter.at + 2 * i) : file_.real(parameter.at + 4 * i);
  }
  /// Texts under a name, and under name2, name3 ... which go on where 255 are not enough.
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const {
    std::vector<std::string> result;
    for (int part = 1;; ++part) {
      const auto found = all_.find(part == 1 ? name : fmt::format("{}{}", name, part));
      if (found == all_.end() || found->second.type != -1) return result;
      const Parameter& parameter = found->second;
      const std::size_t length = parameter.extents.empty() ? 1 : parameter.extents.front();
      for (std::size_t i = 0; length > 0 && i < parameter.count / length; ++i) {
        if (result.size() == most_markers) return result;
        const std::string text = file_.text(parameter.at + i * length, length);
        result.emplace_back(trimmed(text));
      }
    }
  }

 private:
  const Numbers& file_;
  std::map<std::string, Parameter> all_;
};

/// A positive number, or 0: unknown.
double rate_of(const Numbers& file, const Parameters& parameters) {
  const double rate = parameters.number("point:rate").value_or(file.real(20));
  return std::isfinite(rate) && rate > 0 ? rate : 0;
}

/// The header counts frames in words; where these are full, or unused, parameters know better.
std::uint64_t frames_of(const Numbers& file, const Parameters& parameters) {
  const std::uint16_t first = file.word(6), last = file.word(8);
  if (last >= first && last != 0xffff) return last - first + 1U;
  const auto field = [&](const std::string& name) -> std::optional<double> {
    const auto low = parameters.number(name), high = parameters.number(name, 1);
    if (!low || !high) return std::nullopt;
    return *low + 65536 * *high;
  };
  const auto start = field("trial:actual_start_field"), end = field("trial:actual_end_field");
  double count = last >= first ? last - first + 1.0 : 0;
  if (const auto given = parameters.number("point:frames")) count = *given;
  if (const auto given = parameters.number("point:long_frames")) count = *given;
  if (start && end) count = *end - *start + 1;
  return count >= 1 && count <= 0xffffffffU ? static_cast<std::uint64_t>(count) : 0;
}

/// Without the name of the person before it, which programs write as "Name:LKNE".
std::string marker_name(const std::string& label, std::size_t number) {
  const std::string_view name = trimmed(std::string_view(label).substr(label.rfind(':') + 1));
  return name.empty() ? fmt::format("marker {}", number + 1) : std::string(name);
}

/// What a frame holds, and which of its points are positions.
struct Layout {
  std::size_t points = 0;
  std::size_t channels = 0;  // values of analogue channels in a frame
  double scale = 0;          // of points that are integers; below 0: they are floats
  std::vector<std::size_t> positions = {};
  std::vector<std::string> names = {};

  [[nodiscard]] std::size_t value_size() const { return scale < 0 ? 4 : 2; }
  [[nodiscard]] std::uint64_t frame_size() const { return (4 * points + channels) * value_size(); }
};

Layout layout_of(const Numbers& file, const Parameters& parameters) {
  Layout layout{.points = file.word(2), .channels = file.word(4)};
  const auto used = parameters.number("point:used");
  if (used && *used != static_cast<double>(layout.points)) {
    file.fail(2, fmt::format("{} markers, POINT:USED says {:g}", layout.points, *used));
  }
  layout.scale = parameters.number("point:scale").value_or(file.real(12));
  if (!std::isfinite(layout.scale) || layout.scale == 0) {
    file.fail(12, fmt::format("{:g} for the scale of markers", layout.scale));
  }
  std::set<std::string> computed;  // angles, forces and the like, which programs keep among the markers
  for (const char* const kind : {"angles", "forces", "moments", "powers", "scalars"}) {
    for (std::string& label : parameters.texts(std::string("point:") + kind)) computed.insert(std::move(label));
  }
  const std::vector<std::string> labels = parameters.texts("point:labels");
  for (std::size_t point = 0; point < layout.points; ++point) {
    const std::string label = point < labels.size() ? labels[point] : std::string();
    if (!label.empty() && computed.contains(label)) continue;
    layout.positions.push_back(point);
    layout.names.push_back(marker_name(label, point));
  }
  if (layout.positions.empty()) file.fail(2, "there is no marker");
  return layout;
}

/// Where a marker is; NaN where it was not seen, which a fourth value below 0 says.
std::array<float, 3> place(const Numbers& file, std::uint64_t at, const Layout& layout) {
  std::array<float, 3> place = {missing, missing, missing};
  const std::size_t size = layout.value_size();
  const auto value = [&](std::size_t i) {
    return layout.scale < 0 ? file.real(at + i * size) : static_cast<std::int16_t>(file.word(at + i * size));
  };
  if (value(3) < 0) return place;
  const double scale = layout.scale < 0 ? 1 : layout.scale;
  for (std::size_t axis = 0; axis < 3; ++axis) place[axis] = static_cast<float>(value(axis) * scale);
  return place;
}

}  // namespace

bool is_c3d(std::string_view start) {
  // The number of the block where parameters begin is small: no text begins so.
  return start.size() >= 2 && start[0] >= 2 && start[0] < 0x20 && start[1] == 'P';
}

Motion read_c3d(const std::filesystem::path& path) {
  const auto mapped = MappedFile::open(path);
  Numbers file(mapped->bytes(), path.string());
  const std::size_t parameters_at = (file.byte(0) - std::size_t{1}) * block_size;
  file.written_by(file.byte(parameters_at + 3), parameters_at + 3);
  const Parameters parameters(file, parameters_at);
  const Layout layout = layout_of(file, parameters);
  const std::uint64_t frames = frames_of(file, parameters);
  if (frames == 0) file.fail(6, "there is no frame");
  const std::uint16_t data_block = file.word(16);
  if (data_block == 0) file.fail(16, "0 for the block where frames begin, blocks count from 1");
  const std::uint64_t begin = (data_block - std::uint64_t{1}) * block_size;
  // Below 2^32 frames of less than 2^21 bytes.
  if (begin > file.size() || frames * layout.frame_size() > file.size() - begin) {
    const std::uint64_t whole = (file.size() - std::min(begin, file.size())) / layout.frame_size();
    file.fail(file.size(), fmt::format("the file ends after {} of {} frames", whole, frames));
  }
  Motion motion{frames, layout.positions.size(), {}, rate_of(file, parameters), layout.names};
  motion.positions.reserve(motion.frames * motion.width());
  for (std::uint64_t frame = 0; frame < frames; ++frame) {
    for (const std::size_t point : layout.positions) {
      const std::uint64_t at = begin + frame * layout.frame_size() + point * 4 * layout.value_size();
      std::ranges::copy(place(file, at, layout), std::back_inserter(motion.positions));
    }
  }
  fill_gaps(motion, path);
  return motion;
}

}  // namespace bauta
