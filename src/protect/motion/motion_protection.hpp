// What techniques that mask motion share.
#pragma once

#include "../medium_protection.hpp"

namespace bauta {

using MotionProtection = MediumProtection<Motion>;

/// The paper of all of them that names no other.
inline constexpr const char* gait_paper = "as evaluated in A False Sense of Privacy and by Hanisch et al. 2023";

}  // namespace bauta
