#include "keyed.hpp"

#include <algorithm>
#include <numeric>

#include <Eigen/QR>
#include <cblas.h>
#include <fmt/format.h>

#include "bauta/core/progress.hpp"

namespace bauta {

std::vector<Parameter> keyed_parameters(std::vector<Parameter> own) {
  for (Parameter& parameter : key_parameters()) own.push_back(std::move(parameter));
  return own;
}

namespace {

Templates as_templates(Matrix<float> features, std::size_t) {
  return Templates(std::move(features));
}
Templates as_templates(Matrix<std::uint8_t> codes, std::size_t) {
  return Templates(std::move(codes));
}
Templates as_templates(Matrix<std::uint64_t> words, std::size_t bits) {
  return {std::move(words), bits};
}

}  // namespace

KeySource::KeySource(std::string technique, const Parameters& parameters)
    : technique_(std::move(technique)), regime_(key_regime(parameters)), application_(parameters.text("application")) {
  if (!parameters.text("keyfile").empty()) key_ = SecretKey::from_file(parameters.text("keyfile"));
}

void KeySource::check(std::size_t samples, const std::string& where, const ProtectContext& context) const {
  if (personal()) {
    if (context.subjects.size() != samples) {
      throw_input(where,
                  fmt::format("{} needs the subject of each of {} samples, {} are known", regime_text(regime_), samples,
                              context.subjects.size()),
                  "name the column with --identity");
    }
    // Nameless samples would share one key, which is no secret of anybody.
    const auto nameless = std::find(context.subjects.begin(), context.subjects.end(), "");
    if (nameless != context.subjects.end()) {
      throw_input(fmt::format("{} row {}", where, nameless - context.subjects.begin() + 1),
                  "names no subject, and " + regime_text(regime_) + " has a key for each",
                  "give every sample a subject");
    }
  }
  if (!key_ && !context.randomness.reproducible()) {
    warn(
        fmt::format("{}: the key is not kept, so nothing protected later can be compared with these samples; "
                    "give a keyfile to keep one",
                    technique_));
  }
}

std::string KeySource::owner(std::size_t sample, const ProtectContext& context) const {
  if (personal()) return "subject/" + context.subjects.at(sample);
  return regime_ == KeyRegime::application ? "application/" + application_ : "stolen";
}

SecretKey KeySource::key(const std::string& owner, const ProtectContext& context) const {
  return (key_ ? *key_ : context.randomness.key(technique_)).derive(technique_, owner);
}

template <class Element>
KeyedProtection<Element>::KeyedProtection(std::string technique, const Parameters& parameters)
    : technique_(std::move(technique)), keys_(technique_, parameters) {}

template <class Element>
void KeyedProtection<Element>::check(const Templates& input, const std::string& where,
                                     const ProtectContext& context) const {
  require_floats(input, technique_, where);
  if (input.cols() == 0) throw_input(where, "templates have no features");
  check_dimension(input.cols(), where);
  keys_.check(input.rows(), where, context);
}

template <class Element>
Templates KeyedProtection<Element>::protect(const Templates& block, std::size_t first,
                                            const ProtectContext& context) const {
  const MatrixView<const float> source = block.floats();
  const std::size_t elements = width(source.cols);
  Matrix<Element> out(source.rows, std::is_same_v<Element, std::uint64_t> ? words_for_bits(elements) : elements);
  if (keys_.personal()) {
    transform_by_subject(source, first, context, out);
  } else if (source.rows > 0) {
    transform_row_tiles(source, first, out.view(), *shared_transform(context, source.cols));
  }
  return as_templates(std::move(out), elements);
}

template <class Element>
Stream KeyedProtection<Element>::key_stream(std::size_t sample, const ProtectContext& context) const {
  return {keys_.key(keys_.owner(sample, context), context), "matrix"};
}

/// One transform for all subjects, kept for the next block. A context with other randomness has another stream, which
/// its first words tell apart.
template <class Element>
std::shared_ptr<const KeyedTransform<Element>> KeyedProtection<Element>::shared_transform(const ProtectContext& context,
                                                                                          std::size_t d) const {
  Stream stream = key_stream(0, context);
  Stream preview = stream;
  const std::array<std::uint64_t, 3> mark = {preview.next64(), preview.next64(), d};
  const std::scoped_lock lock(mutex_);
  if (!kept_ || kept_mark_ != mark) {
    kept_ = std::make_shared<KeyedTransform<Element>>(draw(stream, d));
    kept_mark_ = mark;
  }
  return kept_;
}

/// A transform per subject; the rows of a subject are taken together, so that each is drawn once in a block.
template <class Element>
void KeyedProtection<Element>::transform_by_subject(MatrixView<const float> source, std::size_t first,
                                                    const ProtectContext& context, Matrix<Element>& out) const {
  const auto subject = [&](std::size_t row) -> const std::string& { return context.subjects[first + row]; };
  std::vector<std::size_t> order(source.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return subject(a) < subject(b); });
  KeyedTransform<Element> transform;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || subject(order[i]) != subject(order[i - 1])) {
      Stream stream = key_stream(first + order[i], context);
      transform = draw(stream, source.cols);
    }
    transform(source.slice(order[i], 1), out.view().slice(order[i], 1));
  }
}

template class KeyedProtection<float>;
template class KeyedProtection<std::uint8_t>;
template class KeyedProtection<std::uint64_t>;

void multiply(MatrixView<const float> rows, MatrixView<const float> matrix, MatrixView<float> products) {
  const auto m = static_cast<int>(matrix.rows);
  const auto d = static_cast<int>(matrix.cols);
  const auto stride = static_cast<int>(matrix.stride);
  if (rows.rows == 1) {
    cblas_sgemv(CblasRowMajor, CblasNoTrans, m, d, 1.0F, matrix.data, stride, rows.data, 1, 0.0F, products.data, 1);
    return;
  }
  BAUTA_ASSERT(rows.rows == row_tile);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, row_tile, m, d, 1.0F, rows.data, static_cast<int>(rows.stride),
              matrix.data, stride, 0.0F, products.data, static_cast<int>(products.stride));
}

Matrix<float> semi_orthonormal(std::size_t rows, std::size_t cols, double scale,
                               const std::function<void(std::span<double>)>& fill) {
  const bool wide = rows <= cols;
  const auto length = static_cast<Eigen::Index>(std::max(rows, cols));
  const auto count = static_cast<Eigen::Index>(std::min(rows, cols));
  Eigen::MatrixXd drawn(length, count);
  fill(std::span(drawn.data(), rows * cols));
  const Eigen::HouseholderQR<Eigen::MatrixXd> decomposition(drawn);
  const Eigen::MatrixXd q = decomposition.householderQ() * Eigen::MatrixXd::Identity(length, count);
  Matrix<float> result(rows, cols);
  for (Eigen::Index vector = 0; vector < count; ++vector) {
    const double factor = decomposition.matrixQR()(vector, vector) < 0 ? -scale : scale;
    for (Eigen::Index i = 0; i < length; ++i) {
      const auto a = static_cast<std::size_t>(wide ? vector : i);
      const auto b = static_cast<std::size_t>(wide ? i : vector);
      result(a, b) = static_cast<float>(factor * q(i, vector));
    }
  }
  return result;
}

void pack_above(std::span<const float> values, double threshold, std::span<std::uint64_t> words) {
  std::fill(words.begin(), words.end(), 0);
  for (std::size_t j = 0; j < values.size(); ++j) {
    words[j / 64] |= static_cast<std::uint64_t>(double{values[j]} > threshold) << (j % 64);
  }
}

double mean(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace bauta
