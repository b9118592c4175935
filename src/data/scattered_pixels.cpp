#include "bauta/data/scattered_pixels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

__extension__ using Wide = __int128;

/// Twice the area of a, b, c; above 0: they go round anticlockwise where y points up.
std::int64_t turn(const KnownPixel& a, const KnownPixel& b, const KnownPixel& c) {
  return std::int64_t{b.x - a.x} * (c.y - a.y) - std::int64_t{b.y - a.y} * (c.x - a.x);
}

/// Whether p lies within the circle through a, b, c, which go round anticlockwise; exactly.
bool in_circle(const KnownPixel& a, const KnownPixel& b, const KnownPixel& c, const KnownPixel& p) {
  const auto row = [&](const KnownPixel& q) {
    const std::int64_t x = q.x - p.x, y = q.y - p.y;
    return std::array<std::int64_t, 3>{x, y, x * x + y * y};
  };
  const auto u = row(a), v = row(b), w = row(c);
  return Wide{u[0]} * (Wide{v[1]} * w[2] - Wide{v[2]} * w[1]) - Wide{u[1]} * (Wide{v[0]} * w[2] - Wide{v[2]} * w[0]) +
             Wide{u[2]} * (Wide{v[0]} * w[1] - Wide{v[1]} * w[0]) >
         0;
}

constexpr std::int32_t nowhere = -1;  // the corner, infinitely far away, of triangles beyond the hull

struct Triangle {
  std::int32_t a = 0, b = 0, c = 0;  ///< anticlockwise; only c may be nowhere
  double right = 0;                  ///< no point beyond this x lies in its circle
};

/// Delaunay triangles by insertion from left to right (Bowyer 1981, Watson 1981): those whose circle is passed are
/// done.
class Triangulation {
 public:
  explicit Triangulation(const std::vector<KnownPixel>& points) : points_(points) {
    std::size_t third = 2;
    while (third < points.size() && turn(points[0], points[1], points[third]) == 0) ++third;
    if (third >= points.size()) return;  // all on one line
    begin(static_cast<std::int32_t>(third));
    for (std::size_t i = 2; i < third; ++i) insert(static_cast<std::int32_t>(i));
    for (std::size_t i = third + 1; i < points.size(); ++i) {
      pass(points[i].x);
      insert(static_cast<std::int32_t>(i));
    }
    pass(std::numeric_limits<double>::infinity());
  }

  [[nodiscard]] const std::vector<Triangle>& triangles() const { return done_; }

 private:
  using Edge = std::pair<std::int32_t, std::int32_t>;

  [[nodiscard]] const KnownPixel& at(std::int32_t i) const { return points_[static_cast<std::size_t>(i)]; }

  void begin(std::int32_t third) {
    const bool left = turn(at(0), at(1), at(third)) > 0;
    const std::int32_t a = left ? 0 : 1, b = left ? 1 : 0;
    add(a, b, third);
    add(b, a, nowhere);
    add(third, b, nowhere);
    add(a, third, nowhere);
  }

  void add(std::int32_t a, std::int32_t b, std::int32_t c) {
    if (a == nowhere) return add(b, c, a);
    if (b == nowhere) return add(c, a, b);
    open_.push_back({a, b, c, c == nowhere ? std::numeric_limits<double>::infinity() : right_of(a, b, c)});
  }

  [[nodiscard]] double right_of(std::int32_t a, std::int32_t b, std::int32_t c) const {
    const double bx = at(b).x - at(a).x, by = at(b).y - at(a).y, cx = at(c).x - at(a).x, cy = at(c).y - at(a).y;
    const double twice = 2 * (bx * cy - by * cx), b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    const double x = (cy * b2 - by * c2) / twice, y = (bx * c2 - cx * b2) / twice;
    const double radius = std::hypot(x, y);
    return at(a).x + x + radius * (1 + 1e-9) + 1e-6;  // more than rounding can take away
  }

  [[nodiscard]] bool in_the_way(const Triangle& t, const KnownPixel& p) const {
    if (t.c != nowhere) return in_circle(at(t.a), at(t.b), at(t.c), p);
    const std::int64_t side = turn(at(t.a), at(t.b), p);
    if (side != 0) return side > 0;
    const KnownPixel &a = at(t.a), &b = at(t.b);
    const std::int64_t along = std::int64_t{p.x - a.x} * (p.x - b.x) + std::int64_t{p.y - a.y} * (p.y - b.y);
    return along < 0;  // on the hull's edge
  }

  void insert(std::int32_t point) {
    edges_.clear();
    std::erase_if(open_, [&](const Triangle& t) {
      if (!in_the_way(t, at(point))) return false;
      edges_.insert(edges_.end(), {{t.a, t.b}, {t.b, t.c}, {t.c, t.a}});
      return true;
    });
    for (const auto& [from, to] : edges_) {
      if (std::find(edges_.begin(), edges_.end(), Edge{to, from}) == edges_.end()) add(from, to, point);
    }
  }

  void pass(double x) {
    std::erase_if(open_, [&](const Triangle& t) {
      if (t.c == nowhere || t.right >= x) return false;
      done_.push_back(t);
      return true;
    });
  }

