#include "bauta/learn/estimator.hpp"

#include <algorithm>

#include "bauta/learn/regressor.hpp"

namespace bauta {

std::vector<std::int32_t> likeliest(MatrixView<const double> probabilities) {
  std::vector<std::int32_t> codes(probabilities.rows);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto row = probabilities.row(i);
    codes[i] = static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin());
  }
  return codes;
}

std::vector<std::int32_t> Estimator::predict(MatrixView<const float> x) const {
  return likeliest(predict_proba(x).view());
}

namespace {

template <class Interface>
std::unique_ptr<Interface> make(const Catalogue<Interface>& catalogue, std::string_view kind,
                                std::string_view specification) {
  const Specification parsed = Specification::parse(specification);
  const auto& entry = find_entry(catalogue, kind, parsed.name);
  return entry.make(Parameters(entry.declaration, parsed));
}

}  // namespace

std::unique_ptr<Estimator> make_estimator(std::string_view specification) {
  return make(estimators(), "estimator", specification);
}

std::unique_ptr<Regressor> make_regressor(std::string_view specification) {
  return make(regressors(), "regressor", specification);
}

}  // namespace bauta
