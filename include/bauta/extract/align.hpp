// Faces brought to one place: found, turned until the eyes are level, and cut out as a square.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

struct AlignOptions {
  std::size_t size = 112;   ///< edge of the square in pixels
  int upsample = 0;         ///< how often an image is doubled for the detector
  std::string models = {};  ///< folder of the weights; empty: where set-up put them
};

struct AlignedFolder {
  std::vector<std::string> files;    ///< of each row, relative to the folder; empty: it failed
  std::vector<std::string> reasons;  ///< of each row: why
  std::size_t failures = 0;
};

/// The largest face of each image as a square with level eyes at 48 % of its height, a third of its width apart: what
/// face extractors call frame=aligned. Found by dlib's detector of frontal faces and its five landmarks. Writes a
/// dataset folder of PNG files with numbers for names into an existing folder, on all threads. An image without a face,
/// or that cannot be read, is a row without a file and with 1 in `failed`; samples that failed before stay so. An input
/// error where nothing is left.
AlignedFolder write_aligned(const Dataset& media, const AlignOptions& options, const std::filesystem::path& folder);

}  // namespace bauta
