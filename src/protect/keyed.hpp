// What keyed protections share: whose key it is, the transform that is drawn from it, and the rows it is applied to.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "bauta/core/row_tiles.hpp"
#include "bauta/core/secret_key.hpp"
#include "bauta/protect/key_regime.hpp"

namespace bauta {

/// The parameters of a technique, followed by those that every keyed one has.
std::vector<Parameter> keyed_parameters(std::vector<Parameter> own);

/// Whose key protects a sample, and where it comes from: a file, the seed or the operating system.
class KeySource {
 public:
  KeySource(std::string technique, const Parameters& parameters);

  /// Whether every subject has a key of their own.
  [[nodiscard]] bool personal() const { return regime_ == KeyRegime::secret; }
  /// Refuses data that does not name everybody where keys are personal, and says where nobody will have the key.
  void check(std::size_t samples, const std::string& where, const ProtectContext& context) const;
  [[nodiscard]] std::string owner(std::size_t sample, const ProtectContext& context) const;
  [[nodiscard]] SecretKey key(const std::string& owner, const ProtectContext& context) const;

 private:
  std::string technique_;
  KeyRegime regime_;
  std::string application_;
  std::optional<SecretKey> key_;
};

/// What one key makes of templates. `rows` is a single row or a tile of row_tile rows, nothing else.
template <class Element>
using KeyedTransform = std::function<void(MatrixView<const float> rows, MatrixView<Element> out)>;

/// Elements are float (features), std::uint8_t (codes) or std::uint64_t (words of bits).
template <class Element>
class KeyedProtection : public Protection {
 public:
  void check(const Templates& input, const std::string& where, const ProtectContext& context) const final;
  [[nodiscard]] Templates protect(const Templates& block, std::size_t first, const ProtectContext& context) const final;

 protected:
  KeyedProtection(std::string technique, const Parameters& parameters);

  /// Refuses a number of features that the technique cannot take; it is not 0.
  virtual void check_dimension(std::size_t d, const std::string& where) const = 0;
  /// Features, codes or bits that it makes of d features.
  [[nodiscard]] virtual std::size_t width(std::size_t d) const = 0;
  /// Everything random is drawn here, from the key's stream.
  [[nodiscard]] virtual KeyedTransform<Element> draw(Stream& stream, std::size_t d) const = 0;

 private:
  [[nodiscard]] Stream key_stream(std::size_t sample, const ProtectContext& context) const;
  [[nodiscard]] std::shared_ptr<const KeyedTransform<Element>> shared_transform(const ProtectContext& context,
                                                                                std::size_t d) const;
  void transform_by_subject(MatrixView<const float> source, std::size_t first, const ProtectContext& context,
                            Matrix<Element>& out) const;

  std::string technique_;
  KeySource keys_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const KeyedTransform<Element>> kept_;
  mutable std::array<std::uint64_t, 3> kept_mark_{};
};

extern template class KeyedProtection<float>;
extern template class KeyedProtection<std::uint8_t>;
extern template class KeyedProtection<std::uint64_t>;

/// products(i, j) = rows.row(i) . matrix.row(j), for a single row or a tile.
void multiply(MatrixView<const float> rows, MatrixView<const float> matrix, MatrixView<float> products);

/// A matrix of `rows` x `cols` that `fill` draws, orthonormalised by QR and scaled: its rows if there are at most
/// `cols`, else its columns, one after the other. Signs of a QR decomposition differ between libraries; a positive
/// diagonal of R makes it unique (and, from normal entries, uniformly distributed).
Matrix<float> semi_orthonormal(std::size_t rows, std::size_t cols, double scale,
                               const std::function<void(std::span<double>)>& fill);

/// Bit j of `words` says whether values[j] > threshold.
void pack_above(std::span<const float> values, double threshold, std::span<std::uint64_t> words);
double mean(std::span<const float> values);

}  // namespace bauta
