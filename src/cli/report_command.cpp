// bauta report: run folders in, one self-contained page out.
#include <memory>

#include <fmt/format.h>

#include "bauta/protect/protection.hpp"
#include "command.hpp"

namespace bauta {

ReportOptions report_options(const std::filesystem::path& page) {
  ReportOptions options{.out = page};
  for (const auto& entry : protections()) {
    if (entry.declaration.varied.empty()) continue;
    std::vector<std::string> names;
    for (const Parameter& parameter : entry.declaration.parameters) {
      if (!parameter.grid.empty()) names.push_back(parameter.name);
      if (!parameter.shares.empty()) names.push_back(parameter.shares);
    }
    options.parameters.push_back({fmt::format("{}", fmt::join(names, ", ")), entry.declaration.varied});
  }
  return options;
}

void add_report_command(CLI::App& app) {
  struct ReportFlags {
    std::vector<std::string> runs;
    std::string out;
  };
  auto flags = std::make_shared<ReportFlags>();
  CLI::App* command = app.add_subcommand("report", "one self-contained page, figures and tables of one or more runs");
  command->add_option("RUN", flags->runs, "run folders, or folders of runs (variants of an experiment)")->required();
  command->add_option("--out", flags->out, "page to write (default: RUN/report.html)");
  command->callback([flags] {
    fmt::print("{}\n", write_report({flags->runs.begin(), flags->runs.end()}, report_options(flags->out)).string());
  });
}

}  // namespace bauta
