// The 68 landmarks of a face, and extractors that describe a face by them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bauta/extract/extractor.hpp"
#include "face_module.hpp"

namespace bauta {

class FineLandmarks {
 public:
  /// From the folder of the parameter `models`.
  explicit FineLandmarks(const Parameters& parameters);

  const Landmarks* operator->() const { return landmarks_.get(); }
  /// Of the weights, and of the library that reads them.
  [[nodiscard]] const std::string& model() const { return model_; }

 private:
  std::unique_ptr<Landmarks> landmarks_;
  std::string model_;
};

/// Features of landmarks; empty: nothing can be told of them.
using DescribeLandmarks = std::vector<float> (*)(std::span<const Point> landmarks);

/// An extractor with the parameters of FaceFrame.
std::unique_ptr<Extractor> landmark_extractor(const Parameters& parameters, std::string name,
                                              DescribeLandmarks describe);

}  // namespace bauta
