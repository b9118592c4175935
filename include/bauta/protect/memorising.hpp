// What others must know of techniques that learn people by heart.
#pragma once

namespace bauta {

/// A protection that is one of these as well holds the samples that it learned from. What it learned is as sensitive as
/// they are: it is written where somebody asks for it, and nowhere else.
class MemorisingProtection {
 public:
  virtual ~MemorisingProtection() = default;
};

}  // namespace bauta
