// What a technique proves of itself, and promises of the samples of a data set: it holds whoever attacks, and whatever
// else they know.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace bauta {

struct Guarantee {
  enum class Kind {
    none,
    differential_privacy,  ///< of one masked image; what is released of several images adds up
    k_anonymity,           ///< k people share each masked image, at least
  };
  Kind kind = Kind::none;
  double epsilon = 0;       ///< of the whole image, all channels together
  double delta = 0;         ///< likewise
  std::size_t pixels = 0;   ///< images are neighbours if they differ in at most so many
  std::size_t k = 0;        ///< k-anonymity alone
  std::string remark = {};  ///< why there is none, how it comes about, or what it takes for granted
};

struct Range {
  std::size_t low = 0, high = 0;

  bool operator==(const Range&) const = default;
};

struct Promise {
  Guarantee guarantee = {};                     ///< the weakest of any sample
  std::map<std::string, Range> in_pixels = {};  ///< Protection::in_pixels() over the images
};

std::string to_text(Guarantee::Kind kind);
/// "no formal guarantee", or what is guaranteed and for whom.
std::string to_text(const Guarantee& guarantee);

/// What holds of images of which some have one guarantee and others the other, of the same kind or none.
Guarantee weaker(const Guarantee& a, const Guarantee& b);

}  // namespace bauta
