// Bulk numbers that would not fit the memory budget: an unnamed temporary file, mapped for reading.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bauta {

/// The file has no name (nothing is left behind, whatever happens) and lives in TMPDIR or /tmp.
class Spill {
 public:
  Spill();
  ~Spill();
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

  /// Thread-safe for disjoint ranges.
  void write(std::uint64_t offset, const void* data, std::size_t size);
  /// Maps what was written so far, `size` bytes. Call once, after the last write.
  void map(std::size_t size);
  template <class T>
  [[nodiscard]] const T* as() const {
    return static_cast<const T*>(mapping_);
  }

 private:
  int descriptor_ = -1;
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
};

}  // namespace bauta
