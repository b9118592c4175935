// bauta report: run folders in, one self-contained page out.
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "bauta/report/report.hpp"

namespace bauta {

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
    ReportOptions options;
    options.out = flags->out;
    fmt::print("{}\n", write_report({flags->runs.begin(), flags->runs.end()}, options).string());
  });
}

}  // namespace bauta
