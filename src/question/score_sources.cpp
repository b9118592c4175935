#include "score_sources.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "bauta/core/parallel.hpp"
#include "bauta/data/score_file.hpp"

namespace bauta {

namespace {

constexpr std::size_t batch_size = 1 << 15;

/// The rows of a data set that are compared: not failed, with an identity.
struct ComparedRows {
  std::vector<std::size_t> rows;
  std::vector<std::string> subjects;  ///< of each row
  std::size_t failures = 0;
};

ComparedRows compared_rows(const Dataset& dataset) {
  ComparedRows result;
  const auto& identity = dataset.labels.column(dataset.identity_column);
  const std::vector<bool> failed = dataset.failed();
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    if (failed[row]) {
      ++result.failures;
      continue;
    }
    if (identity[row].empty()) {
      throw_input(dataset.labels.origin() + " row " + std::to_string(row + 1),
                  "has no '" + dataset.identity_column + "'", "every sample that is compared needs one");
    }
    result.rows.push_back(row);
    result.subjects.push_back(identity[row]);
  }
  return result;
}

std::unique_ptr<const Prepared> prepare_rows(const Comparator& comparator, const Dataset& dataset, Side side,
                                             const std::vector<std::size_t>& rows) {
  const bool presented = side == Side::probe && !dataset.probe_templates.empty();
  const Templates& templates = presented ? dataset.probe_templates : dataset.templates;
  return comparator.prepare(rows.size() == dataset.size() ? templates : templates.select(rows), side, dataset.origin);
}

/// Hands each row of a tile on as a batch, and keeps it in a file if there is one.
class Forward : public TileConsumer {
 public:
  Forward(const std::vector<std::uint32_t>& subjects, const NamedSource::Consume& consume,
          const std::function<void(std::size_t, std::size_t, std::span<const float>)>& store)
      : subjects_(subjects), consume_(consume), store_(store), probe_ids_(static_cast<std::size_t>(threads())) {}

  void consume(const Tile& tile) override {
    auto& ids = probe_ids_[static_cast<std::size_t>(tile.worker)];
    for (std::size_t i = 0; i < tile.probes.size(); ++i) {
      const std::size_t begin = first_reference(tile, i, Pairs::distinct);
      const std::size_t count = tile.references.size() - begin;
      if (count == 0) continue;
      const std::size_t probe = tile.probes.begin + i;
      const auto scores = tile.scores.row(i).subspan(begin);
      ids.assign(count, subjects_[probe]);
      const std::span references(subjects_.data() + tile.references.begin + begin, count);
      consume_({{scores, ids, references, {}}, probe, tile.references.begin + begin}, tile.worker);
      if (store_) store_(probe, tile.references.begin + begin, scores);
    }
  }

 private:
  const std::vector<std::uint32_t>& subjects_;
  const NamedSource::Consume& consume_;
  std::function<void(std::size_t, std::size_t, std::span<const float>)> store_;
  std::vector<std::vector<std::uint32_t>> probe_ids_;
};

}  // namespace

EngineSource::EngineSource(const Dataset& dataset, const Comparator& comparator) : comparator_(comparator) {
  const ComparedRows compared = compared_rows(dataset);
  const Categorical identity = dataset.labels.categorical(dataset.identity_column);
  failures_ = compared.failures;
  for (const std::size_t row : compared.rows) subject_.push_back(static_cast<std::uint32_t>(identity.codes[row]));
  names_ = identity.classes;
  samples_ = subject_.size();
  references_ = prepare_rows(comparator, dataset, Side::reference, compared.rows);
  if (!dataset.probe_templates.empty()) probes_ = prepare_rows(comparator, dataset, Side::probe, compared.rows);
}

// Row i of the upper triangle holds the scores of probe i against the references after it.
std::uint64_t EngineSource::row_offset(std::size_t probe) const {
  const std::uint64_t n = subject_.size();
  return (probe * (2 * n - probe - 1) / 2) * sizeof(float);
}

void EngineSource::scan_samples(const Consume& consume) const {
  if (stored_) {
    scan_stored(consume);
    return;
  }
  std::unique_ptr<Spill> spill;
  std::function<void(std::size_t, std::size_t, std::span<const float>)> store;
  if (comparator_.worth_storing()) {
    spill = std::make_unique<Spill>();
    store = [&](std::size_t probe, std::size_t reference, std::span<const float> scores) {
      spill->write(row_offset(probe) + (reference - probe - 1) * sizeof(float), scores.data(), scores.size_bytes());
    };
  }
  Forward forward(subject_, consume, store);
  TileConsumer* const consumers[] = {&forward};
  compare_all(comparator_, probes_ ? *probes_ : *references_, *references_, Pairs::distinct, consumers);
  if (spill) {
    spill->map(row_offset(subject_.size()));
    stored_ = std::move(spill);
  }
}

