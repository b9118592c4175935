// Time and memory of a verification measurement at the size of a large face database: 87 million float scores.
// Usage: measure_bench [non_mated] [bootstrap draws ...]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <sys/resource.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/verification.hpp"

namespace {

using Clock = std::chrono::steady_clock;

/// Processor time of all threads: what counts when the machine is shared.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// An exhaustive comparison in rows: row r is one probe against all references; scores come from a stored pool so that
/// making them costs next to nothing.
class SyntheticComparison : public bauta::ScoreSource<float> {
 public:
  SyntheticComparison(std::uint64_t non_mated, std::size_t subjects)
      : subjects_(subjects),
        references_(2 * subjects + subjects / 4),
        rows_(non_mated / (references_ - 18)),
        pool_(1 << 22) {
    bauta::Stream stream(7, "bench");
    for (float& score : pool_) score = static_cast<float>(0.02 + 0.07 * stream.normal());
    for (std::size_t c = 0; c < references_; ++c) column_subject_.push_back(static_cast<std::uint32_t>(c % subjects_));
  }
  [[nodiscard]] std::size_t subjects() const override { return subjects_; }
  void scan(const std::function<void(const bauta::ScoreBatch<float>&, int)>& consume) const override {
    bauta::parallel_for((rows_ + 7) / 8, [&](std::size_t group, int worker) {
      std::vector<float> scores;
      std::vector<std::uint32_t> probes, references;
      for (std::size_t r = 8 * group; r < std::min(rows_, 8 * group + 8); ++r) {
        const auto probe = static_cast<std::uint32_t>(r % subjects_);
        const float* from = pool_.data() + (r * 104729) % (pool_.size() - references_ - 64);
        for (std::size_t c = 0; c < references_; ++c) {
          const bool mated = column_subject_[c] == probe;
          // The row number enters the low bits: a pool alone would repeat its values and sort too easily.
          scores.push_back(from[c] * (1 + 1e-4F * static_cast<float>(r % 997)) + (mated ? 0.35F : 0));
        }
        probes.insert(probes.end(), references_, probe);
        references.insert(references.end(), column_subject_.begin(), column_subject_.end());
        // A face database has more mated pairs than one per probe and reference sample: repeat them with other scores.
        for (std::size_t k = 0; k < 29; ++k) {
          scores.push_back(from[k] + 0.35F);
          probes.push_back(probe);
          references.push_back(probe);
        }
      }
      consume({scores, probes, references, {}}, worker);
    });
  }

 private:
  std::size_t subjects_, references_, rows_;
  std::vector<float> pool_;
  std::vector<std::uint32_t> column_subject_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t non_mated = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 87'200'000;
  std::vector<std::size_t> draws;
  for (int i = 2; i < argc; ++i) draws.push_back(std::strtoull(argv[i], nullptr, 10));
  if (draws.empty()) draws = {0, 1000};
  const SyntheticComparison source(non_mated, 5744);
  const auto start = Clock::now();
  double used = processor_seconds();
  source.scan([](const bauta::ScoreBatch<float>&, int) {});
  std::printf("%d threads; one scan of the source alone: %.2f s (processor %.2f s)\n", bauta::threads(),
              seconds_since(start), processor_seconds() - used);
  for (std::size_t n : draws) {
    bauta::VerificationOptions options;
    options.bootstrap = n;
    const auto begin = Clock::now();
    used = processor_seconds();
    const auto result = bauta::measure_verification(source, options);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("bootstrap %zu: %.2f s (processor %.2f s), peak memory %.0f MB; %llu mated, %llu non-mated, EER %.6f",
                n, seconds_since(begin), processor_seconds() - used, static_cast<double>(usage.ru_maxrss) / 1024,
                static_cast<unsigned long long>(result.mated), static_cast<unsigned long long>(result.non_mated),
                result.eer);
    if (result.eer_ci) std::printf(" [%.6f, %.6f]", result.eer_ci->low, result.eer_ci->high);
    std::printf(", FNMR@1e-3 %.5f, AUC %.6f, Cllr %.6f, min Cllr %.6f\n", result.fnmr_at_fmr[2].fnmr, result.auc,
                result.cllr, result.min_cllr);
  }
}
