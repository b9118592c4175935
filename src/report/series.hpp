// Where numbers came from.
#pragma once

#include <string>

namespace bauta::report {

/// Which cell a series of numbers came from.
struct Series {
  std::string run;
  std::string data;          ///< "target", "attacker"; "test" under a protocol
  std::string technique;     ///< as written, with its parameters
  std::string variant;       ///< further fields of the cell's key, "repeat=2"; empty in a plain run
  std::string label;         ///< what people read: technique, variant, and the run where there are several
  bool unprotected = false;  ///< the ceiling of every attack and the floor of every error rate
  std::string prefix = {};   ///< "run: " where there are several runs

  /// The same run and variant, whatever the technique.
  [[nodiscard]] bool beside(const Series& other) const { return run == other.run && variant == other.variant; }
};

}  // namespace bauta::report