void EngineSource::scan_stored(const Consume& consume) const {
  const std::size_t n = subject_.size();
  std::vector<std::vector<std::uint32_t>> ids(static_cast<std::size_t>(threads()));
  parallel_for(n, [&](std::size_t probe, int worker) {
    const std::size_t count = n - probe - 1;
    if (count == 0) return;
    auto& probe_ids = ids[static_cast<std::size_t>(worker)];
    probe_ids.assign(count, subject_[probe]);
    const float* scores = stored_->as<float>() + row_offset(probe) / sizeof(float);
    const std::span references(subject_.data() + probe + 1, count);
    consume({{{scores, count}, probe_ids, references, {}}, probe, probe + 1}, worker);
  });
}

CrossSource::CrossSource(const Dataset& probes, const Dataset& references, const Comparator& comparator,
                         Samples samples)
    : comparator_(comparator) {
  std::map<std::string, std::uint32_t> code;
  const auto encode = [&](const std::vector<std::string>& names) {
    std::vector<std::uint32_t> codes;
    for (const auto& name : names) {
      const auto [place, fresh] = code.try_emplace(name, static_cast<std::uint32_t>(code.size()));
      if (fresh) names_.push_back(name);
      codes.push_back(place->second);
    }
    return codes;
  };
  const ComparedRows probe_rows = compared_rows(probes);
  const ComparedRows reference_rows = compared_rows(references);
  const bool one = &probes == &references;
  failures_ = probe_rows.failures + (one ? 0 : reference_rows.failures);
  probe_subject_ = encode(probe_rows.subjects);
  reference_subject_ = encode(reference_rows.subjects);
  samples_ = probe_subject_.size() + (one ? 0 : reference_subject_.size());
  own_reference_.assign(probe_rows.rows.size(), nowhere);
  if (samples == Samples::same) {
    BAUTA_ASSERT(probes.size() == references.size());
    // A sample may have failed in one of its forms only.
    std::vector<std::size_t> place(references.size(), nowhere);
    for (std::size_t i = 0; i < reference_rows.rows.size(); ++i) place[reference_rows.rows[i]] = i;
    for (std::size_t i = 0; i < probe_rows.rows.size(); ++i) own_reference_[i] = place[probe_rows.rows[i]];
  }
  probes_ = prepare_rows(comparator, probes, Side::probe, probe_rows.rows);
  references_ = prepare_rows(comparator, references, Side::reference, reference_rows.rows);
}

CrossSource::PairCounts CrossSource::pairs_of_subjects() const {
  PairCounts pairs{std::vector<std::size_t>(subjects(), 0), std::vector<std::size_t>(subjects(), 0)};
  std::vector<std::size_t> references(subjects(), 0);
  for (const std::uint32_t subject : reference_subject_) ++references[subject];
  for (std::size_t i = 0; i < probe_subject_.size(); ++i) {
    pairs.all[probe_subject_[i]] += references[probe_subject_[i]];
    if (own_reference_[i] != nowhere) ++pairs.own[probe_subject_[i]];
  }
  return pairs;
}

std::vector<std::uint32_t> CrossSource::mated_subjects() const {
  const PairCounts pairs = pairs_of_subjects();
  std::vector<std::uint32_t> result;
  for (std::uint32_t subject = 0; subject < subjects(); ++subject) {
    if (pairs.all[subject] > pairs.own[subject]) result.push_back(subject);
  }
  return result;
}

double CrossSource::compared_share() const {
  const PairCounts pairs = pairs_of_subjects();
  double all = 0, compared = 0;
  for (const std::uint32_t subject : mated_subjects()) {
    all += static_cast<double>(pairs.all[subject]);
    compared += static_cast<double>(pairs.all[subject] - pairs.own[subject]);
  }
  return all == 0 ? 1 : compared / all;
}

