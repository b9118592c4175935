// Where numbers came from.
#pragma once

#include <string>

namespace bauta::report {

/// Which cell a series of numbers came from.
struct Series {
  std::string run;
  std::string data;       ///< "target", "attacker"; "test" under a protocol
  std::string technique;  ///< as written: "pe-miu:block=8"
  std::string variant;    ///< further fields of the cell's key, "repeat=2"; empty in a plain run
  std::string label;      ///< what people read: technique, variant, and the run where there are several

  /// Unprotected data: the ceiling of every attack and the floor of every error rate.
  [[nodiscard]] bool clear() const { return technique == "none" || technique.starts_with("none:"); }
};

}  // namespace bauta::report
