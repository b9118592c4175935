// Random projection, the plainest cancelable template: y = R x / sqrt(m) with R drawn from a key. Under one key inner
// products survive; under different keys templates of one person look like those of strangers.
#define EIGEN_DONT_PARALLELIZE  // same bits for any number of threads

#include <array>
#include <cmath>
#include <mutex>
#include <optional>

#include <Eigen/QR>
#include <cblas.h>
#include <fmt/format.h>

#include "bauta/core/progress.hpp"
#include "bauta/core/secret_key.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {
namespace {

// Samples are multiplied in tiles of this many rows at fixed positions of the data set, because BLAS may add up in
// another order for another shape: with one shape, the bits do not depend on how the data was cut.
constexpr std::size_t tile_rows = 256;

void draw_gaussian(Stream& stream, Matrix<float>& projection) {
  const double factor = 1 / std::sqrt(static_cast<double>(projection.rows()));
  for (float& value : std::span(projection.data(), projection.size())) {
    value = static_cast<float>(factor * stream.normal());
  }
}

/// Rows of a Haar-distributed orthogonal matrix, scaled by sqrt(d / m) so that inner products are kept on average. The
/// signs of a QR decomposition differ between libraries; a positive diagonal of R makes it unique and the distribution
/// uniform.
void draw_orthonormal(Stream& stream, Matrix<float>& projection) {
  const auto m = static_cast<Eigen::Index>(projection.rows());
  const auto d = static_cast<Eigen::Index>(projection.cols());
  Eigen::MatrixXd gaussian(d, m);
  for (double& value : std::span(gaussian.data(), projection.size())) value = stream.normal();
  const Eigen::HouseholderQR<Eigen::MatrixXd> decomposition(gaussian);
  const Eigen::MatrixXd q = decomposition.householderQ() * Eigen::MatrixXd::Identity(d, m);
  const double factor = std::sqrt(static_cast<double>(d) / static_cast<double>(m));
  for (Eigen::Index i = 0; i < m; ++i) {
    const double signed_factor = decomposition.matrixQR()(i, i) < 0 ? -factor : factor;
    for (Eigen::Index j = 0; j < d; ++j) {
      projection(static_cast<std::size_t>(i), static_cast<std::size_t>(j)) =
          static_cast<float>(signed_factor * q(j, i));
    }
  }
}

class RandomProjection : public Protection {
 public:
  explicit RandomProjection(const Parameters& parameters)
      : length_(static_cast<std::size_t>(parameters.integer("length"))),
        orthonormal_(parameters.text("matrix") == "orthonormal"),
        regime_(parse_key_regime(parameters.text("regime"))),
        application_(parameters.text("application")) {
    if (!parameters.text("keyfile").empty()) key_ = SecretKey::from_file(parameters.text("keyfile"));
  }

  void check(const Templates& input, const std::string& where, const ProtectContext& context) const override {
    require_floats(input, "random-projection", where);
    if (input.cols() == 0) throw_input(where, "templates have no features");
    if (orthonormal_ && length_ > input.cols()) {
      throw_input(where, fmt::format("{} orthonormal rows do not exist in {} dimensions", length_, input.cols()),
                  "choose a random-projection:length of at most the dimension, or matrix=gaussian");
    }
    if (regime_ == KeyRegime::secret && context.subjects.size() != input.rows()) {
      throw_input(where,
                  fmt::format("regime=secret needs the subject of each of {} samples, {} are known", input.rows(),
                              context.subjects.size()),
                  "name the column with --identity");
    }
    if (!key_ && !context.randomness.reproducible()) {
      warn(
          "random-projection: the key is not kept, so nothing protected later can be compared with these templates; "
          "give a keyfile to keep one");
    }
  }

  [[nodiscard]] Templates protect(const Templates& block, std::size_t first,
                                  const ProtectContext& context) const override {
    const MatrixView<const float> source = block.floats();
    Matrix<float> projected(source.rows, length_ == 0 ? source.cols : length_);
    if (regime_ == KeyRegime::secret) {
      project_by_subject(source, first, context, projected);
    } else if (source.rows > 0) {
      project_tiles(source, first, *shared_projection(context, projected.cols(), source.cols), projected);
    }
    return Templates(std::move(projected));
  }

 private:
  [[nodiscard]] Stream matrix_stream(const std::string& owner, const ProtectContext& context) const {
    const SecretKey key = key_ ? *key_ : context.randomness.key("random-projection");
    return Stream(key.derive("random-projection", owner), "matrix");
  }

  void draw(Stream& stream, Matrix<float>& projection) const {
    orthonormal_ ? draw_orthonormal(stream, projection) : draw_gaussian(stream, projection);
  }

