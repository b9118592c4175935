// Negated share of differing bits of two binary templates.
#include <bit>

#include <fmt/format.h>

#include "bauta/compare/comparator.hpp"
#include "bauta/core/simd.hpp"

namespace bauta {

namespace {

struct PreparedBits : Prepared {
  Templates templates;
  [[nodiscard]] std::size_t rows() const override { return templates.rows(); }
};

BAUTA_MULTIVERSION void negated_shares(const std::uint64_t* probe, MatrixView<const std::uint64_t> references,
                                       float per_bit, float* scores) {
  for (std::size_t j = 0; j < references.rows; ++j) {
    const std::uint64_t* reference = references.data + j * references.stride;
    int differing = 0;
    for (std::size_t w = 0; w < references.cols; ++w) differing += std::popcount(probe[w] ^ reference[w]);
    scores[j] = -static_cast<float>(differing) * per_bit;
  }
}

class Hamming : public Comparator {
 public:
  std::unique_ptr<const Prepared> prepare(const Templates& templates, Side, const std::string& where) const override {
    if (templates.kind() != ElementKind::bits) {
      throw_input(where,
                  fmt::format("Hamming distance needs binary templates, these are {}", to_text(templates.kind())));
    }
    auto prepared = std::make_unique<PreparedBits>();
    prepared->templates = templates;
    return prepared;
  }

  void tile(const Prepared& probes, RowRange probe_rows, const Prepared& references, RowRange reference_rows,
            MatrixView<float> scores) const override {
    const auto p = static_cast<const PreparedBits&>(probes).templates.words();
    const auto& reference_bits = static_cast<const PreparedBits&>(references).templates;
    const auto r = reference_bits.words();
    BAUTA_ASSERT(p.cols == r.cols);
    const float per_bit = 1.0F / static_cast<float>(reference_bits.cols());
    for (std::size_t i = 0; i < probe_rows.size(); ++i) {
      negated_shares(p.row(probe_rows.begin + i).data(), r.slice(reference_rows.begin, reference_rows.size()), per_bit,
                     scores.row(i).data());
    }
  }
};

}  // namespace

Entry<Comparator> hamming_comparator() {
  return {{.name = "hamming", .paper = "", .doc = "negated share of differing bits", .medium = "template"},
          [](const Parameters&) { return std::make_unique<Hamming>(); }};
}

}  // namespace bauta
