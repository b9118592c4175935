// The two forms of k-Same, which share what they take the mean of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "face_space.hpp"
#include "image_protection.hpp"

namespace bauta {

struct KSameOptions {
  std::string technique;
  std::size_t k = 10;
  std::size_t components = 64;
  bool eigen = false;    ///< means are taken of coordinates, not of pixels
  std::string by = {};   ///< column of the classes that stay apart; empty: there are none
  bool several = false;  ///< partition: people may have several images
  std::size_t most = 0;  ///< background: images at most
};

/// Stands for a name where only numbers can be kept: 64 bits of its digest.
std::uint64_t mark_of(std::string_view name);

/// The class of each sample; all the same where there are none. A usage error for a column of numbers.
std::vector<std::string> classes_of(const Dataset& data, const KSameOptions& options);

/// Newton et al. 2005: the people of a data set in groups of k to 2k - 1, everybody shown as their group.
std::unique_ptr<const Protection> partitioned(const KSameOptions& options, const Dataset& whole,
                                              const ProtectContext& context);

/// Images of other people, of whom each sample is given the k - 1 most similar.
class Background {
 public:
  static Background learn(const KSameOptions& options, const Dataset& others, const ProtectContext& context);

  [[nodiscard]] FittedState state() const;
  static Background from(const KSameOptions& options, const FittedState& state, const std::string& where);

  [[nodiscard]] bool knows(std::uint64_t person) const;
  /// The mean of the image and of those of k - 1 others of its class. `person`: whose images are not taken.
  [[nodiscard]] Image mask(const Image& image, std::uint64_t person, std::uint64_t its_class) const;

 private:
  [[nodiscard]] std::vector<std::size_t> nearest(std::span<const float> coordinates, std::uint64_t person,
                                                 std::uint64_t its_class) const;

  KSameOptions options_;
  Gallery gallery_;
  std::vector<std::uint64_t> people_, classes_;  // of each image
  FaceSpace space_;
  Matrix<float> coordinates_;
};

}  // namespace bauta
