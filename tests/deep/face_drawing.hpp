// A drawing for whatever looks for faces.
#pragma once

#include <cmath>

namespace bauta::test {

/// A face in a head on a sheet of 64 x 64, from 0 (black) to 1. Its eyes are 9 beside the middle and 31 from the top,
/// its mouth 48 from the top.
inline double drawn_face(double across, double down) {
  const double x = across - 32, y = down - 35, aside = std::abs(x) - 9;
  double tone = 0.9;
  if (std::hypot(x / 23, (y + 3) / 28) < 1 && y < 4) tone = 0.15;  // hair
  if (std::hypot(x / 20, y / 27) < 1 && y > -15) tone = 0.7;       // skin
  if (std::hypot(aside / 2.6, (y + 4) / 1.8) < 1) tone = 0.1;      // eyes
  if (std::abs(y + 9) < 1 && std::abs(aside) < 4) tone = 0.2;      // brows
  if (std::abs(x) < 1 && y > 0 && y < 7) tone = 0.55;              // nose
  if (std::abs(y - 13) < 1.2 && std::abs(x) < 8) tone = 0.3;       // mouth
  return tone;
}

}  // namespace bauta::test
