// Scores as files that other programs read.
#include <algorithm>
#include <array>
#include <functional>

#include "bauta/compare/score_matrix.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/score_file.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/verification.hpp"

namespace bauta {

namespace {

constexpr std::size_t rows_at_once = 256;  // bounds the memory

struct Sides {
  std::unique_ptr<Comparator> comparator;
  std::unique_ptr<const Prepared> references, presented;

  Sides(const Dataset& dataset, const std::string& asked)
      : comparator(make_comparator(choose_comparator(dataset, asked).specification)) {
    references = comparator->prepare(dataset.templates, Side::reference, dataset.origin);
    if (!dataset.probe_templates.empty()) {
      presented = comparator->prepare(dataset.probe_templates, Side::probe, dataset.origin);
    }
  }
  [[nodiscard]] const Prepared& probes() const { return presented ? *presented : *references; }

  /// The scores of each sample as a probe against all references, in the order of the samples.
  void each_row(const std::function<void(std::size_t, std::span<const float>)>& take) const {
    const std::size_t n = references->rows();
    Matrix<float> block(std::min(rows_at_once, n), n);
    for (std::size_t first = 0; first < n; first += block.rows()) {
      const std::size_t count = std::min(block.rows(), n - first);
      parallel_for(count, [&](std::size_t i, int) {
        comparator->tile(probes(), {first + i, first + i + 1}, *references, {0, n}, block.view().slice(i, 1));
      });
      for (std::size_t i = 0; i < count; ++i) take(first + i, block.row(i));
    }
  }
};

void write_npy(const Sides& sides, const std::filesystem::path& path) {
  const std::size_t n = sides.references->rows();
  OutputFile file(path);
  const std::array<std::uint64_t, 2> shape = {n, n};
  const std::string header = npy_header("<f4", shape);
  file.write(header);
  ScoreMatrixWriter writer(file, header.size(), n);
  TileConsumer* const consumers[] = {&writer};
  compare_all(*sides.comparator, sides.probes(), *sides.references, Pairs::all, consumers, "writing scores");
  file.commit();
}

void write_mtx(const Sides& sides, const std::vector<std::string>& names, const std::filesystem::path& path) {
  std::filesystem::path mask_path = path;
  mask_path.replace_extension(".mask");
  MatrixWriter writer(path, mask_path, {.rows = names.size(), .cols = names.size()});
  std::vector<std::uint8_t> mask(names.size());
  sides.each_row([&](std::size_t i, std::span<const float> scores) {
    for (std::size_t j = 0; j < names.size(); ++j) {
      mask[j] = names[i] == names[j] ? MatrixWriter::match : MatrixWriter::non_match;
    }
    mask[i] = MatrixWriter::ignore;
    writer.add_row(scores, mask);
  });
  writer.commit();
}

}  // namespace

void write_scores(const Dataset& dataset, const std::string& comparator, const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  const std::vector<std::string> known = {".npy", ".mtx", ".csv", ".txt"};
  if (std::find(known.begin(), known.end(), ending) == known.end()) {
    throw_usage(path.string(), "the ending says the format: .npy, .mtx, .csv or .txt");
  }
  const std::vector<bool> failed = dataset.failed();
  if (std::find(failed.begin(), failed.end(), true) != failed.end()) {
    throw_input(dataset.origin, "has failed samples, whose scores do not exist", "remove them before writing scores");
  }
  const Sides sides(dataset, comparator);
  const auto& names = dataset.labels.column(dataset.identity_column);
  if (ending == ".npy") return write_npy(sides, path);
  if (ending == ".mtx") return write_mtx(sides, names, path);
  const auto each_pair = [&](auto& writer, const auto& add) {
    sides.each_row([&](std::size_t i, std::span<const float> scores) {
      for (std::size_t j = i + 1; j < names.size(); ++j) add(i, j, double{scores[j]});
    });
    writer.commit();
  };
  if (ending == ".csv") {
    ScoreCsvWriter writer(path);
    each_pair(writer, [&](std::size_t i, std::size_t j, double score) { writer.add(score, names[i] == names[j]); });
  } else {
    FourColumnWriter writer(path);
    each_pair(writer, [&](std::size_t i, std::size_t j, double score) {
      writer.add(names[j], names[i], std::to_string(i + 1), score);
    });
  }
}

}  // namespace bauta
