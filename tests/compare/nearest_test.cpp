// Expected neighbours come from comparing everything in double, one sum after the other.
#include "bauta/compare/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "random_templates.hpp"
#include "screen.hpp"

namespace bauta {
namespace {

constexpr std::size_t n = 7;
constexpr std::uint64_t seed = 3;

float score(PairForm form, std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double difference = static_cast<double>(a[k]) - b[k];
    sum += form == PairForm::product ? static_cast<double>(a[k]) * b[k] : difference * difference;
  }
  return static_cast<float>(form == PairForm::product ? sum : -std::sqrt(sum));
}

/// Which of equally near ones are chosen is what TopN would choose among all.
void expect_exact(const TopN& found, const PreparedRows& probes, const PreparedRows& references) {
  TopN expected(n, probes.rows(), references.rows(), seed);
  for (std::size_t i = 0; i < probes.rows(); ++i) {
    std::vector<Neighbour> all;
    std::vector<float> scores;
    for (std::uint32_t j = 0; j < references.rows(); ++j) {
      all.push_back({score(probes.form, probes.templates.floats().row(i), references.templates.floats().row(j)), j});
      scores.push_back(all.back().score);
    }
    expected.keep(i, all);
    std::ranges::sort(scores, std::greater());
    for (std::size_t k = 0; k < n; ++k) {
      ASSERT_EQ(found.best(i)[k].score, scores[k]) << "probe " << i << ", neighbour " << k;
      ASSERT_EQ(found.best(i)[k].reference, expected.best(i)[k].reference) << "probe " << i << ", neighbour " << k;
    }
  }
}

struct Kind {
  const char* name;
  /// Changes element k of row i, a standard normal number.
  std::function<float(float value, std::size_t i, std::size_t k)> change;
  bool zeros = false;
  bool large_mean = false;
};

float of_cluster(std::size_t cluster, std::size_t k) {
  return static_cast<float>(Stream(9, "clusters", cluster * 1000 + k).normal());
}

const std::vector<Kind> kinds = {
    {"normal", [](float v, std::size_t, std::size_t) { return v; }},
    {"clustered", [](float v, std::size_t i, std::size_t k) { return 3 * of_cluster(i % 20, k) + 1e-3F * v; }},
    {"every row five times", [](float, std::size_t i, std::size_t k) { return of_cluster(i % 300, k); }},
    {"small integers", [](float v, std::size_t, std::size_t) { return std::round(v); }},
    {"large mean", [](float v, std::size_t, std::size_t k) { return v + 1000.0F * static_cast<float>(k % 3); }, false,
     true},
    {"tiny", [](float v, std::size_t, std::size_t) { return 1e-15F * v; }},
    {"huge", [](float v, std::size_t, std::size_t) { return 1e16F * v; }},
    {"rows of many lengths",
     [](float v, std::size_t i, std::size_t) { return std::ldexp(v, static_cast<int>(i % 7)); }},
    {"columns of many widths",
     [](float v, std::size_t, std::size_t k) { return std::ldexp(v, static_cast<int>(k % 13)); }},
    {"an outlier", [](float v, std::size_t i, std::size_t) { return i == 77 ? 1e6F * v : v; }},
    {"some rows zero", [](float v, std::size_t i, std::size_t) { return i % 50 == 0 ? 0 : v; }, true},
};

Templates templates(const Kind& kind, std::size_t rows, std::size_t cols, std::uint64_t data_seed) {
  const Templates normal = random_templates(rows, cols, data_seed);
  Matrix<float> values(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < cols; ++k) values(i, k) = kind.change(normal.floats()(i, k), i, k);
  }
  return Templates(std::move(values));
}

TEST(Screen, NeighboursAreExact) {
  for (const std::string name : {"euclidean", "dot", "cosine"}) {
    const auto comparator = make_comparator(name);
    for (const Kind& kind : kinds) {
      for (const std::size_t cols : {1, 8, 37, 90}) {
        if (name == "cosine" && (cols < 37 || kind.zeros)) continue;  // no direction
        SCOPED_TRACE(fmt::format("{}, {}, {} columns", name, kind.name, cols));
        const auto r = comparator->prepare(templates(kind, 1100, cols, 1), Side::reference, "references");
        const auto p = comparator->prepare(templates(kind, 66, cols, 2), Side::probe, "probes");
        for (const bool in_vectors : {false, Screen::available()}) {
          if (!in_vectors && Screen::available() && cols > 37) continue;  // slow
          TopN found(n, p->rows(), r->rows(), seed);
          if (Screen(as_rows(*r), in_vectors).nearest(as_rows(*p), found)) {
            ASSERT_NO_FATAL_FAILURE(expect_exact(found, as_rows(*p), as_rows(*r)));
          } else {
            // Single integers are all alike; angles from far away differ too little.
            EXPECT_TRUE(cols == 1 || (name != "euclidean" && kind.large_mean));
          }
        }
      }
    }
  }
}

