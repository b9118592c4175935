// Images that can be laid over others: those of a folder, or smooth textures.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "bauta/core/random.hpp"
#include "bauta/data/image.hpp"

namespace bauta {

/// All images in a folder and its sub-folders, in the order of their names. A usage error where there are none, an
/// input error for what is no image or if they are too many to hold.
std::vector<Image> images_in_folder(const std::filesystem::path& folder);

/// As large as `shape` and with its channels: stretched bilinearly (an image of that size stays as it is); colour
/// becomes grey as 0.299 red + 0.587 green + 0.114 blue.
Image like(const Image& image, const Image& shape);

/// A smooth texture as large as `shape`, each channel for itself: noise of four wavelengths between half the width and
/// a 16th of it. Values lie evenly about 127.5.
Image texture(const Image& shape, Stream& stream);

}  // namespace bauta
