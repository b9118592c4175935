// bauta align: images with faces in, squares with level eyes out.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "bauta/core/output.hpp"
#include "bauta/extract/align.hpp"

namespace bauta {

namespace {

constexpr std::size_t told_at_most = 10;
constexpr std::size_t largest_square = 4096;
constexpr int most_doubled = 4;

struct AlignFlags {
  CommonFlags common;
  DatasetFlags data;
  AlignOptions options;
  std::string dataset;
  std::string out;
};

/// Rows that failed, with their files.
Json failures_of(const Dataset& media, const AlignedFolder& aligned) {
  Json list = Json::array();
  for (std::size_t row = 0; row < media.size(); ++row) {
    if (aligned.files[row].empty()) {
      list.push_back({{"row", row + 1},
                      {"file", media.labels.has("file") ? media.labels.column("file")[row] : std::string()},
                      {"reason", aligned.reasons[row]}});
    }
  }
  return list;
}

void align(AlignFlags& flags) {
  flags.common.apply();
  flags.data.options.identity_required = false;
  flags.data.options.templates_required = false;
  const Dataset media = flags.data.read(flags.dataset);
  OutputFolder output(flags.out);
  const AlignedFolder aligned = write_aligned(media, flags.options, output.staging());
  output.commit();
  const Json failed = failures_of(media, aligned);
  const double rate = static_cast<double>(aligned.failures) / static_cast<double>(media.size());
  if (flags.common.json) {
    const Json summary = {{"samples", media.size()}, {"failures", aligned.failures},
                          {"failure_rate", rate},    {"size", flags.options.size},
                          {"failed", failed},        {"out", flags.out}};
    fmt::print("{}\n", summary.dump());
    return;
  }
  fmt::print("{}: {} faces of {} x {} pixels, eyes level (for face extractors: frame=aligned)\n", flags.out,
             media.size() - aligned.failures, flags.options.size, flags.options.size);
  fmt::print("{} failed ({})\n", aligned.failures, percent(rate));
  for (std::size_t i = 0; i < std::min(failed.size(), told_at_most); ++i) {
    fmt::print("note: row {} ({}): {}\n", failed[i]["row"].get<std::size_t>(), failed[i]["file"].get<std::string>(),
               failed[i]["reason"].get<std::string>());
  }
  if (failed.size() > told_at_most) fmt::print("note: and {} more (--json names all)\n", failed.size() - told_at_most);
}

}  // namespace

void add_align_command(CLI::App& app) {
  auto flags = std::make_shared<AlignFlags>();
  CLI::App* command = app.add_subcommand("align", "cut faces out of images, eyes level, all of one size");
  command->add_option("DATASET", flags->dataset, "data set of images")->required();
  command->add_option("--out", flags->out, "folder for the squares")->required();
  command->add_option("--size", flags->options.size, "edge of the squares in pixels")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{16}, largest_square));
  command
      ->add_option("--upsample", flags->options.upsample,
                   "how often images are doubled for the detector; without, it finds faces of 80 pixels and more")
      ->capture_default_str()
      ->check(CLI::Range(0, most_doubled));
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { align(*flags); });
}

}  // namespace bauta
