#include "bauta/data/media_source.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/csv.hpp"
#include "bauta/data/mapped_file.hpp"
#include "bauta/data/text_source.hpp"
#include "medium_formats.hpp"
#include "motion_formats.hpp"
#include "text.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

constexpr const char* joint_file = "joints.txt";
constexpr const char* rate_file = "rates.csv";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

double rate_in(std::string_view text, const std::string& where) {
  const double rate = parse_number(trimmed(text)).value_or(0);
  if (!(rate > 0 && std::isfinite(rate))) {
    throw_input(where, fmt::format("'{}' is no number of frames per second", text));
  }
  return rate;
}

std::map<std::string, double> read_rates(const fs::path& path) {
  CsvReader reader(path);
  const auto file = reader.find("file"), rate = reader.find("rate");
  if (!file || !rate) throw_input(path.string(), "has no columns `file` and `rate`");
  std::map<std::string, double> rates;
  std::vector<std::string_view> fields;
  while (reader.next(fields)) rates[std::string(fields[*file])] = rate_in(fields[*rate], reader.where());
  return rates;
}

class FileMedia : public MediaSource {
 public:
  FileMedia(fs::path folder, std::vector<std::string> files) : folder_(std::move(folder)), files_(std::move(files)) {
    if (is_file(folder_ / joint_file)) names_ = read_joint_names(folder_ / joint_file);
    if (is_file(folder_ / rate_file)) rates_ = read_rates(folder_ / rate_file);
  }

  [[nodiscard]] std::size_t size() const override { return files_.size(); }
  [[nodiscard]] Medium load(std::size_t row) const override {
    decoded_.fetch_add(1, std::memory_order_relaxed);
    Medium medium = read_medium(path_of(row));
    if (auto* motion = std::get_if<Motion>(&medium)) {
      name_joints(*motion);
      if (motion->rate == 0) motion->rate = rate_of(row);
    }
    return medium;
  }
  [[nodiscard]] std::string_view kind(std::size_t row) const override { return kind_of_file(path_of(row)); }
  [[nodiscard]] ImageShape image_shape(std::size_t row) const override { return read_image_shape(path_of(row)); }
  [[nodiscard]] std::uint64_t decoded() const override { return decoded_; }
  [[nodiscard]] std::string digest(std::size_t row) const override {
    std::string content = file_digest(path_of(row));
    const double rate = rate_of(row);
    if ((names_.empty() && rate == 0) || kind(row) != kind_of(Motion())) return content;
    Hash hash;
    hash.add(content);
    for (const std::string& name : names_) hash.add(name);
    if (rate > 0) hash.add(fmt::format("{}", rate));
    return hash.hex();
  }
  [[nodiscard]] bool present(std::size_t row) const override { return is_file(folder_ / files_[row]); }

 private:
  /// Formats that name no joints leave it to a file beside them.
  void name_joints(Motion& motion) const {
    if (names_.empty() || !motion.names.empty()) return;
    if (names_.size() != motion.joints) {
      throw_input((folder_ / joint_file).string(),
                  fmt::format("names {} joints, this motion has {}", names_.size(), motion.joints));
    }
    motion.names = names_;
  }

  /// Of formats that tell none.
  [[nodiscard]] double rate_of(std::size_t row) const {
    const auto found = rates_.find(files_[row]);
    return found == rates_.end() ? 0 : found->second;
  }

  [[nodiscard]] fs::path path_of(std::size_t row) const {
    if (files_[row].empty()) throw_input(fmt::format("row {}", row + 1), "there is no medium");
    return folder_ / files_[row];
  }

  fs::path folder_;
  std::vector<std::string> files_;
  std::vector<std::string> names_;       // of joints
  std::map<std::string, double> rates_;  // of motions, by file
  mutable std::atomic<std::uint64_t> decoded_{0};
};

class SelectedMedia : public MediaSource {
 public:
  SelectedMedia(std::shared_ptr<const MediaSource> source, std::vector<std::size_t> rows)
      : source_(std::move(source)), rows_(std::move(rows)) {}

  [[nodiscard]] std::size_t size() const override { return rows_.size(); }
  [[nodiscard]] Medium load(std::size_t row) const override { return source_->load(rows_[row]); }
  [[nodiscard]] std::string digest(std::size_t row) const override { return source_->digest(rows_[row]); }
  [[nodiscard]] bool present(std::size_t row) const override { return source_->present(rows_[row]); }
  [[nodiscard]] std::string_view kind(std::size_t row) const override { return source_->kind(rows_[row]); }
  [[nodiscard]] ImageShape image_shape(std::size_t row) const override { return source_->image_shape(rows_[row]); }
  [[nodiscard]] std::uint64_t decoded() const override { return source_->decoded(); }

