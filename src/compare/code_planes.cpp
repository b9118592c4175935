#include "code_planes.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/simd.hpp"

namespace bauta {

namespace {

// A row is a sequence of groups of 512 codes; a group holds its planes one after the other, 8 words each, so that the
// planes of a group are combined in full vector registers. Places beyond the width are zero in every row.
constexpr std::size_t group_words = 8;
constexpr std::size_t group_codes = 64 * group_words;

std::size_t groups_for(std::size_t width) {
  return (width + group_codes - 1) / group_codes;
}

/// Rows from the first that is compared.
struct PlaneRows {
  const std::uint64_t* bits;
  std::size_t planes;
};

/// One probe with `count` references. The two sides may have different numbers of planes: where one has none, its bits
/// are zero.
BAUTA_MULTIVERSION void equal_codes(PlaneRows probe, PlaneRows references, std::size_t width, std::size_t count,
                                    float* equal) {
  const std::size_t groups = groups_for(width);
  const std::size_t common = std::min(probe.planes, references.planes);
  for (std::size_t j = 0; j < count; ++j) {
    const std::uint64_t* p = probe.bits;
    const std::uint64_t* r = references.bits + j * groups * references.planes * group_words;
    int differing = 0;
    for (std::size_t group = 0; group < groups; ++group) {
      std::uint64_t difference[group_words] = {};
      for (std::size_t b = 0; b < common; ++b, p += group_words, r += group_words) {
        for (std::size_t w = 0; w < group_words; ++w) difference[w] |= p[w] ^ r[w];
      }
      for (std::size_t b = common; b < probe.planes; ++b, p += group_words) {
        for (std::size_t w = 0; w < group_words; ++w) difference[w] |= p[w];
      }
      for (std::size_t b = common; b < references.planes; ++b, r += group_words) {
        for (std::size_t w = 0; w < group_words; ++w) difference[w] |= r[w];
      }
      for (const std::uint64_t word : difference) differing += std::popcount(word);
    }
    equal[j] = static_cast<float>(static_cast<int>(width) - differing);
  }
}

}  // namespace

CodePlanes::CodePlanes(const Templates& templates, const std::string& where) : width_(templates.cols()) {
  if (templates.kind() != ElementKind::code8) {
    throw_input(where, fmt::format("codes are compared here, these templates are {}", to_text(templates.kind())));
  }
  const auto codes = templates.codes();
  std::vector<std::uint8_t> largest(codes.rows, 0);
  parallel_for(codes.rows, [&](std::size_t i, int) {
    for (const std::uint8_t code : codes.row(i)) largest[i] = std::max(largest[i], code);
  });
  const unsigned top = largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end());
  planes_ = static_cast<std::size_t>(std::bit_width(top));
  bits_ = Matrix<std::uint64_t>(codes.rows, groups_for(width_) * planes_ * group_words);
  parallel_for(codes.rows, [&](std::size_t i, int) {
    const auto to = bits_.row(i);
    std::fill(to.begin(), to.end(), 0);
    for (std::size_t j = 0; j < width_; ++j) {
      const std::uint64_t code = codes(i, j);
      std::uint64_t* word = to.data() + j / group_codes * planes_ * group_words + j / 64 % group_words;
      for (std::size_t b = 0; b < planes_; ++b) word[b * group_words] |= (code >> b & 1) << (j % 64);
    }
  });
}

void CodePlanes::count_equal(const CodePlanes& probes, RowRange probe_rows, const CodePlanes& references,
                             RowRange reference_rows, MatrixView<float> equal) {
  BAUTA_ASSERT(probes.width_ == references.width_);
  const std::uint64_t* first = references.bits_.data() + reference_rows.begin * references.bits_.cols();
  for (std::size_t i = 0; i < probe_rows.size(); ++i) {
    equal_codes({probes.bits_.row(probe_rows.begin + i).data(), probes.planes_}, {first, references.planes_},
                probes.width_, reference_rows.size(), equal.row(i).data());
  }
}

}  // namespace bauta
