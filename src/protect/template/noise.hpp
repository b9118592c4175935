// Arithmetic on rows for techniques that add noise: vector instructions, with the same bits whichever there are.
#pragma once

#include <span>

namespace bauta {

double dot(std::span<const double> a, std::span<const double> b);

/// to = a * x + b * y
void combine(double a, std::span<const double> x, double b, std::span<const double> y, std::span<double> to);
void combine(double a, std::span<const double> x, double b, std::span<const double> y, std::span<float> to);

}  // namespace bauta
