// Pre-images by attackers who have stolen the key: they run the technique on as many templates as they like, learn a
// linear way back from them, and climb from there through the technique itself. Where the technique is linear the best
// estimate has a closed form.
#include <algorithm>
#include <map>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <fmt/format.h>

#include "bauta/core/parallel.hpp"
#include "bauta/recover/recovery.hpp"
#include "climb.hpp"
#include "gaussian.hpp"
#include "inverse_map.hpp"
#include "stolen.hpp"

namespace bauta {
namespace {

// Deviation of float rounding over that of the values, generously.
constexpr double rounding = 1e-6;

/// Rows of the target under one key.
struct Share {
  std::string subject;
  std::vector<std::size_t> rows;
};

class PreImage : public Recovery {
 public:
  explicit PreImage(const Parameters& parameters)
      : pairs_(static_cast<std::size_t>(parameters.integer("pairs"))),
        dimension_(static_cast<std::size_t>(parameters.integer("dimension"))) {
    climb_.rounds = static_cast<std::size_t>(parameters.integer("rounds"));
    climb_.proposals = static_cast<std::size_t>(parameters.integer("proposals"));
    climb_.step = parameters.real("step");
  }

  void fit(const Knowledge& knowledge) override {
    if (knowledge.technique == nullptr) throw_usage("pre-image", "needs the stolen technique");
    stolen_.emplace(*knowledge.technique, knowledge.key_source);
    climb_.seed = knowledge.seed;
    if (knowledge.clear == nullptr) return;
    clear_ = *knowledge.clear;
    if (clear_.templates.kind() != ElementKind::float32 || clear_.size() < 2) {
      throw_input(clear_.origin, fmt::format("{} templates of {}, at least 2 of {} are needed", clear_.size(),
                                             to_text(clear_.templates.kind()), to_text(ElementKind::float32)));
    }
    prior_ = fit_gaussian(clear_.templates.floats(), clear_.origin);
  }

  [[nodiscard]] Recovered recover(const Dataset& target) const override {
    const std::size_t dimension = dimension_of(target);
    stolen_->check(dimension, prior_ ? clear_.origin : target.origin);
    const std::vector<Share> shares = shares_of(target);
    Recovered recovered;
    Matrix<float> result(target.size(), dimension, 0.0F);
    if (shares.empty()) return {Templates(std::move(result))};
    if (stolen_->affine(dimension, shares[0].subject)) {
      parallel_for(shares.size(), [&](std::size_t s, int) { solve(target, shares[s], result); });
      recovered.properties["pre_image"] = prior_ ? "posterior mean" : "pseudo-inverse";
    } else {
      if (!prior_) {
        throw_usage("pre-image",
                    fmt::format("{} is not linear; this attacker needs to know how templates look", stolen_->name()),
                    "name clear templates of other people with --clear");
      }
      search(target, shares, result, recovered.properties);
    }
    recovered.templates = Templates(std::move(result));
    return recovered;
  }

 private:
  [[nodiscard]] std::size_t dimension_of(const Dataset& target) const {
    const std::size_t known = prior_ ? clear_.templates.cols() : 0;
    if (dimension_ > 0 && known > 0 && dimension_ != known) {
      throw_usage("pre-image:dimension", fmt::format("{}, but {} has {} features", dimension_, clear_.origin, known));
    }
    return known > 0 ? known : dimension_ > 0 ? dimension_ : target.templates.cols();
  }

  /// One for all, or one per subject where keys are personal. Failed rows are in none.
  [[nodiscard]] std::vector<Share> shares_of(const Dataset& target) const {
    const std::vector<bool> failed = target.failed();
    if (stolen_->personal() && target.identity_column.empty()) {
      throw_input(target.origin, "every subject has a key of its own, and the subjects are not known",
                  "name the column with --identity");
    }
    std::map<std::string, Share> by_key;
    for (std::size_t row = 0; row < target.size(); ++row) {
      if (failed[row]) continue;
      const std::string subject =
          stolen_->personal() ? target.labels.column(target.identity_column)[row] : std::string();
      Share& share = by_key[subject];
      share.subject = subject;
      share.rows.push_back(row);
    }
    std::vector<Share> shares;
    for (auto& [subject, share] : by_key) shares.push_back(std::move(share));
    return shares;
  }

  /// y = A x + b: the mean of x given y under the prior, or without one the shortest x that explains y.
  void solve(const Dataset& target, const Share& share, Matrix<float>& result) const {
    const auto affine = stolen_->affine(result.cols(), share.subject);
    BAUTA_ASSERT(affine);
    require_width(target, static_cast<std::size_t>(affine->matrix.rows()));
    Eigen::MatrixXd way_back;  // d x m
    Eigen::VectorXd centre = Eigen::VectorXd::Zero(affine->matrix.cols());
    if (prior_) {
      const Eigen::MatrixXd cross = prior_->covariance * affine->matrix.transpose();
      Eigen::MatrixXd spread = affine->matrix * cross;
      spread.diagonal().array() += rounding * rounding * spread.trace() / static_cast<double>(spread.rows());
      way_back = spread.ldlt().solve(cross.transpose()).transpose();
      centre = prior_->mean;
    } else {
      way_back = affine->matrix.completeOrthogonalDecomposition().pseudoInverse();
    }
    const Eigen::VectorXd expected = affine->matrix * centre + affine->offset;
    const MatrixView<const float> protected_forms = target.templates.floats();
    for (const std::size_t row : share.rows) {
      const Eigen::Map<const Eigen::VectorXf> y(protected_forms.row(row).data(), expected.size());
      const Eigen::VectorXd x = centre + way_back * (y.cast<double>() - expected);
      Eigen::Map<Eigen::VectorXf>(result.row(row).data(), x.size()) = x.cast<float>();
    }
  }

