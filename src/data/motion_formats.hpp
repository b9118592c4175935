// Readers of motion, one for each format.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/data/motion.hpp"

namespace bauta {

/// By the first bytes of a file.
bool is_npy(std::string_view start);
bool is_trc(std::string_view start);
bool is_bvh(std::string_view start);
bool is_c3d(std::string_view start);
/// CSV has no mark: its name decides.
bool is_motion_csv(const std::filesystem::path& path);

Motion read_trc(const std::filesystem::path& path);
Motion read_bvh(const std::filesystem::path& path);
Motion read_c3d(const std::filesystem::path& path);
Motion read_motion_csv(const std::filesystem::path& path);

/// A name in each line; blank lines are passed over.
std::vector<std::string> read_joint_names(const std::filesystem::path& path);

/// Replaces what is NaN by what lies on the line between the frames around it; before the first and after the last of
/// a coordinate, by these. An input error for a coordinate that is in no frame, and for infinities.
void fill_gaps(Motion& motion, const std::filesystem::path& path);

}  // namespace bauta
