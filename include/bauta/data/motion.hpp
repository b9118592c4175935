// Motion as people have it after capture: where each joint or marker was, frame by frame.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bauta {

/// Positions, frame by frame, joint by joint, x y z.
struct Motion {
  std::size_t frames = 0;
  std::size_t joints = 0;
  std::vector<float> positions;
  double rate = 0;                 ///< frames per second; 0: unknown
  std::vector<std::string> names;  ///< of the joints; empty: unknown

  /// Values of a frame.
  [[nodiscard]] std::size_t width() const { return joints * 3; }
  bool operator==(const Motion&) const = default;
};

/// The content decides about the format; CSV, which has no mark, is known by its name.
/// - .npy of finite numbers of shape frames x joints x 3, which tells neither rate nor names;
/// - TRC and C3D (markers) and BVH (skeleton and angles: forward kinematics gives positions, ends of limbs included);
/// - CSV: three columns for each joint, NAME and x, y or z, or no header at all; columns `frame` and `time` beside
/// them. What is missing in a TRC, C3D or CSV is interpolated between the frames around it.
Motion read_motion(const std::filesystem::path& path);

/// Which of "head", "torso", "hip", "left_arm", "right_arm", "left_leg" and "right_leg" a joint belongs to: by words of
/// its name (ShoulderLeft, l_knee, neck) or its code of the Plug-in Gait markers (LFHD, RASI, T10). Empty: unknown.
std::string_view body_part(std::string_view joint);

/// As many frames as asked for, evenly from the first to the last, by linear interpolation.
Motion with_frames(const Motion& motion, std::size_t frames);

}  // namespace bauta