  static void require_width(const Dataset& target, std::size_t width) {
    if (target.templates.cols() == width) return;
    throw_input(target.origin,
                fmt::format("{} features per template, the stolen technique makes {}", target.templates.cols(), width));
  }

  void search(const Dataset& target, const std::vector<Share>& shares, Matrix<float>& result,
              std::map<std::string, std::string>& properties) const {
    ClimbTargets targets;
    std::vector<std::size_t>& rows = targets.rows;
    const Templates known = drawn_templates();
    for (const Share& share : shares) {
      start(target, share, known, result);
      rows.insert(rows.end(), share.rows.begin(), share.rows.end());
      targets.subjects.insert(targets.subjects.end(), share.rows.size(), share.subject);
    }
    Matrix<float> candidates(rows.size(), result.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(result.row(rows[i]), candidates.row(i).begin());
    targets.templates = target.templates.select(rows);
    const Climb climbed = climb(*stolen_, targets, *prior_, climb_, candidates);
    for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(candidates.row(i), result.row(rows[i]).begin());
    const auto mean = [](const std::vector<double>& values) {
      return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    };
    properties["pre_image"] = "search";
    properties["similarity_before"] = fmt::format("{:.6g}", mean(climbed.before));
    properties["similarity_after"] = fmt::format("{:.6g}", mean(climbed.after));
  }

  /// The clear templates, filled up from the prior to the number of pairs that are asked for.
  [[nodiscard]] Templates drawn_templates() const {
    const MatrixView<const float> clear = clear_.templates.floats();
    Matrix<float> rows(pairs_, clear.cols);
    const Eigen::MatrixXd factor = prior_->covariance.llt().matrixL();
    const std::vector<std::size_t> order = Stream(climb_.seed, "pre-image.clear").permutation(clear.rows);
    parallel_for(pairs_, [&](std::size_t i, int) {
      if (i < clear.rows) {
        std::ranges::copy(clear.row(order[i]), rows.row(i).begin());
        return;
      }
      Stream stream(climb_.seed, "pre-image.pairs", i);
      Eigen::VectorXd normal(factor.rows());
      for (double& value : normal) value = stream.normal();
      Eigen::Map<Eigen::VectorXf>(rows.row(i).data(), factor.rows()) = (prior_->mean + factor * normal).cast<float>();
    });
    return Templates(std::move(rows));
  }

  void start(const Dataset& target, const Share& share, const Templates& known, Matrix<float>& result) const {
    const Templates enrolled =
        stolen_->enrol(known, stolen_->personal() ? std::vector<std::string>(known.rows(), share.subject)
                                                  : std::vector<std::string>());
    if (enrolled.kind() != target.templates.kind() || enrolled.cols() != target.templates.cols()) {
      throw_input(target.origin,
                  fmt::format("{} {} per template, the stolen technique makes {} {}", target.templates.cols(),
                              to_text(target.templates.kind()), enrolled.cols(), to_text(enrolled.kind())));
    }
    const InverseMap map = InverseMap::fit(enrolled, known.floats(), {.seed = climb_.seed});
    const Matrix<float> guesses = map.apply(target.templates.select(share.rows));
    for (std::size_t i = 0; i < share.rows.size(); ++i) {
      std::ranges::copy(guesses.row(i), result.row(share.rows[i]).begin());
    }
  }

  std::size_t pairs_;
  std::size_t dimension_;
  ClimbOptions climb_;
  std::optional<StolenTechnique> stolen_;
  Dataset clear_;
  std::optional<Gaussian> prior_;
};

}  // namespace

Entry<Recovery> pre_image_recovery() {
  return {{.name = "pre-image",
           .paper = "",
           .doc = "keyed and learned techniques whose key or model was stolen: closed form if linear, else regression "
                  "and hill climbing through the technique",
           .medium = "template",
           .learns = true,
           .keyed = true,
           .parameters = {{"pairs", ParameterType::integer, "10000", "templates that the attacker protects themselves",
                           10, 1 << 20},
                          {"rounds", ParameterType::integer, "50", "of hill climbing", 0, 1 << 20},
                          {"proposals", ParameterType::integer, "32", "per round and target", 1, 1 << 16},
                          {"step", ParameterType::real, "0.1", "of the first round, in deviations of the prior", 0},
                          {"dimension", ParameterType::integer, "0",
                           "features of a clear template; 0: as in --clear, else as in the target", 0, 1 << 20}},
           .example = "pairs=1000,rounds=5"},
          [](const Parameters& parameters) { return std::make_unique<PreImage>(parameters); }};
}

}  // namespace bauta
