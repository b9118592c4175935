// Splits with something known about them: what an attack finds there says what its findings elsewhere are worth.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "bauta/core/json.hpp"
#include "bauta/question/attack_data.hpp"

namespace bauta {

/// Shares of the way from chance to certainty that are planted, largest first.
inline constexpr double planted_advantages[] = {0.9, 0.6, 0.4, 0.2, 0.1, 0.05};

/// Nothing can be learned: subjects exchange their classes, within each part. In the test part too, because a chance
/// leaning of the training labels to the true classes, however small, would show in all test samples of a class at
/// once. Samples of one subject keep one class; where subjects have samples of several classes, samples exchange them.
AttackSplit exchange_labels(AttackSplit split, const std::string& attribute, std::uint64_t seed);

/// Only the planted leak can be learned: classes are exchanged, and a leak of the given size (see
/// PlantedLeak) follows the new ones. Without a development part. Empty where it cannot be planted.
std::optional<AttackSplit> plant_leak(AttackSplit split, const std::string& attribute, double size, std::uint64_t seed);

/// Whether an attack found something: its balanced accuracy is three standard errors above chance or more, judged by
/// its 95 % interval. Stricter than the interval, because many attacks are looked at.
bool found_something(double balanced, double low, double chance);

/// What an attack found where nothing was planted, and in leaks of falling size, down to the first that it did not
/// find: `null`, `planted` and the `smallest` size found. Null where nothing could be planted. `null` and what
/// `attempt` gives for a size hold `balanced` and `ci`; it gives null where it cannot plant.
Json control_ladder(double chance, Json null, const std::function<Json(double size)>& attempt);

/// Whether an attack passed its controls: nothing found where nothing is. Empty where there are none.
std::optional<bool> control_health(const Json& control);

/// A share of the training subjects of each class, at least two; those of a smaller share are among those of a larger.
AttackSplit thin_training(AttackSplit split, const std::string& attribute, double share, std::uint64_t seed);

}  // namespace bauta
