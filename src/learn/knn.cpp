// k nearest neighbours, found by exhaustive comparison.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/compare/engine.hpp"
#include "bauta/compare/top_n.hpp"
#include "bauta/learn/estimator.hpp"

namespace bauta {
namespace {

class Knn : public Estimator {
 public:
  explicit Knn(const Parameters& parameters)
      : k_(static_cast<std::size_t>(parameters.integer("k"))),
        comparator_(make_comparator(parameters.text("comparator"))) {}

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    if (x.rows == 0) throw_input(options.where, "no samples: nothing to learn from");
    Matrix<float> own(x.rows, x.cols);
    for (std::size_t i = 0; i < x.rows; ++i) std::ranges::copy(x.row(i), own.row(i).begin());
    references_ = comparator_->prepare(Templates(std::move(own)), Side::reference, options.where);
    codes_.assign(codes.begin(), codes.end());
    classes_ = classes;
    seed_ = options.seed;
  }

  /// Shares of the classes among the k nearest; equally near ones are chosen between at random.
  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override {
    const auto probes = comparator_->prepare(Templates(x, nullptr), Side::probe, "samples to classify");
    TopN nearest(k_, x.rows, codes_.size(), seed_);
    TileConsumer* const consumers[] = {&nearest};
    compare_all(*comparator_, *probes, *references_, Pairs::all, consumers, "finding neighbours");
    Matrix<double> result(x.rows, classes_, 0.0);
    const double share = 1 / static_cast<double>(nearest.n_used());
    for (std::size_t i = 0; i < x.rows; ++i) {
      std::vector<std::size_t> votes(classes_, 0);
      for (const Neighbour& neighbour : nearest.best(i)) ++votes[static_cast<std::size_t>(codes_[neighbour.reference])];
      for (std::size_t c = 0; c < classes_; ++c) result(i, c) = static_cast<double>(votes[c]) * share;
    }
    return result;
  }

 private:
  std::size_t k_;
  std::unique_ptr<Comparator> comparator_;
  std::unique_ptr<const Prepared> references_;
  std::vector<std::int32_t> codes_;
  std::size_t classes_ = 0;
  std::uint64_t seed_ = 1;
};

}  // namespace

Entry<Estimator> knn_estimator() {
  return {{.name = "knn",
           .paper = "Cover and Hart 1967, Nearest Neighbor Pattern Classification",
           .doc = "vote of the k nearest training samples",
           .medium = "template",
           .learns = true,
           .parameters = {{"k", ParameterType::integer, "5", "neighbours that vote", 1, 100000},
                          {"comparator", ParameterType::text, "euclidean", "what nearness means: any comparator"}}},
          [](const Parameters& parameters) { return std::make_unique<Knn>(parameters); }};
}

}  // namespace bauta
