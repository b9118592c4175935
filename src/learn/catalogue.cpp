// Every estimator and every regressor, one line each.
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/regressor.hpp"
#include "calibration.hpp"

namespace bauta {

Entry<Estimator> cnn_estimator();
Entry<Estimator> knn_estimator();
Entry<Estimator> lda_estimator();
Entry<Estimator> logistic_estimator();
Entry<Estimator> mlp_estimator();
Entry<Estimator> random_forest_estimator();
Entry<Estimator> svm_linear_estimator();
Entry<Estimator> svm_poly_estimator();
Entry<Estimator> svm_rbf_estimator();
Entry<Estimator> svm_sigmoid_estimator();

Entry<Regressor> knn_regressor();
Entry<Regressor> mlp_regressor();
Entry<Regressor> random_forest_regressor();
Entry<Regressor> ridge_regressor();
Entry<Regressor> svm_linear_regressor();
Entry<Regressor> svm_poly_regressor();
Entry<Regressor> svm_rbf_regressor();
Entry<Regressor> svm_sigmoid_regressor();

const Catalogue<Estimator>& estimators() {
  static const Catalogue<Estimator> catalogue = [] {
    Catalogue<Estimator> plain = {
        cnn_estimator(),     knn_estimator(),           lda_estimator(),        logistic_estimator(),
        mlp_estimator(),     random_forest_estimator(), svm_linear_estimator(), svm_poly_estimator(),
        svm_rbf_estimator(), svm_sigmoid_estimator(),
    };
    for (auto& entry : plain) entry = with_calibration(std::move(entry));
    return plain;
  }();
  return catalogue;
}

const Catalogue<Regressor>& regressors() {
  static const Catalogue<Regressor> catalogue = {
      knn_regressor(),        mlp_regressor(),      random_forest_regressor(), ridge_regressor(),
      svm_linear_regressor(), svm_poly_regressor(), svm_rbf_regressor(),       svm_sigmoid_regressor(),
  };
  return catalogue;
}

}  // namespace bauta
