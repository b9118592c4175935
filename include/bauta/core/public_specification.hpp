// How results name what made them: completely, but without places on this machine.
#pragma once

#include <string>

#include "bauta/core/declaration.hpp"

namespace bauta {

/// The resolved specification. Of a file (`path`) it has the name, of folders and key files (`models`, `keyfile`)
/// nothing; parameters without a value are left out.
std::string public_specification(const Declaration& declaration, const Parameters& parameters);

template <class Interface>
std::string public_specification(const Resolved<Interface>& resolved) {
  return public_specification(*resolved.declaration, resolved.parameters);
}

}  // namespace bauta