void CrossSource::scan_samples(const Consume& consume) const {
  class Rows : public TileConsumer {
   public:
    Rows(const CrossSource& source, const Consume& consume_batch)
        : source_(source), consume_(consume_batch), probe_ids_(static_cast<std::size_t>(threads())) {}
    void consume(const Tile& tile) override {
      auto& ids = probe_ids_[static_cast<std::size_t>(tile.worker)];
      const auto hand_on = [&](std::size_t i, std::size_t begin, std::size_t end) {
        if (begin >= end) return;
        const std::size_t probe = tile.probes.begin + i, first = tile.references.begin + begin;
        ids.assign(end - begin, source_.probe_subject_[probe]);
        const std::span references = std::span(source_.reference_subject_).subspan(first, end - begin);
        consume_({{tile.scores.row(i).subspan(begin, end - begin), ids, references, {}}, probe, first}, tile.worker);
      };
      for (std::size_t i = 0; i < tile.probes.size(); ++i) {
        const std::size_t probe = tile.probes.begin + i;
        const std::size_t own = source_.own_reference_[probe];
        const bool here = own >= tile.references.begin && own < tile.references.end;
        const std::size_t skip = here ? own - tile.references.begin : tile.references.size();
        hand_on(i, 0, skip);
        hand_on(i, skip + 1, tile.references.size());
      }
    }

   private:
    const CrossSource& source_;
    const Consume& consume_;
    std::vector<std::vector<std::uint32_t>> probe_ids_;
  };
  Rows rows(*this, consume);
  TileConsumer* const consumers[] = {&rows};
  compare_all(comparator_, *probes_, *references_, Pairs::all, consumers);
}

namespace {

std::vector<std::unique_ptr<NamedSource>> within_each(std::span<const Dataset> parts, const Comparator& comparator) {
  std::vector<std::unique_ptr<NamedSource>> sources;
  for (const Dataset& part : parts) sources.push_back(std::make_unique<EngineSource>(part, comparator));
  return sources;
}

}  // namespace

PooledSource::PooledSource(std::span<const Dataset> parts, const Comparator& comparator, bool standardised)
    : PooledSource(within_each(parts, comparator), standardised) {}

PooledSource::PooledSource(std::vector<std::unique_ptr<NamedSource>> sources, bool standardised)
    : sources_(std::move(sources)) {
  std::map<std::string, std::uint32_t> code;
  for (const auto& source : sources_) {
    subject_.emplace_back();
    for (const auto& name : source->names()) {
      const auto [place, fresh] = code.try_emplace(name, static_cast<std::uint32_t>(code.size()));
      if (fresh) names_.push_back(name);
      subject_.back().push_back(place->second);
    }
    samples_ += source->samples();
    failures_ += source->failures();
  }
  if (!standardised || sources_.size() == 1) return;
  for (const auto& source : sources_) levels_.push_back(level_of(*source));
}

/// Sums of whole numbers do not depend on the order in which threads add them.
PooledSource::Level PooledSource::level_of(const NamedSource& source) {
  constexpr double unit = 1 << 20;
  __extension__ typedef __int128 Whole;
  struct Sums {
    Whole scores = 0, squares = 0;
    std::uint64_t count = 0;
  };
  std::vector<Sums> workers(static_cast<std::size_t>(threads()));
  source.scan([&](const ScoreBatch<float>& batch, int worker) {
    Sums& sums = workers[static_cast<std::size_t>(worker)];
    for (std::size_t i = 0; i < batch.scores.size(); ++i) {
      if (batch.probe_subjects[i] == batch.reference_subjects[i] || !std::isfinite(batch.scores[i])) continue;
      const Whole whole = std::llround(static_cast<double>(batch.scores[i]) * unit);
      sums.scores += whole;
      sums.squares += whole * whole;
      ++sums.count;
    }
  });
  Sums all;
  for (const Sums& sums : workers) {
    all.scores += sums.scores;
    all.squares += sums.squares;
    all.count += sums.count;
  }
  if (all.count == 0) return {};
  const double count = static_cast<double>(all.count);
  const double mean = static_cast<double>(all.scores) / count;
  const double variance = static_cast<double>(all.squares) / count - mean * mean;
  return {mean / unit, variance > 0 ? std::sqrt(variance) / unit : 1};
}

std::size_t PooledSource::probes() const {
  return std::accumulate(sources_.begin(), sources_.end(), std::size_t{0},
                         [](std::size_t sum, const auto& source) { return sum + source->probes(); });
}

std::size_t PooledSource::references() const {
  return std::accumulate(sources_.begin(), sources_.end(), std::size_t{0},
                         [](std::size_t sum, const auto& source) { return sum + source->references(); });
}

void PooledSource::scan_samples(const Consume& consume) const {
  if (sources_.size() == 1) return sources_[0]->scan_samples(consume);  // the same numbers, nothing to translate
  struct Buffer {
    std::vector<std::uint32_t> probes, references;
    std::vector<float> scores;
  };
  std::vector<Buffer> buffers(static_cast<std::size_t>(threads()));
  std::size_t probes_before = 0, references_before = 0;
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    sources_[s]->scan_samples([&](const SampleBatch& batch, int worker) {
      Buffer& buffer = buffers[static_cast<std::size_t>(worker)];
      buffer.probes.clear();
      buffer.references.clear();
      for (const std::uint32_t subject : batch.scores.probe_subjects) buffer.probes.push_back(subject_[s][subject]);
      for (const std::uint32_t subject : batch.scores.reference_subjects) {
        buffer.references.push_back(subject_[s][subject]);
      }
      std::span<const float> scores = batch.scores.scores;
      if (!levels_.empty()) {
        buffer.scores.clear();
        for (const float score : scores) {
          buffer.scores.push_back(static_cast<float>((score - levels_[s].mean) / levels_[s].deviation));
        }
        scores = buffer.scores;
      }
      consume({{scores, buffer.probes, buffer.references, {}},
               probes_before + batch.probe,
               references_before + batch.first_reference},
              worker);
    });
    probes_before += sources_[s]->probes();
    references_before += sources_[s]->references();
  }
}

