// Motion as people have it after capture: where each joint or marker was, frame by frame.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace bauta {

/// Positions, frame by frame, joint by joint, x y z.
struct Motion {
  std::size_t frames = 0;
  std::size_t joints = 0;
  std::vector<float> positions;
  double rate = 0;                 ///< frames per second; 0: unknown
  std::vector<std::string> names;  ///< of the joints; empty: unknown

  bool operator==(const Motion&) const = default;
};

/// A .npy of finite numbers of shape frames x joints x 3. It tells neither rate nor names.
Motion read_motion(const std::filesystem::path& path);

}  // namespace bauta
