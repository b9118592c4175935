#include "bauta/compare/comparator.hpp"

namespace bauta {

std::unique_ptr<Comparator> make_comparator(std::string_view specification) {
  const Specification parsed = Specification::parse(specification);
  const auto& entry = find_entry(comparators(), "comparator", parsed.name);
  return entry.make(Parameters(entry.declaration, parsed));
}

}  // namespace bauta
