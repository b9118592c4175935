#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/progress.hpp"
#include "k_same.hpp"

namespace bauta {
namespace {

// What is learned is kept as arrays of floats, in which whole numbers of 24 bits are exact: three bytes in each.
constexpr std::size_t packed = 3;

Matrix<float> packed_rows(const Matrix<std::uint8_t>& bytes) {
  Matrix<float> rows(bytes.rows(), (bytes.cols() + packed - 1) / packed);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.cols(); ++j) {
      std::uint32_t value = 0;
      for (std::size_t b = 0; b < packed; ++b) {
        const std::size_t at = packed * j + b;
        value = value << 8 | (at < bytes.cols() ? bytes(i, at) : 0U);
      }
      rows(i, j) = static_cast<float>(value);
    }
  }
  return rows;
}

bool holds_whole_numbers(const Matrix<float>& values, float below) {
  return std::all_of(values.data(), values.data() + values.size(),
                     [&](float value) { return value >= 0 && value < below && value == std::floor(value); });
}

Matrix<std::uint8_t> unpacked_rows(const Matrix<float>& rows, std::size_t cols) {
  Matrix<std::uint8_t> bytes(rows.rows(), cols);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t at = 0; at < cols; ++at) {
      const auto value = static_cast<std::uint32_t>(rows(i, at / packed));
      bytes(i, at) = static_cast<std::uint8_t>(value >> (8 * (packed - 1 - at % packed)));
    }
  }
  return bytes;
}

/// 16 bits in each of four floats.
Matrix<float> marks_as_rows(const std::vector<std::uint64_t>& marks) {
  Matrix<float> rows(marks.size(), 4);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    for (std::size_t part = 0; part < 4; ++part) rows(i, part) = static_cast<float>(marks[i] >> (16 * part) & 0xffffU);
  }
  return rows;
}

std::vector<std::uint64_t> rows_as_marks(const Matrix<float>& rows) {
  std::vector<std::uint64_t> marks(rows.rows(), 0);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    for (std::size_t part = 0; part < 4; ++part) marks[i] |= static_cast<std::uint64_t>(rows(i, part)) << (16 * part);
  }
  return marks;
}

Matrix<float> copy_of(const Matrix<float>& values) {
  Matrix<float> copy(values.rows(), values.cols());
  std::copy_n(values.data(), values.size(), copy.data());
  return copy;
}

/// 1 - cosine; what has no direction is as far as can be from everything.
double cosine_distance(std::span<const float> a, std::span<const float> b) {
  double product = 0, of_a = 0, of_b = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    product += double{a[j]} * b[j];
    of_a += double{a[j]} * a[j];
    of_b += double{b[j]} * b[j];
  }
  return of_a > 0 && of_b > 0 ? 1 - product / std::sqrt(of_a * of_b) : 2;
}

}  // namespace

Background Background::learn(const KSameOptions& options, const Dataset& others, const ProtectContext& context) {
  if (others.identity_column.empty()) {
    throw_usage(options.technique, others.origin + " names nobody, and those who are averaged are different people",
                "name the column with --identity");
  }
  const std::vector<std::string>& subjects = others.labels.column(others.identity_column);
  const std::vector<std::string> classes = classes_of(others, options);
  const std::vector<bool> failed = others.failed();
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < others.size(); ++row) {
    if (!failed[row] && !subjects[row].empty() && (options.by.empty() || !classes[row].empty())) rows.push_back(row);
  }
  Stream stream = context.randomness.stream("k-same.background");
  if (rows.size() > options.most) {
    stream.shuffle(std::span(rows));
    rows.resize(options.most);
    std::sort(rows.begin(), rows.end());
  }
  Background background;
  background.options_ = options;
  background.gallery_ = gallery_of(others, rows, options.technique);
  const std::string left_out = background.gallery_.left_out();
  if (!left_out.empty()) warn(fmt::format("{}: of what it learns from, {}", options.technique, left_out));
  std::map<std::string, std::set<std::string>> people;  // of each class
  for (const std::size_t row : background.gallery_.rows) {
    background.people_.push_back(mark_of(subjects[row]));
    background.classes_.push_back(mark_of(classes[row]));
    people[classes[row]].insert(subjects[row]);
  }
  for (const auto& [name, members] : people) {
    if (members.size() + 1 >= options.k) continue;
    throw_input(others.origin,
                fmt::format("{} people{}, and each image is averaged with {} others", members.size(),
                            options.by.empty() ? "" : fmt::format(" with {} '{}'", options.by, name), options.k - 1),
                "choose a smaller k, or learn from more people");
  }
  background.space_ = FaceSpace::learn(background.gallery_, options.components, true, stream);
  background.coordinates_ = Matrix<float>(background.gallery_.size(), background.space_.dimension());
  parallel_for(background.gallery_.size(), [&](std::size_t i, int) {
    std::ranges::copy(background.space_.project(background.gallery_.pixels.row(i)),
                      background.coordinates_.row(i).begin());
  });
  return background;
}

