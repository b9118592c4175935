#include "synth_folder.hpp"

#include <fmt/format.h>

#include "bauta/core/labels.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/label_files.hpp"

namespace bauta {

std::string synth_identity(std::size_t identity, const SynthMediaOptions& options) {
  return fmt::format("p{:0{}}", identity + 1, std::to_string(options.identities).size());
}

void write_synth_folder(
    const std::filesystem::path& folder, const SynthMediaOptions& options, const std::string& extension,
    const std::vector<SynthColumn>& columns,
    const std::function<std::string(std::size_t, std::size_t, const std::vector<std::size_t>&)>& bytes) {
  const auto class_of = [&](const SynthColumn& column, std::size_t row) {
    return (column.of_identity ? row / options.samples : row % options.samples) % column.classes.size();
  };
  const std::size_t rows = options.identities * options.samples;
  std::vector<std::string> files(rows), identities(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    identities[row] = synth_identity(row / options.samples, options);
    files[row] = fmt::format("{}/{:0{}}{}", identities[row], row % options.samples + 1,
                             std::to_string(options.samples).size(), extension);
    std::filesystem::create_directories(folder / identities[row]);
  }
  parallel_for(rows, [&](std::size_t row, int) {
    std::vector<std::size_t> classes;
    for (const SynthColumn& column : columns) classes.push_back(class_of(column, row));
    write_file(folder / files[row], bytes(row / options.samples, row % options.samples, classes));
  });
  LabelTable labels(folder.string(), rows);
  labels.add_column("file", std::move(files));
  labels.add_column("identity", std::move(identities));
  for (const SynthColumn& column : columns) {
    std::vector<std::string> values;
    for (std::size_t row = 0; row < rows; ++row) values.push_back(column.classes[class_of(column, row)]);
    labels.add_column(column.name, std::move(values));
  }
  write_label_csv(folder / "labels.csv", labels);
}

}  // namespace bauta
