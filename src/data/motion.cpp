#include "bauta/data/motion.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/npy.hpp"

namespace bauta {

Motion read_motion(const std::filesystem::path& path) {
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
  array.shape = {motion.frames, motion.joints * 3};
  const Templates rows = to_float_templates(array);
  motion.positions.reserve(motion.frames * motion.joints * 3);
  for (std::size_t frame = 0; frame < motion.frames; ++frame) {
    const auto row = rows.floats().row(frame);
    motion.positions.insert(motion.positions.end(), row.begin(), row.end());
  }
  const auto bad = std::ranges::find_if(motion.positions, [](float value) { return !std::isfinite(value); });
  if (bad != motion.positions.end()) {
    throw_input(path.string(),
                fmt::format("{} in frame {}, expected a finite number", *bad,
                            static_cast<std::size_t>(bad - motion.positions.begin()) / (motion.joints * 3) + 1));
  }
  return motion;
}

}  // namespace bauta
