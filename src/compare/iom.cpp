// Share of equal codes of two index-of-max hashes (Jin et al. 2018).
#include "code_planes.hpp"

namespace bauta {

namespace {

class Iom : public Comparator {
 public:
  explicit Iom(const Parameters& parameters) : jaccard_(parameters.text("score") == "jaccard") {}

  std::unique_ptr<const Prepared> prepare(const Templates& templates, Side, const std::string& where) const override {
    return std::make_unique<CodePlanes>(templates, where);
  }

  void tile(const Prepared& probes, RowRange probe_rows, const Prepared& references, RowRange reference_rows,
            MatrixView<float> scores) const override {
    const auto& p = static_cast<const CodePlanes&>(probes);
    CodePlanes::count_equal(p, probe_rows, static_cast<const CodePlanes&>(references), reference_rows, scores);
    const auto m = static_cast<float>(p.width());
    for (std::size_t i = 0; i < scores.rows; ++i) {
      for (float& score : scores.row(i)) score = jaccard_ ? score / (2 * m - score) : score / m;
    }
  }

  // Codes of hundreds of hashes in up to 8 planes: a quarter of the usual tile fills the cache.
  [[nodiscard]] std::size_t reference_tile() const override { return 512; }

 private:
  bool jaccard_;
};

}  // namespace

Entry<Comparator> iom_comparator() {
  return {{.name = "iom",
           .paper = "Jin, Hwang, Lai, Kim, Teoh 2018, Ranking-Based Locality Sensitive Hashing-Enabled Cancelable "
                    "Biometrics: Index-of-Max Hashing",
           .doc = "share of equal codes",
           .medium = "template",
           .parameters = {{.name = "score",
                           .type = ParameterType::choice,
                           .default_value = "share",
                           .doc = "of m codes c are equal: share c / m, jaccard c / (2m - c); both order pairs alike",
                           .choices = {"share", "jaccard"}}}},
          [](const Parameters& parameters) { return std::make_unique<Iom>(parameters); }};
}

}  // namespace bauta
