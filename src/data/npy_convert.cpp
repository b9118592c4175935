// Arrays of any stored type as templates, codes, bits or label texts.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "bauta/core/checked.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/npy.hpp"
#include "text.hpp"

namespace bauta {

namespace {

// Rows of one parallel item: large enough to hide the cost of handing it out.
constexpr std::size_t block_rows = 1024;

/// IEEE half precision; only a name for its bits.
struct Half {
  std::uint16_t bits;
};

// The unsigned integer of the same size, which is what byte order is defined for.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                                     std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

float widen(Half half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half.bits & 0x8000U) << 16;
  const std::uint32_t rest = static_cast<std::uint32_t>(half.bits & 0x7fffU) << 13;
  // Infinity and NaN keep their fraction; all else is an exact scaling, subnormals included.
  const std::uint32_t magnitude = (half.bits & 0x7c00U) == 0x7c00U
                                      ? 0x7f800000U | rest
                                      : std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1.0p112F);
  return std::bit_cast<float>(sign | magnitude);
}

template <class T>
T element(const NpyArray& array, std::uint64_t index) {
  const auto bits = load<BitsOf<T>>(array.data.data() + index * sizeof(T), array.order);
  return std::bit_cast<T>(bits);
}

// Booleans are bytes here; callers that care look at array.type.
/// Calls visit(T{}) with the C++ type of the array's numbers.
template <class Visit>
void with_type(const NpyArray& array, Visit&& visit) {
  switch (array.type) {
    case NpyType::boolean:
      return visit(std::uint8_t{});
    case NpyType::signed_integer:
      if (array.item_size == 1) return visit(std::int8_t{});
      if (array.item_size == 2) return visit(std::int16_t{});
      if (array.item_size == 4) return visit(std::int32_t{});
      return visit(std::int64_t{});
    case NpyType::unsigned_integer:
      if (array.item_size == 1) return visit(std::uint8_t{});
      if (array.item_size == 2) return visit(std::uint16_t{});
      if (array.item_size == 4) return visit(std::uint32_t{});
      return visit(std::uint64_t{});
    case NpyType::real:
      if (array.item_size == 2) return visit(Half{});
      if (array.item_size == 4) return visit(float{});
      return visit(double{});
    case NpyType::byte_text:
    case NpyType::unicode_text:
      break;
  }
  BAUTA_ASSERT(false);
}

struct Extent {
  std::size_t rows;
  std::size_t cols;
};

Extent matrix_extent(const NpyArray& array) {
  if (array.is_text())
    throw_input(array.origin, "holds texts, expected numbers", "texts are labels: give the file with --labels");
  if (array.shape.size() != 2) {
    throw_input(array.origin, fmt::format("has shape {}, expected samples x features", array.shape_text()),
                array.shape.size() > 2 ? "flatten each sample: X.reshape(len(X), -1)" : "one row per sample is needed");
  }
  // An array without elements fits any number of rows into no bytes, so the file length does not bound it.
  if (array.shape[0] == 0 || array.shape[1] == 0) {
    throw_input(array.origin, fmt::format("has shape {}: there is nothing in it", array.shape_text()));
  }
  return {static_cast<std::size_t>(array.shape[0]), static_cast<std::size_t>(array.shape[1])};
}

/// convert(value, row, col) for every element, in parallel over rows.
template <class T, class To, class Convert>
void fill(const NpyArray& array, Matrix<To>& to, Convert&& convert) {
  const std::size_t rows = to.rows();
  const std::size_t cols = to.cols();
  parallel_for((rows + block_rows - 1) / block_rows, [&](std::size_t block, int) {
    const std::size_t end = std::min(rows, (block + 1) * block_rows);
    for (std::size_t i = block * block_rows; i < end; ++i) {
      To* row = to.row(i).data();
      for (std::size_t j = 0; j < cols; ++j) {
        row[j] =
            convert(element<T>(array, array.fortran ? std::uint64_t{j} * rows + i : std::uint64_t{i} * cols + j), i, j);
      }
    }
  });
}

