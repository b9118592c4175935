// What techniques that mask media share: they take one medium of their kind at a time, and no templates.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "bauta/core/error.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {

template <class Kind>
class MediumProtection : public Protection {
 public:
  void check(const Templates&, const std::string& where, const ProtectContext&) const final {
    throw_usage(technique_, "masks media, " + where + " holds templates", "name data with media");
  }
  [[nodiscard]] Templates protect(const Templates&, std::size_t, const ProtectContext&) const final {
    BAUTA_ASSERT(false);  // check() refuses
  }
  [[nodiscard]] Medium mask(const Medium& medium, std::size_t sample, const ProtectContext& context) const final {
    return masked(medium_as<Kind>(medium, technique_), sample, context);
  }

 protected:
  explicit MediumProtection(std::string technique) : technique_(std::move(technique)) {}
  [[nodiscard]] virtual Kind masked(const Kind& medium, std::size_t sample, const ProtectContext& context) const = 0;
  [[nodiscard]] const std::string& technique() const { return technique_; }

 private:
  std::string technique_;
};

}  // namespace bauta
