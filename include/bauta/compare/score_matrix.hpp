// The full score matrix, streamed to disk: float32, row-major, probes by references, at an offset of an open output.
#pragma once

#include "bauta/compare/engine.hpp"
#include "bauta/core/output.hpp"

namespace bauta {

class ScoreMatrixWriter : public TileConsumer {
 public:
  /// The caller has written the header, `offset` bytes long.
  ScoreMatrixWriter(OutputFile& file, std::uint64_t offset, std::size_t references)
      : file_(file), offset_(offset), references_(references) {}

  void consume(const Tile& tile) override;

 private:
  OutputFile& file_;
  std::uint64_t offset_;
  std::size_t references_;
};

}  // namespace bauta
