// Recognisers whose people are the classes of an estimator.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bauta/attack/recogniser.hpp"
#include "bauta/learn/estimator.hpp"

namespace bauta {

/// `preparation` before it learns; empty: as the options say.
std::unique_ptr<Recogniser> learned_recogniser(std::unique_ptr<Estimator> estimator,
                                               std::optional<std::string> preparation = std::nullopt);

}  // namespace bauta