  /// One matrix for all subjects, kept for the next block. A context with other randomness has another stream, which
  /// its first words tell apart.
  [[nodiscard]] std::shared_ptr<const Matrix<float>> shared_projection(const ProtectContext& context, std::size_t m,
                                                                       std::size_t d) const {
    Stream stream =
        matrix_stream(regime_ == KeyRegime::application ? "application/" + application_ : "stolen", context);
    Stream preview = stream;
    const std::array<std::uint64_t, 3> mark = {preview.next64(), preview.next64(), d};
    const std::scoped_lock lock(mutex_);
    if (!kept_ || kept_mark_ != mark) {
      auto projection = std::make_shared<Matrix<float>>(m, d);
      draw(stream, *projection);
      kept_ = std::move(projection);
      kept_mark_ = mark;
    }
    return kept_;
  }

  static void project_tiles(MatrixView<const float> source, std::size_t first, const Matrix<float>& projection,
                            Matrix<float>& projected) {
    const std::size_t d = source.cols;
    const std::size_t m = projection.rows();
    const auto multiply = [&](const float* rows, std::size_t stride, float* result) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, tile_rows, static_cast<int>(m), static_cast<int>(d), 1.0F,
                  rows, static_cast<int>(stride), projection.data(), static_cast<int>(d), 0.0F, result,
                  static_cast<int>(m));
    };
    Matrix<float> partial;
    Matrix<float> partial_result;
    for (std::size_t done = 0; done < source.rows;) {
      const std::size_t offset = (first + done) % tile_rows;
      const std::size_t rows = std::min(tile_rows - offset, source.rows - done);
      if (rows == tile_rows) {
        multiply(source.row(done).data(), source.stride, projected.row(done).data());
      } else {
        if (partial.rows() == 0) {
          partial = Matrix<float>(tile_rows, d);
          partial_result = Matrix<float>(tile_rows, m);
        }
        std::fill_n(partial.data(), partial.size(), 0.0F);
        for (std::size_t i = 0; i < rows; ++i) {
          std::copy_n(source.row(done + i).data(), d, partial.row(offset + i).data());
        }
        multiply(partial.data(), d, partial_result.data());
        std::copy_n(partial_result.row(offset).data(), rows * m, projected.row(done).data());
      }
      done += rows;
    }
  }

  /// A matrix per subject; the rows of a subject are taken together, so that each matrix is drawn once in a block.
  void project_by_subject(MatrixView<const float> source, std::size_t first, const ProtectContext& context,
                          Matrix<float>& projected) const {
    const auto subject = [&](std::size_t row) -> const std::string& { return context.subjects[first + row]; };
    std::vector<std::size_t> order(source.rows);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return subject(a) < subject(b); });
    Matrix<float> projection(projected.cols(), source.cols);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || subject(order[i]) != subject(order[i - 1])) {
        Stream stream = matrix_stream("subject/" + subject(order[i]), context);
        draw(stream, projection);
      }
      cblas_sgemv(CblasRowMajor, CblasNoTrans, static_cast<int>(projection.rows()), static_cast<int>(projection.cols()),
                  1.0F, projection.data(), static_cast<int>(projection.cols()), source.row(order[i]).data(), 1, 0.0F,
                  projected.row(order[i]).data(), 1);
    }
  }

  std::size_t length_;
  bool orthonormal_;
  KeyRegime regime_;
  std::string application_;
  std::optional<SecretKey> key_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Matrix<float>> kept_;
  mutable std::array<std::uint64_t, 3> kept_mark_{};
};

}  // namespace

Entry<Protection> random_projection_protection() {
  return {
      {.name = "random-projection",
       .paper = "Teoh, Yuang 2007, Cancelable Biometrics Realization With Multispace Random Projections",
       .doc = "y = R x / sqrt(m), R random from a key",
       .medium = "template",
       .keyed = true,
       .comparator = "cosine",
       .parameters = {{"length", ParameterType::integer, "0", "features of the result; 0: as many as the input has", 0,
                       1 << 20},
                      {.name = "matrix",
                       .type = ParameterType::choice,
                       .default_value = "gaussian",
                       .doc = "independent normal entries, or rows of a random rotation",
                       .choices = {"gaussian", "orthonormal"}},
                      {.name = "regime",
                       .type = ParameterType::choice,
                       .default_value = "stolen",
                       .doc = "secret: a key per subject; stolen: one key for all, what is left when it is lost; "
                              "application: one key per application",
                       .choices = {"secret", "stolen", "application"}},
                      {"application", ParameterType::integer, "0", "number of the application, for regime=application",
                       0},
                      {"keyfile", ParameterType::text, "", "file with the key; without one it comes from the seed"}}},
      [](const Parameters& parameters) { return std::make_unique<RandomProjection>(parameters); }};
}

}  // namespace bauta
