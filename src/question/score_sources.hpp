// Where scores come from: the comparison engine, pairs of an attribute, or a score file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bauta/compare/engine.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/data/score_file.hpp"
#include "bauta/measure/score_source.hpp"
#include "spill.hpp"

namespace bauta {

/// A probe against references that follow each other, with the numbers of these samples: compared rows are counted on
/// each side, part by part.
struct SampleBatch {
  ScoreBatch<float> scores;
  std::size_t probe = 0;
  std::size_t first_reference = 0;
};

/// Comparisons of people who have names.
class NamedSource : public ScoreSource<float> {
 public:
  using Consume = std::function<void(const SampleBatch&, int worker)>;

  /// The same scores, probe by probe.
  virtual void scan_samples(const Consume& consume) const = 0;
  void scan(const std::function<void(const ScoreBatch<float>&, int)>& consume) const override {
    scan_samples([&](const SampleBatch& batch, int worker) { consume(batch.scores, worker); });
  }
  /// Samples that are compared, on either side.
  [[nodiscard]] virtual std::size_t probes() const = 0;
  [[nodiscard]] virtual std::size_t references() const = 0;

  [[nodiscard]] std::size_t subjects() const override { return names_.size(); }
  /// Of the subjects, in the order of their numbers.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// That are compared, and that failed and are left out.
  [[nodiscard]] std::size_t samples() const { return samples_; }
  [[nodiscard]] std::size_t failures() const { return failures_; }

 protected:
  std::vector<std::string> names_;
  std::size_t samples_ = 0;
  std::size_t failures_ = 0;
};

/// All comparisons of two different samples of a data set, each unordered pair once. Scans compare anew, because that
/// is cheaper than to store; for comparators that say otherwise the scores are kept in a temporary file after the first
/// scan.
class EngineSource : public NamedSource {
 public:
  EngineSource(const Dataset& dataset, const Comparator& comparator);

  void scan_samples(const Consume& consume) const override;
  [[nodiscard]] std::size_t probes() const override { return subject_.size(); }
  [[nodiscard]] std::size_t references() const override { return subject_.size(); }

 private:
  [[nodiscard]] std::uint64_t row_offset(std::size_t probe) const;
  void scan_stored(const Consume& consume) const;

  const Comparator& comparator_;
  std::vector<std::uint32_t> subject_;
  std::unique_ptr<const Prepared> probes_;
  std::unique_ptr<const Prepared> references_;
  mutable std::unique_ptr<Spill> stored_;
};

/// All comparisons of a sample of one data set with a sample of another; people are known by their names. Where both
/// hold the same samples (one data set under two keys), a sample is not compared with itself.
class CrossSource : public NamedSource {
 public:
  enum class Samples { same, others };  ///< row by row the same ones, or none in common

  CrossSource(const Dataset& probes, const Dataset& references, const Comparator& comparator, Samples samples);

  void scan_samples(const Consume& consume) const override;
  [[nodiscard]] std::size_t probes() const override { return probe_subject_.size(); }
  [[nodiscard]] std::size_t references() const override { return reference_subject_.size(); }

  /// Those with a mated comparison.
  [[nodiscard]] std::vector<std::uint32_t> mated_subjects() const;
  /// Of the pairs of samples of one of them, the share that is compared.
  [[nodiscard]] double compared_share() const;

 private:
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  /// Of the subjects, how many pairs there are of their samples, and how many of these are a sample with itself.
  struct PairCounts {
    std::vector<std::size_t> all, own;
  };
  [[nodiscard]] PairCounts pairs_of_subjects() const;

  const Comparator& comparator_;
  std::vector<std::uint32_t> probe_subject_;
  std::vector<std::uint32_t> reference_subject_;
  std::vector<std::size_t> own_reference_;  // of each probe: the reference that is the same sample, or nowhere
  std::unique_ptr<const Prepared> probes_;
  std::unique_ptr<const Prepared> references_;
};

/// The comparisons of several sources (the test parts of a protocol's rotations), none between them; people are known
/// by their names. `standardised`: the data went through different models, each of which would get a threshold of its
/// own; scores are brought to mean 0 and deviation 1 of each source's non-mated scores.
class PooledSource : public NamedSource {
 public:
  PooledSource(std::vector<std::unique_ptr<NamedSource>> sources, bool standardised);
  /// The comparisons within each data set.
  PooledSource(std::span<const Dataset> parts, const Comparator& comparator, bool standardised = false);

  void scan_samples(const Consume& consume) const override;
  [[nodiscard]] std::size_t probes() const override;
  [[nodiscard]] std::size_t references() const override;

 private:
  struct Level {
    double mean = 0;
    double deviation = 1;
  };
  [[nodiscard]] static Level level_of(const NamedSource& source);

  std::vector<std::unique_ptr<NamedSource>> sources_;
  std::vector<std::vector<std::uint32_t>> subject_;  // per source: subjects here by those there
  std::vector<Level> levels_;                        // per source, or none
};

/// Class codes of the samples that are compared, in the order of their numbers; -1: unknown.
struct SampleClasses {
  std::vector<std::int32_t> probes, references;
};
/// `references` are the `probes` themselves where each part is compared with itself.
SampleClasses classes_of(std::span<const Dataset> probes, std::span<const Dataset> references,
                         const std::string& attribute);

/// The non-mated comparisons of another source; here "mated" means that both samples share the attribute's class.
/// Those of unknown class are left out.
class AttributePairs : public ScoreSource<float> {
 public:
  AttributePairs(const NamedSource& base, SampleClasses classes);

  [[nodiscard]] std::size_t subjects() const override { return 0; }
  void scan(const std::function<void(const ScoreBatch<float>&, int)>& consume) const override;

 private:
  const NamedSource& base_;
  SampleClasses classes_;
};

/// A score file, read once into a temporary file and scanned from there.
class FileSource : public ScoreSource<double> {
 public:
  FileSource(const std::filesystem::path& path, const ScoreOptions& options);

  [[nodiscard]] std::size_t subjects() const override { return subject_count_; }
  void scan(const std::function<void(const ScoreBatch<double>&, int)>& consume) const override;

  /// What the reader guessed about the file.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  std::vector<std::string> remarks_;
  std::size_t count_ = 0;
  std::size_t subject_count_ = 0;
  Spill scores_;
  Spill mated_;
  Spill probe_subjects_;
  Spill reference_subjects_;
};

}  // namespace bauta
