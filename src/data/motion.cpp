#include "bauta/data/motion.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/mapped_file.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/text_source.hpp"
#include "medium_formats.hpp"
#include "motion_formats.hpp"
#include "text.hpp"

namespace bauta {
namespace {

std::string joint_text(const Motion& motion, std::size_t joint) {
  return motion.names.empty() ? fmt::format("joint {}", joint + 1) : "joint " + motion.names[joint];
}

Motion read_npy_motion(const std::filesystem::path& path) {
  NpyArray array = read_npy(path);
  const auto& shape = array.shape;
  if (shape.size() != 3 || shape[2] != 3 || array.count() == 0 || array.is_text()) {
    throw_input(path.string(), fmt::format("is an array of {} {}, no motion", array.shape_text(), array.type_name()),
                "a motion has frames x joints x 3 numbers");
  }
  if (array.fortran) {
    throw_input(path.string(), "lies in Fortran order", "write it with numpy.ascontiguousarray");
  }
  Motion motion{shape[0], shape[1], {}, 0, {}};
  array.shape = {motion.frames, motion.width()};
  const Templates rows = to_float_templates(array);
  motion.positions.reserve(motion.frames * motion.width());
  for (std::size_t frame = 0; frame < motion.frames; ++frame) {
    const auto row = rows.floats().row(frame);
    motion.positions.insert(motion.positions.end(), row.begin(), row.end());
  }
  const auto bad = std::ranges::find_if(motion.positions, [](float value) { return !std::isfinite(value); });
  if (bad != motion.positions.end()) {
    throw_input(path.string(),
                fmt::format("{} in frame {}, expected a finite number", *bad,
                            static_cast<std::size_t>(bad - motion.positions.begin()) / motion.width() + 1));
  }
  return motion;
}

}  // namespace

Motion read_motion(const std::filesystem::path& path) {
  const std::string start = start_of(path);
  if (is_trc(start)) return read_trc(path);
  if (is_bvh(start)) return read_bvh(path);
  if (is_c3d(start)) return read_c3d(path);
  if (is_motion_csv(path)) return read_motion_csv(path);
  return read_npy_motion(path);
}

std::vector<std::string> read_joint_names(const std::filesystem::path& path) {
  std::vector<std::string> names;
  TextSource source(path);
  for (std::string_view line; source.next_line(line);) {
    const std::string_view name = trimmed(line);
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

bool is_npy(std::string_view start) {
  return start.starts_with("\x93NUMPY");
}

void fill_gaps(Motion& motion, const std::filesystem::path& path) {
  const std::size_t width = motion.width();
  for (std::size_t column = 0; column < width; ++column) {
    const auto at = [&](std::size_t frame) -> float& { return motion.positions[frame * width + column]; };
    std::size_t known = motion.frames;  // the last frame that is
    for (std::size_t frame = 0; frame < motion.frames; ++frame) {
      const float value = at(frame);
      if (std::isnan(value)) continue;
      if (std::isinf(value)) {
        throw_input(path.string(), fmt::format("{} in frame {}, expected a finite number", value, frame + 1));
      }
      const std::size_t from = known == motion.frames ? 0 : known + 1;
      for (std::size_t gap = from; gap < frame; ++gap) {
        at(gap) =
            known == motion.frames
                ? value
                : std::lerp(at(known), value, static_cast<float>(gap - known) / static_cast<float>(frame - known));
      }
      known = frame;
    }
    if (known == motion.frames) {
      throw_input(path.string(), fmt::format("{} is in no frame", joint_text(motion, column / 3)),
                  "remove it from the file");
    }
    for (std::size_t gap = known + 1; gap < motion.frames; ++gap) at(gap) = at(known);
  }
}

Motion with_frames(const Motion& motion, std::size_t frames) {
  BAUTA_ASSERT(frames > 0 && motion.frames > 0);
  Motion result{frames, motion.joints, std::vector<float>(frames * motion.width()), motion.rate, motion.names};
  if (motion.frames > 1) result.rate *= static_cast<double>(frames - 1) / static_cast<double>(motion.frames - 1);
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const double place = frames == 1 ? 0
                                     : static_cast<double>(frame) * static_cast<double>(motion.frames - 1) /
                                           static_cast<double>(frames - 1);
    const auto before = static_cast<std::size_t>(place);
    const std::size_t after = std::min(before + 1, motion.frames - 1);
    for (std::size_t column = 0; column < motion.width(); ++column) {
      result.positions[frame * motion.width() + column] = static_cast<float>(
          std::lerp(double{motion.positions[before * motion.width() + column]},
                    double{motion.positions[after * motion.width() + column]}, place - static_cast<double>(before)));
    }
  }
  return result;
}

}  // namespace bauta
