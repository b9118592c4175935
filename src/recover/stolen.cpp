#include "stolen.hpp"

#include <fmt/format.h>

#include "bauta/protect/key_regime.hpp"

namespace bauta {
namespace {

// Random vectors on which a technique must behave as its values on unit vectors say, and how exactly (floats).
constexpr std::size_t probed_vectors = 4;
constexpr double affine_tolerance = 1e-4;

Eigen::MatrixXd to_dense(const Templates& templates) {
  const MatrixView<const float> rows = templates.floats();
  Eigen::MatrixXd dense(static_cast<Eigen::Index>(rows.rows), static_cast<Eigen::Index>(rows.cols));
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t j = 0; j < rows.cols; ++j) {
      dense(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows(i, j);
    }
  }
  return dense;
}

}  // namespace

StolenTechnique::StolenTechnique(const ResolvedProtection& technique, Randomness key_source)
    : technique_(&technique), key_source_(std::move(key_source)) {
  const Declaration& declaration = *technique.declaration;
  if (!declaration.keyed && !declaration.learns) {
    throw_usage("pre-image", fmt::format("{} has neither key nor model, there is nothing to steal", declaration.name),
                "see: bauta list recoveries");
  }
  if (declaration.learns && technique.model.empty()) {
    throw_usage("pre-image", fmt::format("{} learns, and its model is not here", declaration.name),
                "name the stolen file with --model");
  }
  personal_ = has_personal_keys(technique);
  comparator_ = make_comparator(technique.comparator.empty() ? "cosine" : technique.comparator);
}

void StolenTechnique::check(std::size_t dimension, const std::string& where) const {
  (*technique_)
      ->check(Templates(Matrix<float>(1, dimension, 1.0F)), where,
              {.randomness = key_source_, .subjects = {"somebody"}});
}

Templates StolenTechnique::enrol(const Templates& rows, std::vector<std::string> subjects) const {
  return (*technique_)->protect(rows, 0, {.randomness = key_source_, .subjects = std::move(subjects)});
}

Templates StolenTechnique::present(const Templates& rows, std::vector<std::string> subjects) const {
  if (!(*technique_)->probes_differ()) return enrol(rows, std::move(subjects));
  return (*technique_)->protect_probes(rows, 0, {.randomness = key_source_, .subjects = std::move(subjects)});
}

std::optional<StolenTechnique::Affine> StolenTechnique::affine(std::size_t dimension,
                                                               const std::string& subject) const {
  if ((*technique_)->probes_differ()) return std::nullopt;
  // Unit vectors, zero, and vectors to try the result on.
  const std::size_t rows = dimension + 1 + probed_vectors;
  Matrix<float> vectors(rows, dimension, 0.0F);
  for (std::size_t j = 0; j < dimension; ++j) vectors(j, j) = 1;
  Stream stream(1, "pre-image.affine");
  for (std::size_t i = dimension + 1; i < rows; ++i) {
    for (float& value : vectors.row(i)) value = static_cast<float>(stream.normal());
  }
  const Templates sent(std::move(vectors));
  const Templates back =
      present(sent, personal_ ? std::vector<std::string>(rows, subject) : std::vector<std::string>());
  if (back.kind() != ElementKind::float32) return std::nullopt;
  const auto d = static_cast<Eigen::Index>(dimension);
  const Eigen::MatrixXd images = to_dense(back);
  Affine result;
  result.offset = images.row(d).transpose();
  result.matrix = (images.topRows(d).rowwise() - images.row(d)).transpose();
  const auto probes = static_cast<Eigen::Index>(probed_vectors);
  const Eigen::MatrixXd expected =
      (to_dense(sent).bottomRows(probes) * result.matrix.transpose()).rowwise() + result.offset.transpose();
  const double error = (images.bottomRows(probes) - expected).norm();
  if (!(error <= affine_tolerance * images.bottomRows(probes).norm())) return std::nullopt;
  return result;
}

}  // namespace bauta
