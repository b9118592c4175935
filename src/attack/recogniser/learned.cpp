#include "learned.hpp"

#include "bauta/learn/preparation.hpp"

namespace bauta {
namespace {

class Learned : public Recogniser {
 public:
  Learned(std::unique_ptr<Estimator> estimator, std::string_view preparation)
      : estimator_(std::move(estimator)), steps_(preparation) {}

  void fit(const Templates& enrolled, std::span<const std::int32_t> identities, std::size_t people,
           const RecogniserOptions& options) override {
    Matrix<float> x = to_features(enrolled);
    steps_.fit(x.view());
    x = steps_.apply(x.view());
    estimator_->fit(x.view(), identities, people, {.seed = options.seed, .where = options.enrolled});
  }

  [[nodiscard]] Likelihoods likelihoods(const Templates& probes) const override {
    return estimator_->likelihoods(steps_.apply(to_features(probes).view()).view());
  }

 private:
  std::unique_ptr<Estimator> estimator_;
  Preparation steps_;
};

}  // namespace

std::unique_ptr<Recogniser> learned_recogniser(std::unique_ptr<Estimator> estimator, std::string_view preparation) {
  return std::make_unique<Learned>(std::move(estimator), preparation);
}

}  // namespace bauta
