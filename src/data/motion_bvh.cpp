// BVH: a skeleton of offsets, then angles and places frame by frame. Forward kinematics gives where every joint is.
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/input.hpp"
#include "motion_formats.hpp"
#include "text.hpp"

namespace bauta {
namespace {

constexpr std::size_t longest_file = std::size_t{1} << 30;
constexpr std::size_t most_joints = 10000;

using Vector = std::array<double, 3>;
using Rotation = std::array<Vector, 3>;

struct Joint {
  std::string name;
  std::size_t parent = 0;  // its own number: it has none
  Vector offset{};
  std::vector<std::size_t> turns;  // axes of its rotations, in their order
  std::vector<std::size_t> moves;  // axes of its positions
  std::vector<bool> is_turn;       // of each channel
};

/// Words of a text, with the line that each stands in.
class Tokens {
 public:
  Tokens(std::string text, std::string path) : text_(std::move(text)), path_(std::move(path)) {}

  std::optional<std::string_view> next() {
    while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n' ? 1 : 0;
    const std::size_t start = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    if (start == at_) return std::nullopt;
    return std::string_view(text_).substr(start, at_ - start);
  }
  std::string_view word(const char* expected) {
    const auto found = next();
    if (!found) throw_input(path_, fmt::format("ends where {} is expected", expected));
    return *found;
  }
  void require(std::string_view wanted) {
    const std::string_view found = word(std::string(wanted).c_str());
    if (found != wanted) fail(fmt::format("'{}', expected '{}'", found, wanted));
  }
  double number(const char* what) {
    const std::string_view found = word(what);
    const std::optional<double> value = parse_number(found);
    if (!value || !std::isfinite(*value)) fail(fmt::format("'{}' is no finite number, expected {}", found, what));
    return *value;
  }
  std::size_t count(const char* what, double most) {
    const double value = number(what);
    if (value < 0 || value > most || value != std::floor(value))
      fail(fmt::format("{:g} is no number of {}", value, what));
    return static_cast<std::size_t>(value);
  }
  /// What is left of the line.
  std::string rest_of_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string text = text_.substr(at_, end - at_);
    at_ = end;
    while (!text.empty() && is_blank(text.back())) text.pop_back();
    text.erase(0, text.find_first_not_of(" \t"));
    return text;
  }
  [[noreturn]] void fail(const std::string& finding) const {
    throw_input(fmt::format("{} line {}", path_, line_), finding);
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  std::string text_;
  std::string path_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

Vector read_offset(Tokens& tokens) {
  tokens.require("OFFSET");
  Vector offset{};
  for (double& value : offset) value = tokens.number("an offset");
  return offset;
}

void read_channels(Tokens& tokens, Joint& joint) {
  const std::size_t count = tokens.count("channels", 6);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view channel = tokens.word("a channel");
    const std::size_t axis = std::string_view("XYZ").find(channel.front());
    const std::string_view kind = channel.substr(1);
    if (axis == std::string_view::npos || (kind != "position" && kind != "rotation")) {
      tokens.fail(fmt::format("'{}' is no channel", channel));
    }
    joint.is_turn.push_back(kind == "rotation");
    (kind == "rotation" ? joint.turns : joint.moves).push_back(axis);
  }
}

/// Parents stand before their children.
std::vector<Joint> read_skeleton(Tokens& tokens) {
  std::vector<Joint> joints;
  std::vector<std::size_t> open;
  tokens.require("HIERARCHY");
  while (true) {
    const std::string word(tokens.word("a joint"));
    if (word == "MOTION" && open.empty() && !joints.empty()) return joints;
    if (word == "}" && !open.empty()) {
      open.pop_back();
    } else if (word == "CHANNELS" && !open.empty() && joints[open.back()].is_turn.empty()) {
      read_channels(tokens, joints[open.back()]);
    } else if ((word == "ROOT" && open.empty()) || (word == "JOINT" && !open.empty()) ||
               (word == "End" && !open.empty())) {
      if (joints.size() == most_joints) tokens.fail(fmt::format("more than {} joints", most_joints));
      const std::size_t number = joints.size(), parent = open.empty() ? number : open.back();
      std::string name = tokens.rest_of_line();
      if (word == "End") name = joints[parent].name + " end";
      joints.push_back({std::move(name), parent, {}, {}, {}, {}});
      tokens.require("{");
      joints.back().offset = read_offset(tokens);
      open.push_back(number);
    } else {
      tokens.fail(fmt::format("'{}' is not expected here", word));
    }
  }
}

Rotation times(const Rotation& a, const Rotation& b) {
  Rotation product{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) product[i][j] += a[i][k] * b[k][j];
    }
  }
  return product;
}

Rotation about(std::size_t axis, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  Rotation rotation{};
  rotation[axis][axis] = 1;
  rotation[u][u] = rotation[v][v] = std::cos(angle);
  rotation[u][v] = -std::sin(angle);
  rotation[v][u] = std::sin(angle);
  return rotation;
}

constexpr Rotation unturned = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// Reads a frame and appends where its joints are.
void add_frame(Tokens& tokens, const std::vector<Joint>& joints, std::vector<Vector>& places,
               std::vector<Rotation>& rotations, std::vector<float>& positions) {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Joint& joint = joints[j];
    Vector own = joint.offset;  // a position that is given replaces the offset
    Rotation turned = unturned;
    std::size_t turn = 0, move = 0;
    for (const bool is_turn : joint.is_turn) {
      const double value = tokens.number("a channel's value");
      if (is_turn) {
        turned = times(turned, about(joint.turns[turn++], value));
      } else {
        own[joint.moves[move++]] = value;
      }
    }
    const bool root = joint.parent == j;
    const Rotation& above = root ? unturned : rotations[joint.parent];
    rotations[j] = times(above, turned);
    for (std::size_t i = 0; i < 3; ++i) {
      places[j][i] = root ? 0 : places[joint.parent][i];
      for (std::size_t k = 0; k < 3; ++k) places[j][i] += above[i][k] * own[k];
      const auto position = static_cast<float>(places[j][i]);
      if (!std::isfinite(position)) tokens.fail(fmt::format("joint {} is out of range", joint.name));
      positions.push_back(position);
    }
  }
}

}  // namespace

bool is_bvh(std::string_view start) {
  return start.starts_with("HIERARCHY");
}

Motion read_bvh(const std::filesystem::path& path) {
  Tokens tokens(read_text(path, longest_file), path.string());
  const std::vector<Joint> joints = read_skeleton(tokens);
  tokens.require("Frames:");
  const std::size_t frames = tokens.count("frames", 1e9);
  tokens.require("Frame");
  tokens.require("Time:");
  const double seconds = tokens.number("the time of a frame");
  if (frames == 0) throw_input(path.string(), "holds no frame");
  Motion motion{frames, joints.size(), {}, seconds > 0 ? 1 / seconds : 0, {}};
  for (const Joint& joint : joints) motion.names.push_back(joint.name);
  std::vector<Vector> places(joints.size());
  std::vector<Rotation> rotations(joints.size());
  for (std::size_t frame = 0; frame < frames; ++frame) add_frame(tokens, joints, places, rotations, motion.positions);
  if (const auto more = tokens.next()) tokens.fail(fmt::format("'{}' after the last frame", *more));
  return motion;
}

}  // namespace bauta
