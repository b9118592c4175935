// k nearest neighbours, found exactly.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/compare/nearest.hpp"
#include "bauta/learn/regressor.hpp"
#include "training_data.hpp"

namespace bauta {
namespace {

/// The training samples, and which of them are nearest to others; of equally near ones some are chosen at random.
class Neighbours {
 public:
  explicit Neighbours(const Parameters& parameters)
      : k_(static_cast<std::size_t>(parameters.integer("k"))),
        comparator_(make_comparator(parameters.text("comparator"))) {}

  void fit(MatrixView<const float> x, const FitOptions& options) {
    if (x.rows == 0) throw_input(options.where, "no samples: nothing to learn from");
    Matrix<float> own(x.rows, x.cols);
    for (std::size_t i = 0; i < x.rows; ++i) std::ranges::copy(x.row(i), own.row(i).begin());
    search_ = std::make_unique<NeighbourSearch>(*comparator_, Templates(std::move(own)), options.where);
    seed_ = options.seed;
  }

  [[nodiscard]] TopN nearest(MatrixView<const float> x) const {
    return search_->nearest(Templates(x, nullptr), k_, seed_, "samples to classify");
  }

 private:
  std::size_t k_;
  std::unique_ptr<Comparator> comparator_;
  std::unique_ptr<const NeighbourSearch> search_;
  std::uint64_t seed_ = 1;
};

class Knn : public Estimator {
 public:
  explicit Knn(const Parameters& parameters) : neighbours_(parameters) {}

  void fit(MatrixView<const float> x, std::span<const std::int32_t> codes, std::size_t classes,
           const FitOptions& options) override {
    neighbours_.fit(x, options);
    codes_.assign(codes.begin(), codes.end());
    classes_ = classes;
  }

  /// Shares of the classes among the k nearest.
  [[nodiscard]] Matrix<double> predict_proba(MatrixView<const float> x) const override {
    const TopN nearest = neighbours_.nearest(x);
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
  Neighbours neighbours_;
  std::vector<std::int32_t> codes_;
  std::size_t classes_ = 0;
};

class KnnRegressor : public Regressor {
 public:
  explicit KnnRegressor(const Parameters& parameters) : neighbours_(parameters) {}

  void fit(MatrixView<const float> x, std::span<const double> values, const FitOptions& options) override {
    require_values(x, values, options.where);
    neighbours_.fit(x, options);
    values_.assign(values.begin(), values.end());
  }

  [[nodiscard]] std::vector<double> predict(MatrixView<const float> x) const override {
    const TopN nearest = neighbours_.nearest(x);
    std::vector<double> means;
    for (std::size_t i = 0; i < x.rows; ++i) {
      double sum = 0;
      for (const Neighbour& neighbour : nearest.best(i)) sum += values_[neighbour.reference];
      means.push_back(sum / static_cast<double>(nearest.n_used()));
    }
    return means;
  }

 private:
  Neighbours neighbours_;
  std::vector<double> values_;
};

template <class Interface, class Kind>
Entry<Interface> entry(std::string doc) {
  return {{.name = "knn",
           .paper = "Cover and Hart 1967, Nearest Neighbor Pattern Classification",
           .doc = std::move(doc),
           .medium = "template",
           .parameters = {{"k",
                           ParameterType::integer,
                           "5",
                           "neighbours that are asked",
                           1,
                           100000,
                           {},
                           {"1", "3", "5", "11", "21", "51"}},
                          {"comparator", ParameterType::text, "euclidean", "what nearness means: any comparator"}}},
          [](const Parameters& parameters) { return std::make_unique<Kind>(parameters); }};
}

}  // namespace

Entry<Estimator> knn_estimator() {
  return entry<Estimator, Knn>("vote of the k nearest training samples");
}
Entry<Regressor> knn_regressor() {
  return entry<Regressor, KnnRegressor>("mean of the k nearest training samples");
}

}  // namespace bauta
