#include "bauta/run/attack_data.hpp"

namespace bauta {

AttackData AttackData::of(const Dataset& train, const Dataset& test, const Dataset* dev) {
  AttackData data;
  data.attacked = [&train, &test, dev](std::size_t) {
    return AttackSplit{train, dev == nullptr ? std::nullopt : std::optional(*dev), test};
  };
  return data;
}

}  // namespace bauta
