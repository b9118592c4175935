// Recognisers that compare: a probe is of the person whose enrolled sample, or mean sample, is the most similar.
#include "nearest.hpp"

#include <algorithm>
#include <cmath>

#include "bauta/attack/recogniser.hpp"
#include "bauta/compare/top_n.hpp"
#include "bauta/core/error.hpp"
#include "bauta/learn/preparation.hpp"

namespace bauta {
namespace {

/// Similarities, and their softmax over the temperature.
Likelihoods likelihoods_of(const TopN& best, std::size_t probes, std::size_t people, double temperature) {
  Likelihoods result{Matrix<double>(probes, people), Matrix<double>(probes, people)};
  for (std::size_t i = 0; i < probes; ++i) {
    auto row = result.probabilities.row(i);
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = result.logs(i, c) = best.best(i, c)[0].score / temperature;
    }
    const double most = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (double& value : row) sum += value = std::exp(value - most);
    for (double& value : row) value /= sum;
  }
  return result;
}

class Nearest : public Recogniser {
 public:
  /// Empty: as the options say.
  explicit Nearest(std::string comparator = {}) : comparator_(std::move(comparator)) {}

  void fit(const Templates& enrolled, std::span<const std::int32_t> identities, std::size_t people,
           const RecogniserOptions& options) override {
    std::vector<bool> known(people, false);
    for (const std::int32_t identity : identities) known[static_cast<std::size_t>(identity)] = true;
    BAUTA_ASSERT(std::find(known.begin(), known.end(), false) == known.end());  // everybody has a best score
    references_ = enrolled;
    identities_.assign(identities.begin(), identities.end());
    people_ = people;
    options_ = options;
    if (!comparator_.empty()) options_.comparator = comparator_;
  }

  [[nodiscard]] Likelihoods likelihoods(const Templates& probes) const override {
    const auto comparator = make_comparator(options_.comparator);
    TopN best(1, probes.rows(), references_.rows(), options_.seed, {identities_, people_});
    TileConsumer* consumers[] = {&best};
    compare_all(*comparator, *comparator->prepare(probes, Side::probe, options_.probes),
                *comparator->prepare(references_, Side::reference, options_.enrolled), Pairs::all, consumers,
                "identifying");
    return likelihoods_of(best, probes.rows(), people_, options_.temperature);
  }

 private:
  std::string comparator_;
  Templates references_;
  std::vector<std::int32_t> identities_;
  std::size_t people_ = 0;
  RecogniserOptions options_;
};

/// Means of people's features: bits and codes as numbers.
Templates centroids(const Templates& enrolled, std::span<const std::int32_t> identities, std::size_t people) {
  const Matrix<float> features = to_features(enrolled);
  Matrix<double> sums(people, features.cols(), 0.0);
  std::vector<double> counts(people);
  for (std::size_t i = 0; i < features.rows(); ++i) {
    const auto person = static_cast<std::size_t>(identities[i]);
    ++counts[person];
    for (std::size_t j = 0; j < features.cols(); ++j) sums(person, j) += features(i, j);
  }
  Matrix<float> means(people, features.cols());
  for (std::size_t p = 0; p < people; ++p) {
    BAUTA_ASSERT(counts[p] > 0);
    for (std::size_t j = 0; j < means.cols(); ++j) means(p, j) = static_cast<float>(sums(p, j) / counts[p]);
  }
  return Templates(std::move(means));
}

class Centroid : public Recogniser {
 public:
  explicit Centroid(std::string comparator) : nearest_(std::move(comparator)) {}

  void fit(const Templates& enrolled, std::span<const std::int32_t> identities, std::size_t people,
           const RecogniserOptions& options) override {
    std::vector<std::int32_t> own(people);
    for (std::size_t p = 0; p < people; ++p) own[p] = static_cast<std::int32_t>(p);
    nearest_.fit(centroids(enrolled, identities, people), own, people, options);
  }

  [[nodiscard]] Likelihoods likelihoods(const Templates& probes) const override {
    return nearest_.likelihoods(Templates(to_features(probes)));
  }

 private:
  Nearest nearest_;
};

}  // namespace

std::unique_ptr<Recogniser> nearest_by(std::string comparator) {
  return std::make_unique<Nearest>(std::move(comparator));
}

std::unique_ptr<Recogniser> centroid_by(std::string comparator) {
  return std::make_unique<Centroid>(std::move(comparator));
}

Entry<Recogniser> nearest_recogniser() {
  return {{.name = "nearest",
           .paper = "",
           .doc = "the most similar enrolled sample of each person; every estimator is a recogniser, too: it learns "
                  "people",
           .medium = "template"},
          [](const Parameters&) { return std::make_unique<Nearest>(); }};
}

Entry<Recogniser> centroid_recogniser() {
  return {{.name = "centroid",
           .paper = "",
           .doc = "the most similar mean of each person's enrolled samples",
           .medium = "template",
           .parameters = {{.name = "comparator",
                           .type = ParameterType::choice,
                           .default_value = "cosine",
                           .doc = "of probe and mean",
                           .choices = {"cosine", "euclidean"}}}},
          [](const Parameters& parameters) { return std::make_unique<Centroid>(parameters.text("comparator")); }};
}

Entry<Recogniser> face_network_centroid_recogniser() {
  return {{.name = "face-network-centroid",
           .paper = "King 2017, dlib_face_recognition_resnet_model_v1",
           .doc = "the nearest mean of each person's templates of the face network, by Euclidean distance",
           .medium = "image",
           .comparator = "euclidean",
           .parameters = {{.name = "frame",
                           .type = ParameterType::choice,
                           .default_value = "aligned",
                           .doc = "as of the extractor face-network; a detector passes many masked faces over",
                           .choices = {"detect", "aligned"}}},
           .representation = "face-network:frame={frame}"},
          [](const Parameters&) { return std::make_unique<Centroid>("euclidean"); }};
}

}  // namespace bauta
