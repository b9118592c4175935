#include "bauta/compare/engine.hpp"

#include <algorithm>

#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"

namespace bauta {

void TileConsumer::finish(RowRange, int) {}

std::size_t first_reference(const Tile& tile, std::size_t i, Pairs pairs) {
  if (pairs == Pairs::all) return 0;
  const std::size_t first = tile.probes.begin + i + 1;
  return first <= tile.references.begin ? 0 : std::min(first - tile.references.begin, tile.references.size());
}

void compare_all(const Comparator& comparator, const Prepared& probes, const Prepared& references, Pairs pairs,
                 std::span<TileConsumer* const> consumers, const std::string& progress) {
  const std::size_t probe_rows = probes.rows();
  const std::size_t reference_rows = references.rows();
  if (pairs == Pairs::distinct) BAUTA_ASSERT(probe_rows == reference_rows);
  const std::size_t height = comparator.probe_tile();
  const std::size_t width = comparator.reference_tile();
  const std::size_t blocks = (probe_rows + height - 1) / height;

  std::vector<Matrix<float>> scratch(static_cast<std::size_t>(threads()));
  Progress bar(progress, static_cast<std::uint64_t>(probe_rows) * reference_rows / (pairs == Pairs::all ? 1 : 2));
  parallel_for(blocks, [&](std::size_t block, int worker) {
    Matrix<float>& scores = scratch[static_cast<std::size_t>(worker)];
    if (scores.size() == 0) scores = Matrix<float>(height, width);
    const RowRange probe_range{block * height, std::min((block + 1) * height, probe_rows)};
    // Of distinct pairs, a probe meets only references after itself: tiles begin where the probes do.
    for (std::size_t begin = pairs == Pairs::all ? 0 : probe_range.begin; begin < reference_rows; begin += width) {
      const RowRange reference_range{begin, std::min(begin + width, reference_rows)};
      const MatrixView<float> view(scores.data(), probe_range.size(), reference_range.size(), width);
      comparator.tile(probes, probe_range, references, reference_range, view);
      const Tile tile{probe_range, reference_range, view, worker};
      for (TileConsumer* consumer : consumers) consumer->consume(tile);
      bar.add(probe_range.size() * reference_range.size());
    }
    for (TileConsumer* consumer : consumers) consumer->finish(probe_range, worker);
  });
}

}  // namespace bauta
