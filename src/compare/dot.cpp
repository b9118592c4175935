// Inner product of two templates, for those whose length carries meaning.
#include "gemm.hpp"

namespace bauta {

namespace {

class Dot : public Comparator {
 public:
  std::unique_ptr<const Prepared> prepare(const Templates& templates, Side, const std::string& where) const override {
    auto prepared = prepare_rows(templates, where);
    require_lengths(*prepared, where);
    return prepared;
  }

  void tile(const Prepared& probes, RowRange probe_rows, const Prepared& references, RowRange reference_rows,
            MatrixView<float> scores) const override {
    inner_products(as_rows(probes), probe_rows, as_rows(references), reference_rows, scores);
  }
};

}  // namespace

Entry<Comparator> dot_comparator() {
  return {{.name = "dot", .paper = "", .doc = "inner product of two templates", .medium = "template"},
          [](const Parameters&) { return std::make_unique<Dot>(); }};
}

}  // namespace bauta