// Rows and columns are counted from 1, as in the messages for CSV.
std::string cell(const NpyArray& array, std::size_t row, std::size_t col) {
  return fmt::format("{} row {} column {}", array.origin, row + 1, col + 1);
}

// Arrays inside archives may lie at odd addresses, where floats must not be read in place.
bool zero_copy(const NpyArray& array) {
  return array.type == NpyType::real && array.item_size == sizeof(float) && array.order == native_order &&
         !array.fortran && reinterpret_cast<std::uintptr_t>(array.data.data()) % alignof(float) == 0;
}

std::string text_element(const NpyArray& array, std::uint64_t index) {
  const std::uint8_t* from = array.data.data() + index * array.item_size;
  std::string text;
  if (array.type == NpyType::byte_text) {
    text.assign(reinterpret_cast<const char*>(from), array.item_size);
    text.erase(text.find_last_not_of('\0') + 1);  // numpy pads with zeros
    return text;
  }
  std::size_t length = array.item_size / 4;
  while (length > 0 && load<std::uint32_t>(from + (length - 1) * 4, array.order) == 0) --length;
  for (std::size_t i = 0; i < length; ++i) {
    const auto point = load<std::uint32_t>(from + i * 4, array.order);
    if (!is_code_point(point)) {
      throw_input(fmt::format("{} row {}", array.origin, index + 1), fmt::format("0x{:x} is not a character", point));
    }
    append_utf8(text, point);
  }
  return text;
}

template <class T>
std::string number_text(T value) {
  char buffer[32];
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return {};
    // Labels saved as float (0.0, 1.0) should meet the same labels saved as integers; 2^53 bounds exact ones.
    if (std::trunc(value) == value && std::abs(value) < static_cast<T>(1LL << 53)) {
      return std::to_string(static_cast<long long>(value));
    }
  }
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

/// Features whose values lie within few steps of float32 of each other, or below its smallest, are not told apart any
/// more.
template <class T>
void require_told_apart(const NpyArray& array, std::size_t rows, std::size_t cols) {
  constexpr double step = 0x1.0p-23, least = 0x1.0p-126, fewest_steps = 256;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> low(cols, infinity), high(cols, -infinity);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      const auto value = static_cast<double>(
          element<T>(array, array.fortran ? std::uint64_t{j} * rows + i : std::uint64_t{i} * cols + j));
      low[j] = std::min(low[j], value);
      high[j] = std::max(high[j], value);
    }
  }
  std::size_t varying = 0, lost = 0;
  for (std::size_t j = 0; j < cols; ++j) {
    if (!(low[j] < high[j])) continue;
    ++varying;
    const double size = std::max(std::abs(low[j]), std::abs(high[j]));
    lost += size < least || high[j] - low[j] < fewest_steps * step * size;
  }
  if (2 * lost <= varying) return;
  throw_input(array.origin,
              fmt::format("{} of {} features vary by less than float32, in which templates are held, can tell apart",
                          lost, varying),
              "subtract their mean, or scale them, before saving");
}

}  // namespace

Templates to_float_templates(const NpyArray& array) {
  const auto [rows, cols] = matrix_extent(array);
  if (zero_copy(array)) {
    return {MatrixView<const float>(reinterpret_cast<const float*>(array.data.data()), rows, cols), array.owner,
            array.mapped};
  }
  checked_multiply(array.count(), sizeof(float), array.origin);
  Matrix<float> values(rows, cols);
  with_type(array, [&]<class T>(T) {
    if constexpr (std::is_same_v<T, double> || (std::is_integral_v<T> && sizeof(T) >= 4)) {
      require_told_apart<T>(array, values.rows(), values.cols());
    }
    fill<T>(array, values, [&](T value, std::size_t row, std::size_t col) {
      if constexpr (std::is_same_v<T, Half>) {
        (void)row, (void)col;
        return widen(value);
      } else {
        const auto narrow = static_cast<float>(value);
        if constexpr (std::is_same_v<T, double>) {
          if (std::isinf(narrow) && !std::isinf(value)) {
            throw_input(cell(array, row, col), fmt::format("{} is beyond the range of float32", value),
                        "scale the features before saving them");
          }
        }
        return narrow;
      }
    });
  });
  return Templates(std::move(values));
}

