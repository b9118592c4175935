// NFR's comparator (Terhorst et al. 2020): a stored template names, feature by feature, a value that its owner does not
// have; the score is the share of features in which a presented positive template does not have it either.
#include <algorithm>

#include <fmt/format.h>

#include "code_planes.hpp"

namespace bauta {
namespace {

class Nfr : public Comparator {
 public:
  explicit Nfr(const Parameters& parameters) : bins_(static_cast<std::size_t>(parameters.integer("bins"))) {}

  std::unique_ptr<const Prepared> prepare(const Templates& templates, Side, const std::string& where) const override {
    auto planes = std::make_unique<CodePlanes>(templates, where);
    const MatrixView<const std::uint8_t> codes = templates.codes();
    for (std::size_t i = 0; i < codes.rows; ++i) {
      const std::uint8_t largest = codes.cols == 0 ? 0 : *std::ranges::max_element(codes.row(i));
      if (largest >= bins_) {
        throw_input(fmt::format("{} row {}", where, i + 1),
                    fmt::format("holds the code {}, nfr:bins={} takes 0 to {}", largest, bins_, bins_ - 1));
      }
    }
    return planes;
  }

  void tile(const Prepared& probes, RowRange probe_rows, const Prepared& references, RowRange reference_rows,
            MatrixView<float> scores) const override {
    const auto& p = static_cast<const CodePlanes&>(probes);
    CodePlanes::count_equal(p, probe_rows, static_cast<const CodePlanes&>(references), reference_rows, scores);
    const auto all = static_cast<float>(p.width());
    for (std::size_t i = 0; i < scores.rows; ++i) {
      for (float& score : scores.row(i)) score = (all - score) / all;
    }
  }

  // 4096 codes of two bits: a quarter of the usual tile stays in the second-level cache.
  [[nodiscard]] std::size_t reference_tile() const override { return 512; }

 private:
  std::size_t bins_;
};

}  // namespace

Entry<Comparator> nfr_comparator() {
  return {{.name = "nfr",
           .paper = "Terhorst et al. 2020, Unsupervised Enhancement of Soft-biometric Privacy with Negative Face "
                    "Recognition",
           .doc = "share of features whose positive code is not the stored negative one",
           .medium = "template",
           .parameters = {{"bins", ParameterType::integer, "4", "values that a code can have", 2, 256}}},
          [](const Parameters& parameters) { return std::make_unique<Nfr>(parameters); }};
}

}  // namespace bauta
