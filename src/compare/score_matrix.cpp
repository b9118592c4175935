#include "bauta/compare/score_matrix.hpp"

namespace bauta {

void ScoreMatrixWriter::consume(const Tile& tile) {
  for (std::size_t i = 0; i < tile.probes.size(); ++i) {
    const std::uint64_t element =
        static_cast<std::uint64_t>(tile.probes.begin + i) * references_ + tile.references.begin;
    const auto row = tile.scores.row(i);
    file_.write_at(offset_ + element * sizeof(float), row.data(), row.size_bytes());
  }
}

}  // namespace bauta