FittedState Background::state() const {
  FittedState state;
  Matrix<float> shape(1, 3);
  shape(0, 0) = static_cast<float>(gallery_.shape.width);
  shape(0, 1) = static_cast<float>(gallery_.shape.height);
  shape(0, 2) = static_cast<float>(gallery_.shape.channels);
  state.emplace("shape", std::move(shape));
  state.emplace("images", packed_rows(gallery_.pixels));
  state.emplace("people", marks_as_rows(people_));
  state.emplace("classes", marks_as_rows(classes_));
  state.emplace("coordinates", copy_of(coordinates_));
  space_.add_to(state);
  return state;
}

Background Background::from(const KSameOptions& options, const FittedState& state, const std::string& where) {
  const auto take = [&](const std::string& name, std::size_t rows, std::size_t cols) -> const Matrix<float>& {
    const auto found = state.find(name);
    if (found == state.end() || (rows > 0 && found->second.rows() != rows) || found->second.cols() != cols) {
      throw_input(where, fmt::format("does not hold '{}' with {} columns", name, cols));
    }
    return found->second;
  };
  const Matrix<float>& shape = take("shape", 1, 3);
  constexpr float largest = 65536;
  if (!holds_whole_numbers(shape, largest) || shape(0, 0) < 1 || shape(0, 1) < 1 ||
      (shape(0, 2) != 1 && shape(0, 2) != 3)) {
    throw_input(where, "'shape' is no width, height and number of channels");
  }
  Background background;
  background.options_ = options;
  Image& size = background.gallery_.shape;
  size = {static_cast<std::size_t>(shape(0, 0)),
          static_cast<std::size_t>(shape(0, 1)),
          static_cast<std::size_t>(shape(0, 2)),
          {}};
  const std::size_t values = size.width * size.height * size.channels;
  const Matrix<float>& images = take("images", 0, (values + packed - 1) / packed);
  const Matrix<float>& people = take("people", images.rows(), 4);
  const Matrix<float>& classes = take("classes", images.rows(), 4);
  if (images.rows() == 0 || !holds_whole_numbers(images, 1 << 24) || !holds_whole_numbers(people, 1 << 16) ||
      !holds_whole_numbers(classes, 1 << 16)) {
    throw_input(where, "'images', 'people' or 'classes' hold what cannot be");
  }
  background.gallery_.pixels = unpacked_rows(images, values);
  background.gallery_.rows.resize(images.rows());
  std::iota(background.gallery_.rows.begin(), background.gallery_.rows.end(), std::size_t{0});
  background.people_ = rows_as_marks(people);
  background.classes_ = rows_as_marks(classes);
  background.space_ = FaceSpace::from(state, values, where);
  background.coordinates_ = copy_of(take("coordinates", images.rows(), background.space_.dimension()));
  return background;
}

bool Background::knows(std::uint64_t person) const {
  return std::ranges::find(people_, person) != people_.end();
}

std::vector<std::size_t> Background::nearest(std::span<const float> coordinates, std::uint64_t person,
                                             std::uint64_t its_class) const {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < gallery_.size(); ++i) {
    if (people_[i] == person || classes_[i] != its_class) continue;
    order.emplace_back(cosine_distance(coordinates, coordinates_.row(i)), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> chosen;
  std::set<std::uint64_t> taken;
  for (const auto& [distance, i] : order) {
    if (chosen.size() + 1 == options_.k) break;
    if (taken.insert(people_[i]).second) chosen.push_back(i);
  }
  if (chosen.size() + 1 < options_.k) {
    throw_input(options_.technique,
                fmt::format("only {} of {} other people can stand beside the sample", chosen.size(), options_.k - 1));
  }
  return chosen;
}

Image Background::mask(const Image& image, std::uint64_t person, std::uint64_t its_class) const {
  const std::vector<std::uint8_t> pixels = as_in(gallery_.shape, image, options_.technique);
  std::vector<float> coordinates = space_.project(pixels);
  const std::vector<std::size_t> others = nearest(coordinates, person, its_class);
  if (options_.eigen) {
    for (std::size_t j = 0; j < coordinates.size(); ++j) {
      double sum = coordinates[j];
      for (const std::size_t i : others) sum += coordinates_(i, j);
      coordinates[j] = static_cast<float>(sum / static_cast<double>(options_.k));
    }
    return space_.image(gallery_.shape, coordinates);
  }
  std::vector<std::uint32_t> sum(pixels.begin(), pixels.end());
  for (const std::size_t i : others) {
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += gallery_.pixels(i, j);
  }
  return mean_image(gallery_.shape, sum, options_.k);
}

}  // namespace bauta
