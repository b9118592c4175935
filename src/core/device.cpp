#include "bauta/core/device.hpp"

namespace bauta {

namespace {

Device chosen = Device::cpu;

}  // namespace

void set_device(Device device) {
  chosen = device;
}

Device device() {
  return chosen;
}

}  // namespace bauta
