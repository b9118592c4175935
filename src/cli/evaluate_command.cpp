// bauta evaluate: an experiment file in, a run folder out.
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <sys/resource.h>

#include "bauta/core/error.hpp"
#include "bauta/report/summary.hpp"
#include "bauta/run/evaluate.hpp"
#include "command.hpp"

namespace bauta {

namespace {

struct EvaluateFlags {
  CommonFlags common;
  std::string experiment;
  std::string out;
  std::vector<std::string> overrides;
  std::vector<std::string> variants;
  bool strict = false;
  std::string disk = "16G";
  bool keep_steps = false;
};

/// How alike the folds are.
void print_balance(const Json& protocol) {
  std::vector<std::vector<std::string>> rows = {{"fold", "identities", "samples"}};
  const Json& balance = protocol["balance"];
  for (const auto& [name, count] : balance[0]["classes"].items()) {
    rows[0].push_back(protocol["attribute"].get<std::string>() + " " + name);
  }
  for (const Json& fold : balance) {
    rows.push_back({});
    for (const char* column : {"fold", "identities", "samples"}) {
      rows.back().push_back(std::to_string(fold[column].get<std::size_t>()));
    }
    for (const auto& [name, count] : fold["classes"].items()) {
      rows.back().push_back(std::to_string(count.get<std::size_t>()));
    }
  }
  fmt::print("{}, {} rotations, no subject in two folds\n", protocol["text"].get<std::string>(),
             protocol["rotations"].get<std::size_t>());
  print_table(rows);
  fmt::print("\n");
}

Json read_results(const std::string& path) {
  std::ifstream file(path);
  return Json::parse(file);
}

/// What it took, besides time.
void print_cost(const EvaluateSummary& summary) {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return;
  if (summary.decoded > 0) fmt::print(stderr, "media decoded: {}\n", summary.decoded);
  fmt::print(stderr, "peak memory: {} MiB\n", (usage.ru_maxrss + 1023) / 1024);
}

/// One experiment into one folder; tells what came of it.
Json run_one(const Experiment& experiment, const std::filesystem::path& out, const EvaluateFlags& flags) {
  const EvaluateSummary summary = evaluate(experiment, {.out = out,
                                                        .seed = flags.common.seed,
                                                        .memory = flags.common.memory_bytes(),
                                                        .disk = parse_size(flags.disk, "--disk"),
                                                        .keep_steps = flags.keep_steps});
  print_cost(summary);
  const std::string results = (out / "results.json").string();
  if (!flags.common.json) {
    if (summary.protocol.contains("balance")) print_balance(summary.protocol);
    const Json found = read_results(results);
    fmt::print("{}\n\n", verdict(found));
    print_table(bauta::summary(found));
    fmt::print("\n{}: {} cells, {} computed now, {} failed\n", results, summary.cells, summary.computed,
               summary.failed);
    fmt::print("next: bauta report {}\n", out.string());
  }
  return {{"results", results},
          {"cells", summary.cells},
          {"computed", summary.computed},
          {"failed", summary.failed},
          {"failed_by_input", summary.failed_by_input}};
}

void run(EvaluateFlags& flags) {
  flags.common.apply();
  if (flags.strict) flags.overrides.emplace_back("protocol.strict=true");
  const std::filesystem::path out =
      flags.out.empty() ? std::filesystem::path(flags.experiment).stem() += "-run" : std::filesystem::path(flags.out);
  std::vector<std::string> names = flags.variants.empty() ? experiment_variants(flags.experiment) : flags.variants;
  Json summary;
  if (names.empty()) {
    summary = run_one(read_experiment(flags.experiment, flags.overrides), out, flags);
  } else {
    // All of them are read before the first is computed.
    std::vector<Experiment> experiments;
    for (const auto& name : names) experiments.push_back(read_experiment(flags.experiment, flags.overrides, name));
    summary = {{"variants", Json::array()}, {"cells", 0}, {"computed", 0}, {"failed", 0}, {"failed_by_input", 0},
               {"results", out.string()}};
    for (std::size_t i = 0; i < names.size(); ++i) {
      Json one = run_one(experiments[i], out / names[i], flags);
      for (const char* count : {"cells", "computed", "failed", "failed_by_input"}) {
        summary[count] = summary[count].get<std::size_t>() + one[count].get<std::size_t>();
      }
      one["variant"] = names[i];
      summary["variants"].push_back(std::move(one));
    }
  }
  if (flags.common.json) fmt::print("{}\n", summary.dump());
  const std::string results = summary["results"];
  const std::size_t failed = summary["failed"], cells = summary["cells"];
  const std::string hint = "the reasons stand in the results";
  if (failed == 0) return;
  if (failed == cells && summary["failed_by_input"] == failed) {
    throw_input(results, "nothing could be made of the data: all cells failed", hint);
  }
  throw_environment(results, fmt::format("{} of {} cells failed", failed, cells), hint);
}

}  // namespace

void add_evaluate_command(CLI::App& app) {
  auto flags = std::make_shared<EvaluateFlags>();
  CLI::App* command = app.add_subcommand("evaluate", "run an experiment file; a finished cell is never computed twice");
  command->add_option("EXPERIMENT", flags->experiment, "experiment file (TOML)")->required();
  command->add_option("--out", flags->out, "run folder (default: the experiment's name with -run)");
  command->add_option("--set", flags->overrides,
                      "section.key=value, replaces a key of the file; may be given several times");
  command->add_option("--variant", flags->variants, "run only these variants of the file (default: all of them)")
      ->delimiter(',');
  command->add_flag("--strict", flags->strict, "near-duplicates between parts that must be apart stop the run");
  command->add_option("--disk", flags->disk, "budget for masked media and their templates, removed at the end")
      ->capture_default_str();
  command->add_flag("--keep-steps", flags->keep_steps, "leave masked media and their templates in RUN/steps");
  flags->common.add_to(*command);
  command->callback([flags] { run(*flags); });
}

}  // namespace bauta
