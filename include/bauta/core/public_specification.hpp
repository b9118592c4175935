// How results name what made them: completely, but without places on this machine.
#pragma once

#include <string>

#include "bauta/core/declaration.hpp"

namespace bauta {

/// The resolved specification. Of a file it has the name, of folders and keys nothing; parameters without a value are
/// left out. What it names can be looked up elsewhere too, unlike a file that is called by its contents; a command calls
/// what it names so, because nobody else has its program.
std::string public_specification(const Declaration& declaration, const Parameters& parameters);

template <class Interface>
std::string public_specification(const Resolved<Interface>& resolved) {
  return public_specification(*resolved.declaration, resolved.parameters);
}

}  // namespace bauta
