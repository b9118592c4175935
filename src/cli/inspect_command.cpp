// bauta inspect: what was understood of a data set.
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "bauta/run/inspect.hpp"

namespace bauta {

namespace {

struct InspectFlags {
  CommonFlags common;
  DatasetFlags data;
  std::string dataset;
};

std::string describe(const Json& column) {
  std::string text = column["kind"].get<std::string>();
  if (column.contains("classes")) {
    std::vector<std::string> parts;
    for (const auto& [name, count] : column["classes"].items())
      parts.push_back(fmt::format("{} {}", name, count.get<std::size_t>()));
    text += ": " + fmt::format("{}", fmt::join(parts, ", "));
  } else if (column.contains("range")) {
    const Json& range = column["range"];
    text += fmt::format(": {:g} to {:g}, median {:g}", range["min"].get<double>(), range["max"].get<double>(),
                        range["median"].get<double>());
  } else if (column.contains("samples_per_identity")) {
    const Json& samples = column["samples_per_identity"];
    text += fmt::format(": {} with {} to {} samples, median {}", column["distinct"].get<std::size_t>(),
                        samples["min"].get<std::size_t>(), samples["max"].get<std::size_t>(),
                        samples["median"].get<std::size_t>());
  } else {
    text += fmt::format(": {} distinct", column["distinct"].get<std::size_t>());
  }
  if (column["missing"].get<std::size_t>() > 0)
    text += fmt::format(", {} missing", column["missing"].get<std::size_t>());
  return text;
}

void print(const Json& result) {
  fmt::print("{}: {} samples", result["origin"].get<std::string>(), result["samples"].get<std::size_t>());
  if (result.contains("dimension")) {
    fmt::print(", {} {} each", result["dimension"].get<std::size_t>(), result["elements"].get<std::string>());
  }
  if (result.contains("kinds")) {
    for (const auto& [kind, count] : result["kinds"].items()) fmt::print(", {}: {}", kind, count.get<std::size_t>());
    if (!result["unreadable"].empty()) fmt::print(", cannot be read: {}", result["unreadable"].size());
  }
  fmt::print(", {} failed\n", result["failures"].get<std::size_t>());
  if (result.contains("extractor")) fmt::print("extracted with {}\n", result["extractor"].get<std::string>());
  if (result.contains("technique")) {
    fmt::print("protected with {}, compared with {}\n", result["technique"].get<std::string>(),
               result["comparator"].get<std::string>());
  }
  if (result.contains("mated_comparisons"))
    fmt::print("{} mated comparisons are possible\n", result["mated_comparisons"].get<std::uint64_t>());
  fmt::print("\n");
  for (const auto& column : result["columns"])
    fmt::print("  {:<14} {}\n", column["name"].get<std::string>(), describe(column));
  if (result.contains("duplicates")) {
    const Json& duplicates = result["duplicates"];
    fmt::print("\n{} samples have an identical twin, {} a near one (cosine distance below {:g})\n",
               duplicates["identical_rows"].get<std::size_t>(), duplicates["near_identical_rows"].get<std::size_t>(),
               duplicates["near_means_cosine_distance_below"].get<double>());
    for (const auto& pair : duplicates["pairs"]) {
      fmt::print("  rows {} and {}: distance {:.2g}\n", pair["rows"][0].get<std::size_t>(),
                 pair["rows"][1].get<std::size_t>(), pair["cosine_distance"].get<double>());
    }
  }
  for (const auto& problem : result["problems"]) fmt::print("problem: {}\n", problem.get<std::string>());
  print_remarks(result["remarks"]);
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  auto flags = std::make_shared<InspectFlags>();
  CLI::App* command = app.add_subcommand("inspect", "what was understood of a data set, and what is wrong with it");
  command->add_option("DATASET", flags->dataset, "data set")->required();
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] {
    flags->common.apply();
    flags->data.options.identity_required = false;
    flags->data.options.templates_required = false;
    const Json result = run_inspect(read_dataset(flags->dataset, flags->data.chosen()));
    if (flags->common.json) {
      fmt::print("{}\n", result.dump());
    } else {
      print(result);
    }
  });
}

}  // namespace bauta
