// bauta extract: media in, their templates out.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "bauta/core/output.hpp"
#include "bauta/extract/extractor.hpp"

namespace bauta {

namespace {

struct ExtractFlags {
  CommonFlags common;
  DatasetFlags data;
  std::string extractor;
  std::string dataset;
  std::string out;
  std::string fit;
};

/// Names of files often name people or tell when and where, and templates have no use for them. Rows stay in order, so
/// whoever has the media can still tell which is which.
LabelTable without_files(const LabelTable& labels) {
  LabelTable rest(labels.origin(), labels.rows());
  for (const std::string& name : labels.names()) {
    if (name != "file") rest.add_column(name, labels.column(name));
  }
  return rest;
}

ResolvedExtractor ready_extractor(const ExtractFlags& flags, const Dataset& media) {
  ResolvedExtractor resolved = make_extractor(flags.extractor);
  const Declaration& declaration = *resolved.declaration;
  if (!flags.fit.empty()) {
    if (!declaration.learns) throw_usage("--fit", declaration.name + " does not learn");
    fit_extractor(resolved, flags.data.read(flags.fit));
  } else if (declaration.learns_from_input) {
    fit_extractor(resolved, media);
    fmt::print(stderr, "note: {} learned from {} itself; --fit names other media\n", declaration.name, flags.dataset);
  }
  return resolved;
}

void extract(ExtractFlags& flags) {
  flags.common.apply();
  flags.data.options.identity_required = false;
  flags.data.options.templates_required = false;
  Dataset media = flags.data.read(flags.dataset);
  media.remarks.clear();  // told by now
  const ResolvedExtractor extractor = ready_extractor(flags, media);
  OutputFolder output(flags.out);
  Dataset result = extract_dataset(extractor, media);
  result.labels = without_files(result.labels);
  write_dataset(output.staging(), result);
  output.commit();

  const std::vector<bool> failed = result.failed();
  const auto failures = static_cast<std::size_t>(std::count(failed.begin(), failed.end(), true));
  const double rate = static_cast<double>(failures) / static_cast<double>(result.size());
  const Json summary = {{"extractor", result.provenance->properties.at("extractor")},
                        {"model", extractor->model()},
                        {"samples", result.size()},
                        {"failures", failures},
                        {"failure_rate", rate},
                        {"dimension", result.templates.cols()},
                        {"remarks", result.remarks},
                        {"out", flags.out}};
  if (flags.common.json) {
    fmt::print("{}\n", summary.dump());
    return;
  }
  fmt::print("{}: {} samples of {} features, extracted with {}\n", flags.out, result.size(), result.templates.cols(),
             summary["extractor"].get<std::string>());
  fmt::print("{} failed ({})\n", failures, percent(rate));
  print_remarks(summary["remarks"]);
}

}  // namespace

void add_extract_command(CLI::App& app) {
  auto flags = std::make_shared<ExtractFlags>();
  CLI::App* command = app.add_subcommand("extract", "make templates of images or recordings");
  command->add_option("EXTRACTOR", flags->extractor, "NAME or NAME:key=value,... (see: bauta list extractors)")
      ->required();
  command->add_option("DATASET", flags->dataset, "data set of media files")->required();
  command->add_option("--out", flags->out, "folder for the templates")->required();
  command->add_option("--fit", flags->fit, "media that a learning extractor trains on (default: DATASET itself)");
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { extract(*flags); });
}

}  // namespace bauta
