// bauta demo: two synthetic populations through the whole line, no data needed.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "bauta/core/output.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/report/report.hpp"
#include "bauta/run/evaluate.hpp"
#include "command.hpp"

namespace bauta {

namespace {

namespace fs = std::filesystem;

constexpr const char* experiment_text =
    R"toml(# Two synthetic populations: the attacker knows one, the other is under attack.
[data]
target    = "target"
attacker  = "attacker"
attribute = ["gender", "eyes"]

[protect]
technique = ["none", "pe-miu:block=8", "csn", "random-projection"]

[protocol]
kind = "cross-database"

[attack]
similarity = { rule = ["vote", "mean", "linear", "log"], n = [1, 5, 11, 51] }
estimator  = ["logistic", "knn"]

[measure]
fmr       = [0.1, 0.01, 0.001]
bootstrap = 500

[report]
title = "How well do these masks hold? (synthetic data)"
)toml";

/// The part of the population before `identities` becomes the attacker's: both must come from one draw, so that the
/// attribute leaks along the same direction in both.
void write_populations(const fs::path& out, std::uint64_t seed) {
  SynthOptions options;
  options.seed = seed;
  options.identities = 900;
  options.samples = 4;
  options.dim = 128;
  options.identity_strength = 1.0;
  options.attributes = {{"gender", 3.0, {"F", "M"}, {0.4, 0.6}}, {"eyes", 0.0, {"blue", "brown"}, {0.5, 0.5}}};
  const SynthPopulation population = synthesize_templates(options);
  const std::size_t cut = population.dataset.size() * 2 / 3;
  for (const bool attacker : {true, false}) {
    std::vector<std::size_t> rows;
    for (std::size_t i = attacker ? 0 : cut; i < (attacker ? cut : population.dataset.size()); ++i) rows.push_back(i);
    const fs::path folder = out / (attacker ? "attacker" : "target");
    if (fs::exists(folder)) continue;
    OutputFolder output(folder);
    write_dataset(output.staging(), population.dataset.select(rows));
    write_file(output.staging() / "truth.json", population.truth);
    output.commit();
  }
}

void demo(const CommonFlags& common, const fs::path& out) {
  common.apply();
  fs::create_directories(out);
  fmt::print("1. synthetic populations with a planted leak (gender) and none (eyes)\n");
  write_populations(out, common.seed);
  const fs::path experiment = out / "experiment.toml";
  write_file(experiment, experiment_text);
  fmt::print("2. protect, attack, measure: bauta evaluate {} --out {}\n", experiment.string(), (out / "run").string());
  const EvaluateSummary summary =
      evaluate(read_experiment(experiment), {.out = out / "run", .seed = common.seed, .memory = common.memory_bytes()});
  fmt::print("   {} cells, {} computed now\n", summary.cells, summary.computed);
  fmt::print("3. report: bauta report {}\n", (out / "run").string());
  const fs::path page = write_report({out / "run"}, report_options());
  fmt::print("\n{}\n", page.string());
}

}  // namespace

void add_demo_command(CLI::App& app) {
  auto common = std::make_shared<CommonFlags>();
  auto out = std::make_shared<std::string>("bauta-demo");
  CLI::App* command = app.add_subcommand("demo", "the whole line on synthetic data, ends at a report page");
  command->add_option("--out", *out, "folder for data, run and page")->capture_default_str();
  common->add_to(*command);
  command->callback([common, out] { demo(*common, *out); });
}

}  // namespace bauta