  const std::vector<KnownPixel>& points_;
  std::vector<Triangle> open_, done_;
  std::vector<Edge> edges_;
};

class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height, std::size_t channels)
      : width_(static_cast<std::int32_t>(width)),
        height_(static_cast<std::int32_t>(height)),
        channels_(channels),
        values_(width * height * channels),
        filled_(width * height, false) {}

  void fill(const KnownPixel& a, const KnownPixel& b, const KnownPixel& c) {
    const auto whole = static_cast<double>(turn(a, b, c));
    for (std::int32_t y = std::min({a.y, b.y, c.y}); y <= std::max({a.y, b.y, c.y}); ++y) {
      double low = width_, high = -1;
      for (const auto& [from, to] : {std::pair{&a, &b}, std::pair{&b, &c}, std::pair{&c, &a}}) {
        if (std::min(from->y, to->y) > y || std::max(from->y, to->y) < y) continue;
        const double rise = to->y - from->y;
        const double x = rise == 0 ? from->x : from->x + (to->x - from->x) * ((y - from->y) / rise);
        low = std::min({low, x, rise == 0 ? to->x : x});
        high = std::max({high, x, rise == 0 ? to->x : x});
      }
      for (auto x = static_cast<std::int32_t>(std::ceil(low - 1e-6)); x <= high + 1e-6; ++x) {
        const KnownPixel here{x, y};
        const double of_a = static_cast<double>(turn(here, b, c)) / whole;
        const double of_b = static_cast<double>(turn(a, here, c)) / whole;
        const double of_c = 1 - of_a - of_b;
        put(x, y, [&](std::size_t k) { return of_a * a.value[k] + of_b * b.value[k] + of_c * c.value[k]; });
      }
    }
  }

  /// What no triangle covers.
  void fill_with_nearest(const std::vector<KnownPixel>& known) {
    if (std::find(filled_.begin(), filled_.end(), false) == filled_.end()) return;
    // In each column: the known pixel above or below that is nearest.
    std::vector<const KnownPixel*> nearest(filled_.size(), nullptr);
    for (const KnownPixel& pixel : known) nearest[place(pixel.x, pixel.y)] = &pixel;
    for (const bool down : {true, false}) {
      for (std::int32_t i = 1; i < height_; ++i) {
        const std::int32_t y = down ? i : height_ - 1 - i, before = down ? y - 1 : y + 1;
        for (std::int32_t x = 0; x < width_; ++x) {
          const KnownPixel *&own = nearest[place(x, y)], *other = nearest[place(x, before)];
          if (other != nullptr && (own == nullptr || std::abs(other->y - y) < std::abs(own->y - y))) own = other;
        }
      }
    }
    for (std::int32_t y = 0; y < height_; ++y) {
      for (std::int32_t x = 0; x < width_; ++x) {
        if (filled_[place(x, y)]) continue;
        const KnownPixel& found = *nearest_of(nearest, x, y);
        put(x, y, [&](std::size_t k) { return found.value[k]; });
      }
    }
  }

  [[nodiscard]] std::vector<float> take() { return std::move(values_); }

 private:
  [[nodiscard]] std::size_t place(std::int32_t x, std::int32_t y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }

  [[nodiscard]] const KnownPixel* nearest_of(const std::vector<const KnownPixel*>& in_column, std::int32_t x,
                                             std::int32_t y) const {
    const KnownPixel* found = nullptr;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::int32_t away = 0; away < width_ && std::int64_t{away} * away < least; ++away) {
      for (const std::int32_t column : {x - away, x + away}) {
        if (column < 0 || column >= width_) continue;
        const KnownPixel* const candidate = in_column[place(column, y)];
        if (candidate == nullptr) continue;
        const std::int64_t up = candidate->y - y, square = std::int64_t{away} * away + up * up;
        if (square < least) {
          least = square;
          found = candidate;
        }
      }
    }
    return found;
  }

  template <class Value>
  void put(std::int32_t x, std::int32_t y, const Value& value) {
    const std::size_t at = place(x, y);
    for (std::size_t k = 0; k < channels_; ++k) values_[at * channels_ + k] = static_cast<float>(value(k));
    filled_[at] = true;
  }

  std::int32_t width_, height_;
  std::size_t channels_;
  std::vector<float> values_;
  std::vector<bool> filled_;
};

}  // namespace

std::vector<float> interpolated(std::size_t width, std::size_t height, std::size_t channels,
                                std::vector<KnownPixel> known) {
  BAUTA_ASSERT(!known.empty() && channels <= 3);
  const auto order = [](const KnownPixel& a, const KnownPixel& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); };
  std::sort(known.begin(), known.end(), order);
  Canvas canvas(width, height, channels);
  const auto at = [&](std::int32_t i) -> const KnownPixel& { return known[static_cast<std::size_t>(i)]; };
  const Triangulation triangulation(known);
  for (const Triangle& t : triangulation.triangles()) canvas.fill(at(t.a), at(t.b), at(t.c));
  canvas.fill_with_nearest(known);
  return canvas.take();
}

}  // namespace bauta
