// The face network and nearest neighbours: the k nearest enrolled samples vote.
#include <cmath>

#include "bauta/attack/recogniser.hpp"
#include "bauta/compare/top_n.hpp"

namespace bauta {
namespace {

constexpr const char* comparator_name = "euclidean";

class VotingNeighbours : public Recogniser {
 public:
  explicit VotingNeighbours(std::size_t k) : k_(k) {}

  void fit(const Templates& enrolled, std::span<const std::int32_t> identities, std::size_t people,
           const RecogniserOptions& options) override {
    references_ = enrolled;
    identities_.assign(identities.begin(), identities.end());
    people_ = people;
    options_ = options;
  }

  /// Votes decide; of people with as many, and of those with none, whose nearest sample is nearer.
  [[nodiscard]] Likelihoods likelihoods(const Templates& probes) const override {
    const auto comparator = make_comparator(comparator_name);
    TopN nearest(k_, probes.rows(), references_.rows(), options_.seed);
    TopN own(1, probes.rows(), references_.rows(), options_.seed, {identities_, people_});
    TileConsumer* consumers[] = {&nearest, &own};
    compare_all(*comparator, *comparator->prepare(probes, Side::probe, options_.probes),
                *comparator->prepare(references_, Side::reference, options_.enrolled), Pairs::all, consumers,
                "identifying");
    Likelihoods result{Matrix<double>(probes.rows(), people_), Matrix<double>(probes.rows(), people_)};
    for (std::size_t i = 0; i < probes.rows(); ++i) {
      auto row = result.probabilities.row(i);
      // A distance counts for less than a vote, however small it is.
      for (std::size_t p = 0; p < people_; ++p) row[p] = 0.5 / (1 - double{own.best(i, p)[0].score});
      for (const Neighbour& neighbour : nearest.best(i)) {
        ++row[static_cast<std::size_t>(identities_[neighbour.reference])];
      }
      double sum = 0;
      for (const double value : row) sum += value;
      for (std::size_t p = 0; p < people_; ++p) {
        result.logs(i, p) = std::log(row[p]);
        row[p] /= sum;
      }
    }
    return result;
  }

 private:
  std::size_t k_;
  Templates references_;
  std::vector<std::int32_t> identities_;
  std::size_t people_ = 0;
  RecogniserOptions options_;
};

}  // namespace

Entry<Recogniser> face_network_knn_recogniser() {
  return {{.name = "face-network-knn",
           .paper = "King 2017, dlib_face_recognition_resnet_model_v1; as used in A False Sense of Privacy",
           .doc = "votes of the nearest enrolled templates of the face network, by Euclidean distance",
           .medium = "image",
           .comparator = comparator_name,
           .parameters = {{"k", ParameterType::integer, "3", "how many vote", 1, 1000},
                          {.name = "frame",
                           .type = ParameterType::choice,
                           .default_value = "aligned",
                           .doc = "as of the extractor face-network; a detector passes many masked faces over",
                           .choices = {"detect", "aligned"}}},
           .representation = "face-network:frame={frame}"},
          [](const Parameters& parameters) {
            return std::make_unique<VotingNeighbours>(static_cast<std::size_t>(parameters.integer("k")));
          }};
}

}  // namespace bauta
