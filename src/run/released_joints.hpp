// Names of joints that leave the house: motion capture writes whose they are before them (Ann:Head).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bauta/data/dataset.hpp"

namespace bauta {

/// joints.txt in the folder of a release, if there is one, without what stands before the last colon of its names;
/// removed where joints of other motions are called otherwise. `originals`: names of the joints of each motion that the
/// release is made of. A usage error, which tells no name, where joints are told apart by what would be cut, or where
/// what is left names somebody of the data set.
void release_joint_names(const std::filesystem::path& folder, const std::vector<std::vector<std::string>>& originals,
                         const Dataset& dataset, std::vector<std::string>& remarks);

}  // namespace bauta