SampleClasses classes_of(std::span<const Dataset> probes, std::span<const Dataset> references,
                         const std::string& attribute) {
  std::map<std::string, std::int32_t> code;
  const auto codes_of = [&](std::span<const Dataset> parts) {
    std::vector<std::int32_t> codes;
    for (const Dataset& part : parts) {
      const auto& classes = part.labels.column(attribute);
      for (const std::size_t row : compared_rows(part).rows) {
        const std::string& name = classes[row];
        codes.push_back(name.empty() ? -1
                                     : code.try_emplace(name, static_cast<std::int32_t>(code.size())).first->second);
      }
    }
    return codes;
  };
  SampleClasses classes{codes_of(probes), {}};
  classes.references = codes_of(references);
  return classes;
}

AttributePairs::AttributePairs(const NamedSource& base, SampleClasses classes)
    : base_(base), classes_(std::move(classes)) {
  BAUTA_ASSERT(classes_.probes.size() == base.probes() && classes_.references.size() == base.references());
}

void AttributePairs::scan(const std::function<void(const ScoreBatch<float>&, int)>& consume) const {
  struct Buffer {
    std::vector<float> scores;
    std::vector<std::uint8_t> same;
  };
  std::vector<Buffer> buffers(static_cast<std::size_t>(threads()));
  base_.scan_samples([&](const SampleBatch& batch, int worker) {
    const std::int32_t own = classes_.probes[batch.probe];
    if (own < 0) return;
    Buffer& buffer = buffers[static_cast<std::size_t>(worker)];
    buffer.scores.clear();
    buffer.same.clear();
    const auto& [scores, probe_subjects, reference_subjects, mated] = batch.scores;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const std::int32_t other = classes_.references[batch.first_reference + i];
      if (probe_subjects[i] == reference_subjects[i] || other < 0) continue;
      buffer.scores.push_back(scores[i]);
      buffer.same.push_back(own == other ? 1 : 0);
    }
    if (!buffer.scores.empty()) consume({buffer.scores, {}, {}, buffer.same}, worker);
  });
}

FileSource::FileSource(const std::filesystem::path& path, const ScoreOptions& options) {
  const auto reader = ScoreReader::open(path, options);
  ScoreRows rows;
  while (reader->next(rows)) {
    const std::size_t n = rows.size();
    scores_.write(count_ * sizeof(double), rows.scores.data(), n * sizeof(double));
    mated_.write(count_, rows.mated.data(), n);
    if (reader->has_subjects()) {
      probe_subjects_.write(count_ * sizeof(std::uint32_t), rows.probe_subjects.data(), n * sizeof(std::uint32_t));
      reference_subjects_.write(count_ * sizeof(std::uint32_t), rows.reference_subjects.data(),
                                n * sizeof(std::uint32_t));
    }
    count_ += n;
  }
  remarks_ = reader->remarks;
  scores_.map(count_ * sizeof(double));
  mated_.map(count_);
  if (reader->has_subjects()) {
    subject_count_ = reader->subjects().size();
    probe_subjects_.map(count_ * sizeof(std::uint32_t));
    reference_subjects_.map(count_ * sizeof(std::uint32_t));
  }
}

void FileSource::scan(const std::function<void(const ScoreBatch<double>&, int)>& consume) const {
  parallel_for((count_ + batch_size - 1) / batch_size, [&](std::size_t batch, int worker) {
    const std::size_t begin = batch * batch_size;
    const std::size_t n = std::min(batch_size, count_ - begin);
    ScoreBatch<double> part{{scores_.as<double>() + begin, n}, {}, {}, {}};
    if (subject_count_ > 0) {
      part.probe_subjects = {probe_subjects_.as<std::uint32_t>() + begin, n};
      part.reference_subjects = {reference_subjects_.as<std::uint32_t>() + begin, n};
    } else {
      part.mated = {mated_.as<std::uint8_t>() + begin, n};
    }
    consume(part, worker);
  });
}

}  // namespace bauta
