// Whether templates of one person under different keys can be linked (ISO/IEC 30136).
#pragma once

#include "bauta/data/dataset.hpp"
#include "bauta/measure/verification.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

/// Which samples of one data set are those of the other: none is compared with itself under the other key.
enum class SameSamples {
  by_name,  ///< those of one `id` or `file`; where nothing names them, the order of the people tells, with a remark
  by_row,   ///< all of them, row by row
  none,     ///< other samples, whatever their labels say
};

struct UnlinkabilityRun {
  std::string comparator;  ///< who links: a comparator; empty: the technique's own comparator
  /// At most so many samples of a subject, a seeded choice: otherwise the few with many pictures decide.
  std::size_t samples = 4;
  SameSamples same = SameSamples::by_name;
  VerificationOptions options;
};

/// Mated: one person under two keys; non-mated: two people under two keys. Measures as in `verify`: `d_sys`,
/// `d_sys_null`, `maximal_linkability` and the rest. The null levels exchange whole people, not comparisons, because
/// under two given keys all comparisons of one person move together.
Answer run_unlinkability(const Dataset& a, const Dataset& b, const UnlinkabilityRun& run);

}  // namespace bauta
