#include "bauta/compare/engine.hpp"

#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

#include <gtest/gtest.h>

#include "bauta/compare/score_matrix.hpp"
#include "bauta/core/parallel.hpp"
#include "random_templates.hpp"

namespace bauta {
namespace {

// Small tiles, so that edges and the diagonal are met with few rows. Score = 1000 * probe + reference.
class Numbered : public Comparator {
 public:
  struct Rows : Prepared {
    std::size_t count = 0;
    [[nodiscard]] std::size_t rows() const override { return count; }
  };
  std::unique_ptr<const Prepared> prepare(const Templates& templates, Side, const std::string&) const override {
    auto rows = std::make_unique<Rows>();
    rows->count = templates.rows();
    return rows;
  }
  void tile(const Prepared&, RowRange p, const Prepared&, RowRange r, MatrixView<float> scores) const override {
    for (std::size_t i = 0; i < p.size(); ++i) {
      for (std::size_t j = 0; j < r.size(); ++j) scores(i, j) = static_cast<float>(1000 * (p.begin + i) + r.begin + j);
    }
  }
  [[nodiscard]] std::size_t probe_tile() const override { return 4; }
  [[nodiscard]] std::size_t reference_tile() const override { return 5; }
};

class Collect : public TileConsumer {
 public:
  explicit Collect(Pairs pairs) : pairs_(pairs) {}
  void consume(const Tile& tile) override {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < tile.probes.size(); ++i) {
      for (std::size_t j = first_reference(tile, i, pairs_); j < tile.references.size(); ++j)
        seen.insert(tile.scores(i, j));
    }
  }
  std::multiset<float> seen;

 private:
  Pairs pairs_;
  std::mutex mutex_;
};

TEST(Engine, SeesEachPairOnce) {
  const Numbered comparator;
  for (const std::size_t n : {1U, 2U, 4U, 5U, 9U, 23U}) {
    const auto rows = comparator.prepare(random_templates(n, 1, 1), Side::probe, "x");
    std::multiset<float> all, distinct;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        all.insert(static_cast<float>(1000 * i + j));
        if (j > i) distinct.insert(static_cast<float>(1000 * i + j));
      }
    }
    for (const Pairs pairs : {Pairs::all, Pairs::distinct}) {
      Collect collect(pairs);
      TileConsumer* const consumers[] = {&collect};
      compare_all(comparator, *rows, *rows, pairs, consumers);
      EXPECT_EQ(collect.seen, pairs == Pairs::all ? all : distinct) << n;
    }
  }
}

TEST(Engine, WritesTheFullMatrix) {
  const Numbered comparator;
  const auto probes = comparator.prepare(random_templates(7, 1, 1), Side::probe, "x");
  const auto references = comparator.prepare(random_templates(11, 1, 1), Side::reference, "x");
  const auto path = std::filesystem::path(testing::TempDir()) / "bauta_scores";
  OutputFile file(path);
  file.write("head");
  ScoreMatrixWriter writer(file, 4, 11);
  TileConsumer* const consumers[] = {&writer};
  compare_all(comparator, *probes, *references, Pairs::all, consumers);
  file.commit();
  std::ifstream in(path, std::ios::binary);
  in.seekg(4);
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t j = 0; j < 11; ++j) {
      float score = 0;
      in.read(reinterpret_cast<char*>(&score), sizeof score);
      ASSERT_EQ(score, static_cast<float>(1000 * i + j));
    }
  }
  EXPECT_EQ(in.peek(), EOF);
}

}  // namespace
}  // namespace bauta