// From so far away many distances are equal once rounded, and chance decides among references that the screen could
// tell apart.
TEST(Screen, KeepsWhatRoundingMakesEqual) {
  const Kind far{"far", [](float v, std::size_t, std::size_t) { return std::ldexp(v, 18); }};
  const auto comparator = make_comparator("euclidean");
  const auto r = comparator->prepare(random_templates(1500, 8, 1), Side::reference, "references");
  const auto p = comparator->prepare(templates(far, 200, 8, 2), Side::probe, "probes");
  TopN found(n, p->rows(), r->rows(), seed);
  ASSERT_TRUE(Screen(as_rows(*r)).nearest(as_rows(*p), found));
  expect_exact(found, as_rows(*p), as_rows(*r));
}

TEST(Screen, RefusesWhatItCannotTellApart) {
  const auto comparator = make_comparator("euclidean");
  const auto p = comparator->prepare(random_templates(100, 16, 1), Side::probe, "probes");
  const auto r = comparator->prepare(Templates(Matrix<float>(1500, 16, 2.0F)), Side::reference, "references");
  TopN found(n, 100, 1500, seed);
  EXPECT_FALSE(Screen(as_rows(*r)).nearest(as_rows(*p), found));
}

TopN by_engine(const Comparator& comparator, const Templates& probes, const Templates& references, std::size_t count) {
  TopN result(count, probes.rows(), references.rows(), seed);
  TileConsumer* const consumers[] = {&result};
  compare_all(comparator, *comparator.prepare(probes, Side::probe, "probes"),
              *comparator.prepare(references, Side::reference, "references"), Pairs::all, consumers);
  return result;
}

void expect_same(const TopN& a, const TopN& b, std::size_t probes) {
  ASSERT_EQ(a.n_used(), b.n_used());
  for (std::size_t i = 0; i < probes; ++i) {
    for (std::size_t k = 0; k < a.n_used(); ++k) {
      ASSERT_EQ(a.best(i)[k].reference, b.best(i)[k].reference);
      ASSERT_NEAR(a.best(i)[k].score, b.best(i)[k].score, 1e-5);
    }
  }
}

// Distances of these integers are roots of integers, which the engine finds exactly too.
TEST(NeighbourSearch, IsTheEngineHoweverManyAreWanted) {
  const Templates probes = templates(kinds[3], 90, 24, 4);
  const Templates references = templates(kinds[3], 3000, 24, 5);
  const auto comparator = make_comparator("euclidean");
  const NeighbourSearch search(*comparator, references, "references");
  for (const std::size_t count : {1, 5, 46, 47, 500, 3000, 4000}) {
    SCOPED_TRACE(count);
    expect_same(search.nearest(probes, count, seed, "probes"), by_engine(*comparator, probes, references, count), 90);
  }
}

TEST(NeighbourSearch, IsTheEngineWhereAllAreEqual) {
  const Templates probes = random_templates(90, 24, 4);
  const Templates references(Matrix<float>(2000, 24, 1.0F));
  for (const char* name : {"euclidean", "cosine", "dot"}) {
    const auto comparator = make_comparator(name);
    const NeighbourSearch search(*comparator, references, "references");
    expect_same(search.nearest(probes, n, seed, "probes"), by_engine(*comparator, probes, references, n), 90);
  }
}

TEST(NeighbourSearch, OfBitsIsTheEngine) {
  Matrix<std::uint64_t> words(1200, 1);
  Stream stream(8, "bits");
  for (std::size_t i = 0; i < 1200; ++i) words(i, 0) = stream.next64();
  const Templates bits(std::move(words), 64);
  const auto comparator = make_comparator("hamming");
  const NeighbourSearch search(*comparator, bits, "references");
  expect_same(search.nearest(bits.slice(0, 20), n, seed, "probes"), by_engine(*comparator, bits.slice(0, 20), bits, n),
              20);
}

TEST(NeighbourSearch, SameBitsForAnyThreadCount) {
  const Templates probes = random_templates(300, 32, 6);
  const Templates references = random_templates(4000, 32, 7);
  const auto comparator = make_comparator("euclidean");
  const auto run = [&](int count) {
    set_threads(count);
    return NeighbourSearch(*comparator, references, "references").nearest(probes, n, seed, "probes");
  };
  const TopN one = run(1);
  const TopN three = run(3);
  set_threads(0);
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      ASSERT_EQ(one.best(i)[k].reference, three.best(i)[k].reference);
      ASSERT_EQ(one.best(i)[k].score, three.best(i)[k].score);
    }
  }
}

}  // namespace
}  // namespace bauta
