// Every estimator, one line each.
#include "bauta/learn/estimator.hpp"

namespace bauta {

Entry<Estimator> knn_estimator();
Entry<Estimator> logistic_estimator();
Entry<Estimator> random_forest_estimator();

const Catalogue<Estimator>& estimators() {
  static const Catalogue<Estimator> catalogue = {
      knn_estimator(),
      logistic_estimator(),
      random_forest_estimator(),
  };
  return catalogue;
}

}  // namespace bauta
