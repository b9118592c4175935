// No protection: the clear-data ceiling that every other number is read against.
#include "bauta/protect/protection.hpp"

namespace bauta {
namespace {

class None : public Protection {
 public:
  void check(const Templates&, const std::string&, const ProtectContext&) const override {}

  [[nodiscard]] Templates protect(const Templates& block, std::size_t, const ProtectContext&) const override {
    return block;
  }

  [[nodiscard]] Medium mask(const Medium& medium, std::size_t, const ProtectContext&) const override { return medium; }
};

}  // namespace

Entry<Protection> none_protection() {
  return {{.name = "none", .paper = "", .doc = "data as they are", .medium = "any", .masks = false},
          [](const Parameters&) { return std::make_unique<None>(); }};
}

}  // namespace bauta
