// What recoveries of media share: they take one medium of their kind at a time, and no templates.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/recover/recovery.hpp"

namespace bauta {

template <class Kind>
class MediumRecovery : public Recovery {
 public:
  [[nodiscard]] Medium undo(const Medium& medium, std::size_t sample) const final {
    return undone(medium_as<Kind>(medium, name_), sample);
  }

 protected:
  explicit MediumRecovery(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] virtual Kind undone(const Kind& medium, std::size_t sample) const = 0;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

using ImageRecovery = MediumRecovery<Image>;

/// An image of this shape; values are rounded half up and clamped.
Image with_pixels(const Image& shape, const std::vector<float>& values);

}  // namespace bauta
