// Every estimator, one line each.
#include "bauta/learn/estimator.hpp"

namespace bauta {

Entry<Estimator> knn_estimator();
Entry<Estimator> logistic_estimator();
Entry<Estimator> mlp_estimator();
Entry<Estimator> random_forest_estimator();
Entry<Estimator> svm_linear_estimator();
Entry<Estimator> svm_poly_estimator();
Entry<Estimator> svm_rbf_estimator();
Entry<Estimator> svm_sigmoid_estimator();

const Catalogue<Estimator>& estimators() {
  static const Catalogue<Estimator> catalogue = {
      knn_estimator(),        logistic_estimator(), mlp_estimator(),     random_forest_estimator(),
      svm_linear_estimator(), svm_poly_estimator(), svm_rbf_estimator(), svm_sigmoid_estimator(),
  };
  return catalogue;
}

}  // namespace bauta
