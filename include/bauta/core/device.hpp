// Where networks are trained: on the CPU, or on a CUDA device where the build and the machine have one.
#pragma once

namespace bauta {

enum class Device { cpu, cuda };

void set_device(Device device);
Device device();

}  // namespace bauta
