#include "template_batches.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/output.hpp"
#include "bauta/data/npy.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

constexpr const char* templates_file = "templates.npy";
constexpr const char* reasons_file = "reasons";  // of each sample a line: why it failed, or nothing

/// Of a batch: templates (none if all failed), then the reasons, which say that it is done.
fs::path values_of(const fs::path& step, std::size_t first) {
  return step / fmt::format("{:09}.npy", first);
}
fs::path reasons_of(const fs::path& step, std::size_t first) {
  return step / fmt::format("{:09}.reasons", first);
}

std::vector<std::string> read_lines(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  return lines;
}

void write_lines(const fs::path& path, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) (text += line) += '\n';
  write_file(path, text);
}

struct Batch {
  std::size_t first = 0;
  std::size_t size = 0;
};

/// Empty: all of it failed.
Templates values_in(const fs::path& step, std::size_t first) {
  const fs::path file = values_of(step, first);
  return fs::exists(file) ? to_float_templates(read_npy(file)) : Templates();
}

}  // namespace

bool TemplateBatches::has(std::size_t first) const {
  return fs::exists(step_ / reasons_file) || fs::exists(reasons_of(step_, first));
}

void TemplateBatches::put(std::size_t first, const Matrix<float>& values,
                          const std::vector<Extracted>& extracted) const {
  if (values.rows() > 0) write_npy(values_of(step_, first), values.view());
  std::vector<std::string> reasons;
  for (const Extracted& one : extracted) {
    reasons.push_back(one.reason);
    std::ranges::replace(reasons.back(), '\n', ' ');
  }
  write_lines(reasons_of(step_, first), reasons);
}

void TemplateBatches::join(const std::string& origin) const {
  std::vector<std::string> reasons;
  std::vector<Batch> batches;
  std::size_t width = 0;
  while (fs::exists(reasons_of(step_, reasons.size()))) {
    const std::size_t first = reasons.size();
    std::ranges::move(read_lines(reasons_of(step_, first)), std::back_inserter(reasons));
    batches.push_back({first, reasons.size() - first});
    const std::size_t cols = values_in(step_, first).cols();
    if (cols != 0 && width != 0 && cols != width) {
      throw_input(fmt::format("{} row {}", origin, first + 1), fmt::format("{} features, of others {}", cols, width));
    }
    width = std::max(width, cols);
  }
  if (!fs::exists(step_ / reasons_file)) {
    if (width > 0) {
      NpyTemplateWriter writer(step_ / templates_file, ElementKind::float32, reasons.size(), width);
      for (const Batch& batch : batches) {
        const Templates values = values_in(step_, batch.first);
        writer.write(batch.first, values.empty() ? Templates(Matrix<float>(batch.size, width, 0.0F)) : values);
      }
      writer.commit();
    }
    write_lines(step_ / reasons_file, reasons);
  }
  for (const Batch& batch : batches) {
    fs::remove(values_of(step_, batch.first));
    fs::remove(reasons_of(step_, batch.first));
  }
}

StoredTemplates read_templates(const fs::path& step) {
  StoredTemplates stored{{}, read_lines(step / reasons_file)};
  if (fs::exists(step / templates_file)) stored.templates = to_float_templates(read_npy(step / templates_file));
  return stored;
}

}  // namespace bauta