  [[nodiscard]] std::shared_ptr<const MediaSource> select(const std::vector<std::size_t>& rows) const {
    std::vector<std::size_t> own;
    own.reserve(rows.size());
    for (const std::size_t row : rows) own.push_back(rows_[row]);
    return std::make_shared<SelectedMedia>(source_, std::move(own));
  }

 private:
  std::shared_ptr<const MediaSource> source_;
  std::vector<std::size_t> rows_;
};

/// Beside a stored medium: the rate of a motion, which its file does not tell.
fs::path stored_rate(const fs::path& folder, std::size_t row) {
  return folder / fmt::format("{:06}.rate", row + 1);
}

double rate_of(const Medium& medium) {
  const auto* motion = std::get_if<Motion>(&medium);
  return motion == nullptr ? 0 : motion->rate;
}

/// The file of a row, whichever kind it is of; empty: there is none.
std::string find_stored(const fs::path& folder, std::size_t row) {
  static const std::array<Medium, 3> kinds = {Image{}, Recording{}, Motion{}};
  for (const Medium& kind : kinds) {
    std::string name = stored_name(row, kind);
    if (is_file(folder / name)) return name;
  }
  return {};
}

}  // namespace

std::string MediaSource::digest(std::size_t row) const {
  return bauta::digest(load(row));
}

std::string_view MediaSource::kind(std::size_t row) const {
  return kind_of(load(row));
}

ImageShape MediaSource::image_shape(std::size_t row) const {
  const Medium medium = load(row);
  const Image& image = medium_as<Image>(medium, "a size in pixels");
  return {image.width, image.height, image.channels};
}

std::shared_ptr<const MediaSource> file_media(fs::path folder, std::vector<std::string> files) {
  return std::make_shared<FileMedia>(std::move(folder), std::move(files));
}

std::shared_ptr<const MediaSource> select_media(std::shared_ptr<const MediaSource> source,
                                                const std::vector<std::size_t>& rows) {
  // Rows of rows are rows.
  if (const auto* selected = dynamic_cast<const SelectedMedia*>(source.get())) return selected->select(rows);
  return std::make_shared<SelectedMedia>(std::move(source), rows);
}

std::string stored_name(std::size_t row, const Medium& medium) {
  return fmt::format("{:06}{}", row + 1, extension_of(medium));
}

WrittenMedia write_media(const MediaSource& media, std::size_t first, std::size_t count, const fs::path& folder) {
  BAUTA_ASSERT(first + count <= media.size());
  WrittenMedia written{std::vector<std::string>(count), std::vector<std::string>(count), std::vector<double>(count)};
  parallel_for(count, [&](std::size_t i, int) {
    std::string& name = written.files[i];
    try {
      const Medium medium = media.load(first + i);
      name = stored_name(first + i, medium);
      write_medium(folder / name, medium);
      written.rates[i] = rate_of(medium);
    } catch (const Error& error) {
      if (error.fault != Fault::input) throw;
      name.clear();
      written.reasons[i] = error.finding;
    }
  });
  return written;
}

void write_rates(const std::vector<std::string>& files, const std::vector<double>& rates, const fs::path& folder) {
  BAUTA_ASSERT(files.size() == rates.size());
  if (std::ranges::none_of(rates, [](double rate) { return rate > 0; })) return;
  CsvWriter writer(folder / rate_file);
  for (const char* const name : {"file", "rate"}) writer.field(name);
  writer.end_row();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].empty() || !(rates[i] > 0)) continue;
    writer.field(files[i]);
    writer.field(fmt::format("{}", rates[i]));
    writer.end_row();
  }
  writer.commit();
}

Medium stored_medium(const fs::path& folder, std::size_t row, const std::function<Medium()>& make) {
  if (const std::string name = find_stored(folder, row); !name.empty()) {
    Medium medium = read_medium(folder / name);
    const fs::path rate = stored_rate(folder, row);
    if (auto* motion = std::get_if<Motion>(&medium); motion != nullptr && is_file(rate)) {
      TextSource source(rate);
      std::string_view text;
      (void)source.next_line(text);
      motion->rate = rate_in(text, rate.string());
    }
    return medium;
  }
  Medium medium = make();
  // Before the medium, which says that all is there.
  if (rate_of(medium) > 0) write_file(stored_rate(folder, row), fmt::format("{}", rate_of(medium)));
  write_medium(folder / stored_name(row, medium), medium);
  return medium;
}

}  // namespace bauta