Matrix<double> to_doubles(const NpyArray& array) {
  const auto [rows, cols] = matrix_extent(array);
  checked_multiply(array.count(), sizeof(double), array.origin);
  Matrix<double> values(rows, cols);
  with_type(array, [&]<class T>(T) {
    fill<T>(array, values, [](T value, std::size_t, std::size_t) {
      if constexpr (std::is_same_v<T, Half>) {
        return static_cast<double>(widen(value));
      } else {
        return static_cast<double>(value);
      }
    });
  });
  return values;
}

Matrix<std::uint8_t> to_codes(const NpyArray& array) {
  const auto [rows, cols] = matrix_extent(array);
  if (array.type == NpyType::real) {
    throw_input(array.origin, fmt::format("holds {}, expected integer codes 0 to 255", array.type_name()));
  }
  Matrix<std::uint8_t> codes(rows, cols);
  with_type(array, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>) {
      fill<T>(array, codes, [&](T value, std::size_t row, std::size_t col) {
        if (std::cmp_less(value, 0) || std::cmp_greater(value, 255)) {
          throw_input(cell(array, row, col), fmt::format("code {}, expected 0 to 255", value));
        }
        return static_cast<std::uint8_t>(value);
      });
    }
  });
  return codes;
}

Templates to_bit_templates(const NpyArray& array, std::size_t bits) {
  const auto [rows, cols] = matrix_extent(array);
  const std::size_t row_bytes = bits / 8 + (bits % 8 != 0);
  if (array.type != NpyType::unsigned_integer || array.item_size != 1 || cols != row_bytes) {
    throw_input(array.origin,
                fmt::format("has {} {}, expected uint8 with {} columns for {} packed bits", array.shape_text(),
                            array.type_name(), row_bytes, bits),
                "bits are packed by numpy.packbits(B, axis=1, bitorder='little')");
  }
  const Matrix<std::uint8_t> packed = to_codes(array);
  Matrix<std::uint64_t> words(rows, words_for_bits(bits), 0);
  // Unused high bits must be zero, or Hamming distances over whole words would count them.
  const unsigned used = bits % 8 == 0 ? 8 : static_cast<unsigned>(bits % 8);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint8_t last = packed(i, cols - 1);
    if ((static_cast<unsigned>(last) >> used) != 0) {
      throw_input(fmt::format("{} row {}", array.origin, i + 1),
                  fmt::format("bits beyond the {} announced are set", bits), "check the key `bits` in dataset.toml");
    }
    for (std::size_t j = 0; j < cols; ++j) {
      words(i, j / 8) |= std::uint64_t{packed(i, j)} << (8 * (j % 8));
    }
  }
  return {std::move(words), bits};
}

std::vector<std::string> to_text_column(const NpyArray& array) {
  // N x 1 is what keras and pandas leave behind.
  const bool column = array.shape.size() == 1 || (array.shape.size() == 2 && array.shape[1] == 1);
  if (!column) {
    throw_input(array.origin, fmt::format("has shape {}, expected one label per sample", array.shape_text()),
                array.shape.size() == 2 ? "one-hot labels become a column with Y.argmax(axis=1)" : "");
  }
  const auto rows = static_cast<std::size_t>(array.shape[0]);
  std::vector<std::string> texts(rows);
  if (array.is_text()) {
    for (std::size_t i = 0; i < rows; ++i) texts[i] = text_element(array, i);
    return texts;
  }
  with_type(array, [&]<class T>(T) {
    for (std::size_t i = 0; i < rows; ++i) {
      const T value = element<T>(array, i);
      if constexpr (std::is_same_v<T, Half>) {
        texts[i] = number_text(widen(value));
      } else if (array.type == NpyType::boolean) {
        texts[i] = static_cast<bool>(value) ? "1" : "0";
      } else {
        texts[i] = number_text(value);
      }
    }
  });
  return texts;
}

}  // namespace bauta
