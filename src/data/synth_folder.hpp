// What synthetic media share: a folder per identity, labels, and who says what.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bauta/core/random.hpp"
#include "bauta/data/synth_media.hpp"

namespace bauta {

struct SynthColumn {
  std::string name;
  std::vector<std::string> classes;
  bool of_identity = false;  ///< the same in all samples of one; otherwise classes follow each other
};

/// Writes labels.csv and the media: bytes(identity, sample, class of each column) on all threads.
void write_synth_folder(const std::filesystem::path& folder, const SynthMediaOptions& options,
                        const std::string& extension, const std::vector<SynthColumn>& columns,
                        const std::function<std::string(std::size_t identity, std::size_t sample,
                                                        const std::vector<std::size_t>& classes)>& bytes);

/// "p01", with as many digits as all identities need.
std::string synth_identity(std::size_t identity, const SynthMediaOptions& options);

}  // namespace bauta
