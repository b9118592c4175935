// Every recogniser, one line each, and what is known of all.
#include "bauta/attack/recogniser.hpp"
#include "bauta/learn/estimator.hpp"
#include "learned.hpp"

namespace bauta {

Entry<Recogniser> nearest_recogniser();
Entry<Recogniser> centroid_recogniser();
Entry<Recogniser> eigenface_svm_recogniser();
Entry<Recogniser> face_network_centroid_recogniser();
Entry<Recogniser> face_network_knn_recogniser();
Entry<Recogniser> face_retrained_recogniser();
Entry<Recogniser> landmark_svm_recogniser();
Entry<Recogniser> lbph_recogniser();
Entry<Recogniser> tuned_recogniser();

const Catalogue<Recogniser>& recognisers() {
  // clang-format off
  static const Catalogue<Recogniser> catalogue = {
      nearest_recogniser(),
      centroid_recogniser(),
      eigenface_svm_recogniser(),
      face_network_centroid_recogniser(),
      face_network_knn_recogniser(),
      face_retrained_recogniser(),
      landmark_svm_recogniser(),
      lbph_recogniser(),
      tuned_recogniser(),
  };
  // clang-format on
  return catalogue;
}

namespace {

/// With the estimators, which are recognisers as they are, and may say what they want their samples to be like:
/// z-scores hide what is there where all features have one unit and most of them carry noise.
const Catalogue<Recogniser>& all_recognisers() {
  static const Catalogue<Recogniser> all = [] {
    Catalogue<Recogniser> entries = recognisers();
    for (const Entry<Estimator>& estimator : estimators()) {
      Declaration declaration = estimator.declaration;
      declaration.parameters.push_back({"preparation", ParameterType::text, "zscore",
                                        "steps before it learns: unit, zscore, minmax or none, with + between"});
      entries.push_back({std::move(declaration), [&estimator](const Parameters& parameters) {
                           return learned_recogniser(estimator.make(parameters), parameters.text("preparation"));
                         }});
    }
    return entries;
  }();
  return all;
}

}  // namespace

ResolvedRecogniser make_recogniser(std::string_view specification) {
  return resolve(all_recognisers(), "recogniser", specification);
}

std::string representation_of(const ResolvedRecogniser& recogniser) {
  return recogniser.parameters.fill(recogniser.declaration->representation);
}

}  // namespace bauta
