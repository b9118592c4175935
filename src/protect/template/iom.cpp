// Index-of-max hashing (Jin et al. 2018): each code is the position of the largest of a group of random features, the
// first one if there are several. GRP takes Gaussian projections, URP products of permuted entries. Only the order
// within a group counts, so codes do not depend on the length of the template.
#include <algorithm>

#include <fmt/format.h>

#include "../keyed.hpp"
#include "bauta/core/simd.hpp"

namespace bauta {
namespace {

constexpr const char* paper =
    "Jin, Hwang, Lai, Kim, Teoh 2018, Ranking-Based Locality Sensitive Hashing-Enabled Cancelable Biometrics: "
    "Index-of-Max Hashing";
constexpr const char* claim = "codes that cannot be inverted, linked or told apart by chance, and can be revoked";
constexpr const char* broken_by =
    "a stolen key: the error rates under secret keys are those of the key, each code is then a set of inequalities "
    "from which pre-images are found, and the similarity attack reads attributes";

class IomGrp : public KeyedProtection<std::uint8_t> {
 public:
  explicit IomGrp(const Parameters& parameters)
      : KeyedProtection("iom-grp", parameters),
        m_(static_cast<std::size_t>(parameters.integer("m"))),
        q_(static_cast<std::size_t>(parameters.integer("q"))) {}

 private:
  void check_dimension(std::size_t, const std::string&) const override {}

  [[nodiscard]] std::size_t width(std::size_t) const override { return m_; }

  [[nodiscard]] KeyedTransform<std::uint8_t> draw(Stream& stream, std::size_t d) const override {
    const auto projections = std::make_shared<Matrix<float>>(m_ * q_, d);
    stream.normals(std::span(projections->data(), projections->size()));
    return [projections, m = m_, q = q_](MatrixView<const float> rows, MatrixView<std::uint8_t> out) {
      // So many hashes at a time that their projections stay in the cache.
      const std::size_t most = std::max<std::size_t>(1, 1024 / q);
      Matrix<float> values(rows.rows, most * q);
      for (std::size_t first = 0; first < m; first += most) {
        const std::size_t hashes = std::min(most, m - first);
        const MatrixView<float> part(values.data(), rows.rows, hashes * q);
        multiply(rows, projections->view().slice(first * q, hashes * q), part);
        for (std::size_t i = 0; i < rows.rows; ++i) {
          for (std::size_t hash = 0; hash < hashes; ++hash) {
            const auto group = part.row(i).subspan(hash * q, q);
            out(i, first + hash) =
                static_cast<std::uint8_t>(std::max_element(group.begin(), group.end()) - group.begin());
          }
        }
      }
    };
  }

  std::size_t m_;
  std::size_t q_;
};

// Templates side by side, one per vector lane: entry j of template i stands at entries[j * lanes + i].
constexpr std::size_t lanes = 16;

/// `picks` names p entries for each of k products of each of m hashes; code `hash` of template i goes to
/// codes[hash * lanes + i].
BAUTA_MULTIVERSION void largest_products(const float* entries, const std::uint32_t* picks, std::size_t m, std::size_t k,
                                         std::size_t p, std::int32_t* codes) {
  for (std::size_t hash = 0; hash < m; ++hash) {
    float largest[lanes];
    std::int32_t at[lanes];
    for (std::size_t j = 0; j < k; ++j, picks += p) {
      float product[lanes];
      const float* first = entries + picks[0] * lanes;
      for (std::size_t i = 0; i < lanes; ++i) product[i] = first[i];
      for (std::size_t factor = 1; factor < p; ++factor) {
        const float* next = entries + picks[factor] * lanes;
        for (std::size_t i = 0; i < lanes; ++i) product[i] *= next[i];
      }
      for (std::size_t i = 0; i < lanes; ++i) {
        const bool larger = j == 0 || product[i] > largest[i];
        largest[i] = larger ? product[i] : largest[i];
        at[i] = larger ? static_cast<std::int32_t>(j) : at[i];
      }
    }
    for (std::size_t i = 0; i < lanes; ++i) codes[hash * lanes + i] = at[i];
  }
}

class IomUrp : public KeyedProtection<std::uint8_t> {
 public:
  explicit IomUrp(const Parameters& parameters)
      : KeyedProtection("iom-urp", parameters),
        m_(static_cast<std::size_t>(parameters.integer("m"))),
        p_(static_cast<std::size_t>(parameters.integer("p"))),
        k_(static_cast<std::size_t>(parameters.integer("k"))) {}

 private:
  void check_dimension(std::size_t d, const std::string& where) const override {
    if (k_ > d) {
      throw_input(where, fmt::format("the first {} entries of a permutation of {} features do not exist", k_, d),
                  "choose an iom-urp:k of at most the dimension");
    }
  }

  [[nodiscard]] std::size_t width(std::size_t) const override { return m_; }

  [[nodiscard]] KeyedTransform<std::uint8_t> draw(Stream& stream, std::size_t d) const override {
    const auto picks = std::make_shared<std::vector<std::uint32_t>>(m_ * k_ * p_);
    for (std::size_t hash = 0; hash < m_; ++hash) {
      for (std::size_t factor = 0; factor < p_; ++factor) {
        const std::vector<std::size_t> order = stream.permutation(d);
        for (std::size_t j = 0; j < k_; ++j) {
          (*picks)[(hash * k_ + j) * p_ + factor] = static_cast<std::uint32_t>(order[j]);
        }
      }
    }
    return [picks, m = m_, k = k_, p = p_](MatrixView<const float> rows, MatrixView<std::uint8_t> out) {
      std::vector<float> entries(rows.cols * lanes);
      std::vector<std::int32_t> codes(m * lanes);
      for (std::size_t first = 0; first < rows.rows; first += lanes) {
        const std::size_t count = std::min(lanes, rows.rows - first);
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t j = 0; j < rows.cols; ++j) entries[j * lanes + i] = rows(first + i, j);
        }
        largest_products(entries.data(), picks->data(), m, k, p, codes.data());
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t hash = 0; hash < m; ++hash) {
            out(first + i, hash) = static_cast<std::uint8_t>(codes[hash * lanes + i]);
          }
        }
      }
    };
  }

  std::size_t m_;
  std::size_t p_;
  std::size_t k_;
};

}  // namespace

Entry<Protection> iom_grp_protection() {
  return {{.name = "iom-grp",
           .paper = paper,
           .doc = "index of the largest of q Gaussian projections, m times",
           .medium = "template",
           .keyed = true,
           .comparator = "iom",
           .claim = claim,
           .broken_by = broken_by,
           .parameters =
               keyed_parameters({{"m", ParameterType::integer, "300", "codes", 1, 1 << 16},
                                 {"q", ParameterType::integer, "50", "projections that a code chooses from", 2, 256}})},
          [](const Parameters& parameters) { return std::make_unique<IomGrp>(parameters); }};
}

Entry<Protection> iom_urp_protection() {
  return {
      {.name = "iom-urp",
       .paper = paper,
       .doc = "index of the largest of k products of p permuted entries, m times",
       .medium = "template",
       .keyed = true,
       .comparator = "iom",
       .claim = claim,
       .broken_by = broken_by,
       .parameters = keyed_parameters(
           {{"m", ParameterType::integer, "600", "codes", 1, 1 << 16},
            {"p", ParameterType::integer, "2", "permutations that are multiplied", 1, 16},
            {"k", ParameterType::integer, "128", "products that a code chooses from; at most the dimension", 2, 256}})},
      [](const Parameters& parameters) { return std::make_unique<IomUrp>(parameters); }};
}

}  // namespace bauta
