// Recognisers whose people are the classes of an estimator.
#pragma once

#include <memory>
#include <string_view>

#include "bauta/attack/recogniser.hpp"
#include "bauta/learn/estimator.hpp"

namespace bauta {

/// `preparation`: steps before it learns.
std::unique_ptr<Recogniser> learned_recogniser(std::unique_ptr<Estimator> estimator, std::string_view preparation);

}  // namespace bauta
