// Extractors that run what a user brings (a network in ONNX or TorchScript, weights in a folder of theirs) do so in a
// process of its own, the program bauta-model beside this one: it may neither write, nor start programs, nor reach a
// network, its memory and time are bounded, and whatever it does, this process lives on. What set-up installed is ours
// and runs in here.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bauta/extract/extractor.hpp"

namespace bauta {

/// Whether a parameter names files that are not ours.
bool runs_files_of_users(const Parameters& parameters);

/// The same features as the extractor of this specification gives in here. What it refuses when it is made is thrown
/// here; a medium on which it dies, takes too long or gives nonsense is an input error that says so.
/// BAUTA_MODEL_SECONDS and BAUTA_MODEL_MEMORY (MiB) change its limits of 120 s per medium and 8 GiB.
std::unique_ptr<Extractor> confined_extractor(std::string specification);
/// The same with one of these programs in place of bauta-model, the first that exists.
std::unique_ptr<Extractor> confined_extractor(std::string specification,
                                              const std::vector<std::filesystem::path>& programs);

}  // namespace bauta
