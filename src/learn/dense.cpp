#include "dense.hpp"

#include <algorithm>
#include <cmath>

#include <cblas.h>

#include "bauta/core/parallel.hpp"

// From LAPACK, which OpenBLAS carries: its own header is not part of Debian's package.
// NOLINTNEXTLINE(readability-function-size,readability-identifier-naming): name and parameters are LAPACK's.
extern "C" void dsyevd_(const char* job, const char* triangle, const int* n, double* a, const int* lda, double* values,
                        double* work, const int* work_size, int* integers, const int* integers_size, int* info);

namespace bauta {

namespace {

constexpr std::size_t rows_per_block = 256;
constexpr std::size_t parts = 8;

}  // namespace

std::vector<double> column_means(MatrixView<const float> x) {
  std::vector<double> means(x.cols, 0);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const auto row = x.row(i);
    for (std::size_t j = 0; j < x.cols; ++j) means[j] += row[j];
  }
  for (double& mean : means) mean /= static_cast<double>(x.rows);
  return means;
}

Dense centred(MatrixView<const float> x, const std::vector<double>& means) {
  Dense result(as_int(x.rows), as_int(x.cols));
  widen(x, 0, x.rows, result.data(), x.cols, means.data());
  return result;
}

void centred_moments(MatrixView<const float> x, const std::vector<double>& x_means, MatrixView<const float> y,
                     const std::vector<double>& y_means, Dense& square, Dense& cross) {
  std::vector<Dense> squares(parts), crosses(parts);
  const std::size_t rows_of_part = (x.rows + parts - 1) / parts;
  parallel_for(parts, [&](std::size_t part, int) {
    squares[part].setZero(as_int(x.cols), as_int(x.cols));
    crosses[part].setZero(as_int(x.cols), as_int(y.cols));
    std::vector<double> left(rows_per_block * x.cols), right(rows_per_block * y.cols);
    const std::size_t last = std::min((part + 1) * rows_of_part, x.rows);
    for (std::size_t begin = part * rows_of_part; begin < last; begin += rows_per_block) {
      const std::size_t end = std::min(begin + rows_per_block, last);
      const int rows = as_int(end - begin);
      widen(x, begin, end, left.data(), x.cols, x_means.data());
      cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, as_int(x.cols), rows, 1, left.data(), as_int(x.cols), 1,
                  squares[part].data(), as_int(x.cols));
      if (y.cols == 0) continue;
      widen(y, begin, end, right.data(), y.cols, y_means.data());
      cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, as_int(x.cols), as_int(y.cols), rows, 1, left.data(),
                  as_int(x.cols), right.data(), as_int(y.cols), 1, crosses[part].data(), as_int(y.cols));
    }
  });
  square = std::move(squares[0]);
  cross = std::move(crosses[0]);
  for (std::size_t part = 1; part < parts; ++part) {
    square += squares[part];
    cross += crosses[part];
  }
}

Dense weighted_square(MatrixView<const float> x, const std::vector<double>& weights, bool ones) {
  const std::size_t width = x.cols + (ones ? 1 : 0);
  std::vector<Dense> sums(parts);
  const std::size_t rows_of_part = (x.rows + parts - 1) / parts;
  parallel_for(parts, [&](std::size_t part, int) {
    sums[part].setZero(as_int(width), as_int(width));
    std::vector<double> block(rows_per_block * width);
    const std::size_t last = std::min((part + 1) * rows_of_part, x.rows);
    for (std::size_t begin = part * rows_of_part; begin < last; begin += rows_per_block) {
      const std::size_t end = std::min(begin + rows_per_block, last);
      widen(x, begin, end, block.data(), width);
      for (std::size_t i = 0; i < end - begin; ++i) {
        double* const row = block.data() + i * width;
        const double factor = std::sqrt(weights[begin + i]);
        if (ones) row[x.cols] = 1;
        for (std::size_t j = 0; j < width; ++j) row[j] *= factor;
      }
      cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, as_int(width), as_int(end - begin), 1, block.data(),
                  as_int(width), 1, sums[part].data(), as_int(width));
    }
  });
  for (std::size_t part = 1; part < parts; ++part) sums[0] += sums[part];
  return std::move(sums[0]);
}

std::vector<double> decompose(Dense& matrix) {
  const int n = static_cast<int>(matrix.rows());
  std::vector<double> values(static_cast<std::size_t>(n));
  double work_wish = 0;
  int integer_wish = 0;
  int info = 0;
  const int ask = -1;
  // Row-major lower is column-major upper, and column-major eigenvectors are rows here.
  dsyevd_("V", "U", &n, matrix.data(), &n, values.data(), &work_wish, &ask, &integer_wish, &ask, &info);
  const int work_size = static_cast<int>(work_wish);
  std::vector<double> work(static_cast<std::size_t>(work_size));
  std::vector<int> integers(static_cast<std::size_t>(integer_wish));
  dsyevd_("V", "U", &n, matrix.data(), &n, values.data(), work.data(), &work_size, integers.data(), &integer_wish,
          &info);
  BAUTA_ASSERT(info == 0);
  return values;
}

}  // namespace bauta
