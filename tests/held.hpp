// Results that were written down. They do not say that a result is right (closed forms and other people's programs do,
// in the tests beside them), but that it is what it was: no constant, sign or draw changes unseen. Whoever means a
// change writes the new values down, which a failing test prints, and says in the commit why they changed. ctest runs them
// with OPENBLAS_CORETYPE=Haswell: kernels round in their own way.
#pragma once

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace bauta::test {

struct Held {
  std::string what;
  double value;
};

/// One number in which every value and its place count, of the size of one value.
template <class Values>
double fingerprint(const Values& values) {
  double sum = 0, place = 0;
  for (const auto& value : values) sum += std::cos(++place) * static_cast<double>(value);
  return place > 0 ? sum / std::sqrt(place) : 0;
}

/// `result(what)`: the values that are held. The tolerance is that of sums of floats in another order; what is trained
/// for some steps needs a wider one.
template <class Result>
void expect_held(const std::vector<Held>& held, Result&& result, double tolerance = 1e-5) {
  for (const Held& one : held) {
    const double found = fingerprint(result(one.what));
    if (std::abs(found - one.value) <= tolerance * std::max(1.0, std::abs(one.value))) continue;
    std::ostringstream line;
    line << "{\"" << one.what << "\", " << std::setprecision(9) << found << "},";
    ADD_FAILURE() << "was " << one.value << ", is\n" << line.str();
  }
}

}  // namespace bauta::test
