// bauta attack: what an attacker learns from protected data.
#include <memory>

#include <fmt/format.h>

#include "bauta/cli/command.hpp"
#include "bauta/core/error.hpp"
#include "bauta/run/similarity.hpp"

namespace bauta {

namespace {

struct SimilarityFlags {
  CommonFlags common;
  DatasetFlags data;
  SimilarityRun run;
  std::vector<std::string> rules = {"vote", "mean", "linear", "log"};
  std::string attacker;
  std::string target;
};

void print(const Json& result) {
  fmt::print("attribute {}, classes {}, chance {}\n", result["attribute"].get<std::string>(),
             fmt::join(result["classes"].get<std::vector<std::string>>(), ", "), percent(result["chance"]));
  fmt::print("attacker {} identities, target {} samples of {} identities, comparator {}\n\n",
             result["attacker"]["identities"].get<std::size_t>(), result["target"]["samples"].get<std::size_t>(),
             result["target"]["identities"].get<std::size_t>(), result["comparator"].get<std::string>());
  std::vector<std::vector<std::string>> rows = {{"rule", "n", "balanced accuracy [95 %]", "accuracy", ""}};
  for (const auto& row : result["results"]) {
    const bool best = row["rule"] == result["best"]["rule"] && row["n"] == result["best"]["n"];
    rows.push_back({row["rule"].get<std::string>(), std::to_string(row["n_used"].get<std::size_t>()),
                    percent_with_ci(row["balanced"], row["ci"]), percent(row["success"]), best ? "<- best" : ""});
  }
  print_table(rows);
  print_remarks(result["remarks"]);
}

void attack(SimilarityFlags& flags) {
  flags.common.apply();
  flags.run.options.seed = flags.common.seed;
  flags.run.options.rules.clear();
  for (const auto& rule : flags.rules) flags.run.options.rules.push_back(parse_similarity_rule(rule));
  for (const std::size_t n : flags.run.options.n) {
    if (n == 0) throw_usage("--n", "n must be at least 1");
  }
  const Dataset attacker = flags.data.read(flags.attacker);
  DatasetFlags target_flags = flags.data;
  target_flags.options.identity_required = false;
  const Json result = run_similarity_attack(attacker, target_flags.read(flags.target), flags.run);
  if (flags.common.json) {
    fmt::print("{}\n", result.dump());
  } else {
    print(result);
  }
}

}  // namespace

void add_attack_command(CLI::App& app) {
  CLI::App* group = app.add_subcommand("attack", "what an attacker learns from protected data");
  group->require_subcommand(1);
  auto flags = std::make_shared<SimilarityFlags>();
  CLI::App* command = group->add_subcommand("similarity", "read an attribute off the best scores against known people");
  command->add_option("--attacker", flags->attacker, "the attacker's data base, protected like the target")->required();
  command->add_option("--target", flags->target, "the protected data under attack")->required();
  command->add_option("--attribute", flags->run.attribute, "attribute to guess")->required();
  command->add_option("--n", flags->run.options.n, "how many best scores to look at")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--rule", flags->rules, "vote, mean, linear, log")->delimiter(',');
  command->add_option("--comparator", flags->run.comparator, "comparator (default: the protection's own, else cosine)");
  command->add_option("--bootstrap", flags->run.bootstrap, "draws over subjects for intervals; 0: none")
      ->capture_default_str();
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { attack(*flags); });
}

}  // namespace bauta
