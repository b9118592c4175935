#include "step_store.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/data/media_source.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t batch = 256;
constexpr const char* end_mark = "finished";

std::uint64_t size_of(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

/// Samples whose medium could not be had, besides those that were marked before.
Dataset with_failures(Dataset data, const std::vector<std::string>& marks) {
  std::vector<bool> failed = data.failed();
  std::vector<std::string> column(data.size(), "0");
  for (std::size_t row = 0; row < data.size(); ++row) {
    if (failed[row] || marks[row] == "1") column[row] = "1";
  }
  if (data.labels.has("failed")) {
    data.labels.replace_column("failed", std::move(column));
  } else if (std::find(column.begin(), column.end(), "1") != column.end()) {
    data.labels.add_column("failed", std::move(column));
  }
  return data;
}

}  // namespace

fs::path StepStore::open(const std::string& digest) const {
  const fs::path step = folder_ / digest;
  std::error_code error;
  fs::create_directories(step, error);
  if (error) throw_environment(step.string(), "cannot be created: " + error.message());
  fs::permissions(folder_, fs::perms::owner_all, error);
  fs::permissions(step, fs::perms::owner_all, error);
  fs::last_write_time(step, fs::file_time_type::clock::now(), error);
  return step;
}

bool StepStore::finished(const fs::path& step) {
  return fs::exists(step / end_mark);
}

void StepStore::finish(const fs::path& step) const {
  write_file(step / end_mark, "");
  struct Old {
    fs::file_time_type used;
    fs::path path;
    std::uint64_t bytes = 0;
  };
  std::vector<Old> others;
  std::uint64_t total = size_of(step);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path() == step || !finished(entry.path())) continue;
    others.push_back({fs::last_write_time(entry.path()), entry.path(), size_of(entry.path())});
    total += others.back().bytes;
  }
  std::sort(others.begin(), others.end(), [](const Old& a, const Old& b) { return a.used < b.used; });
  for (const Old& old : others) {
    if (total <= budget_) break;
    fs::remove_all(old.path);
    total -= old.bytes;
  }
}

Dataset StepStore::media(const std::string& digest, const std::string& what, const Dataset& masked) {
  const fs::path step = open(digest);
  std::vector<std::string> marks(masked.size(), "0");
  if (!finished(step)) {
    fmt::print(stderr, "step: {}: {} media\n", what, masked.size());
    Progress progress("mask", masked.size(), "media");
    for (std::size_t first = 0; first < masked.size(); first += batch) {
      const std::size_t count = std::min(batch, masked.size() - first);
      const WrittenMedia written = write_media(*masked.media, first, count, step);
      for (std::size_t i = 0; i < count; ++i) {
        if (written.files[i].empty()) marks[first + i] = "1";
      }
      progress.add(count);
    }
    std::string text;
    for (const auto& mark : marks) text += mark;
    write_file(step / "failed", text);
    finish(step);
  } else {
    std::ifstream file(step / "failed");
    for (auto& mark : marks) mark = std::string(1, static_cast<char>(file.get()));
  }
  Dataset stored = with_failures(masked, marks);
  stored.media = stored_media(step, masked.size());
  return stored;
}

Dataset StepStore::templates(const std::string& digest, const std::string& what, const std::function<Dataset()>& make) {
  const fs::path step = open(digest);
  if (!finished(step)) {
    const Dataset made = make();
    fmt::print(stderr, "step: {}: {} templates\n", what, made.size());
    write_dataset(step, made);
    finish(step);
    return made;
  }
  ReadOptions options;
  options.identity_required = false;
  return read_dataset(step, options);
}

void StepStore::clear() const {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace bauta
