// bauta attack: what an attacker learns from protected data.
#include <memory>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/decisions.hpp"
#include "bauta/question/estimate.hpp"
#include "bauta/question/online.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/similarity.hpp"
#include "command.hpp"
#include "key_flags.hpp"

namespace bauta {

namespace {

/// Samples and people that may stand on both sides of an attack: named, and an error with --strict.
struct ApartFlags {
  bool strict = false;

  void add_to(CLI::App& command) {
    command.add_flag("--strict", strict,
                     "near-duplicates between the parts, and people who are spelled nearly alike, are errors");
  }

  void check_people(const Dataset& known, const Dataset& met, Json& remarks) const {
    for (const std::string& text : suspected_leaks(known, met)) {
      if (strict) throw_input("--strict", text, "rename or remove them, or leave out --strict");
      remarks.push_back(text);
    }
    if (const std::string text = made_together(known, met); !text.empty()) remarks.push_back(text);
  }

  void check_samples(const Dataset& known, const Dataset& met, Json& remarks) const {
    std::size_t told = 0;
    for (const NearDuplicate& pair : near_duplicates(known, met)) {
      const std::string text = fmt::format("{} row {} and {} row {} are nearly the same, cosine distance {:.2g}",
                                           known.origin, pair.row_a + 1, met.origin, pair.row_b + 1, pair.distance);
      if (strict) throw_input(known.origin + " and " + met.origin, text, "remove one of them, or leave out --strict");
      if (++told > 20) break;
      remarks.push_back(text);
    }
  }
};

struct SimilarityFlags {
  CommonFlags common;
  DatasetFlags data;
  SimilarityRun run;
  std::vector<std::string> rules;
  std::optional<std::vector<double>> decision_fmr;  ///< also attack with decisions only
  std::string attacker;
  std::string target;
  ApartFlags apart;
};

void print_decisions(const Json& decisions) {
  std::vector<std::vector<std::string>> rows = {
      {"FMR", "refusal", "queries", "targets decided", "balanced accuracy [95 %]"}};
  for (const auto& row : decisions) {
    rows.push_back({fmt::format("{:g} %{}", 100 * row["fmr"].get<double>(),
                                row["resolvable"].get<bool>() ? "" : " (not resolvable)"),
                    row["refusal"].get<std::string>(), std::to_string(row["queries"].get<std::size_t>()),
                    percent(row["decided"]), percent_with_ci(row["balanced"], row["ci"])});
  }
  print_table(rows);
}

void print_control(const Json& control) {
  if (!control.is_object()) return;
  fmt::print("control: {}, smallest planted leak found {}\n",
             control["null"]["found"] == true ? "finds what is not there" : "nothing found where nothing is",
             control["smallest"].is_null() ? "none" : percent(control["smallest"]));
}

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
  if (!result["decisions"].empty()) {
    fmt::print("\nmatch / no match only, all queries\n");
    print_decisions(result["decisions"]);
  }
  fmt::print("\nbest of {}: {}, corrected for the choice\n", result["best"]["of"].get<std::size_t>(),
             percent_with_ci(result["best"]["corrected"], result["best"]["ci_corrected"]));
  print_control(result["control"]);
  print_remarks(result["remarks"]);
}

void attack(SimilarityFlags& flags) {
  flags.common.apply();
  flags.run.options.seed = flags.common.seed;
  flags.run.options.rules.clear();
  for (const auto& rule : flags.rules) flags.run.options.rules.push_back(parse_similarity_rule(rule));
  const Dataset attacker = flags.data.read(flags.attacker);
  DatasetFlags target_flags = flags.data;
  target_flags.options.identity_required = false;
  const Dataset target = target_flags.read(flags.target);
  Json apart = Json::array();
  flags.apart.check_people(attacker, target, apart);
  flags.apart.check_samples(attacker, target, apart);
  Json result = run_similarity_attack(attacker, target, flags.run).values;
  for (const auto& text : apart) result["remarks"].push_back(text);
  result["decisions"] = Json::array();
  if (flags.decision_fmr) {
    const DecisionRun decisions{.attribute = flags.run.attribute,
                                .fmr = *flags.decision_fmr,
                                .edges = flags.run.edges,
                                .comparator = flags.run.comparator,
                                .bootstrap = flags.run.bootstrap,
                                .seed = flags.common.seed};
    result["decisions"] = run_decision_attack(AttackData::of(attacker, target), decisions).values["results"];
  }
  if (flags.common.json) {
    fmt::print("{}\n", result.dump());
  } else {
    print(result);
  }
}

struct EstimateFlags {
  CommonFlags common;
  DatasetFlags data;
  EstimateRun run;
  std::optional<std::string> search;
  std::string train;
  std::string dev;
  std::string test;
  std::string clear_train;
  std::string clear_test;
  ApartFlags apart;
};

void print_estimates(const Json& result) {
  std::vector<std::vector<std::string>> rows = {
      {"estimator", "balanced accuracy [95 %]", "accuracy", "AUC", "clear", "floor", "smallest leak", ""}};
  const auto balanced_of = [](const Json& level) { return level.is_null() ? "-" : percent(level["balanced"]); };
  for (const auto& row : result["results"]) {
    const Json& control = row["control"];
    std::string note = row["estimator"] == result["best"]["estimator"] ? "<- best" : "";
    if (row["healthy"] == false) note = "not healthy";
    rows.push_back({row["estimator"].get<std::string>(), percent_with_ci(row["balanced"], row["ci"]),
                    percent(row["accuracy"]),
                    row["auc"].is_number() ? fmt::format("{:.4f}", row["auc"].get<double>()) : "-",
                    balanced_of(row["clear"]), balanced_of(row["floor"]),
                    control.is_null() || control["smallest"].is_null() ? "-" : percent(control["smallest"]), note});
  }
  print_table(rows);
  fmt::print("\nbest of {}: {}, corrected for the choice\n", result["best"]["of"].get<std::size_t>(),
             percent_with_ci(result["best"]["corrected"], result["best"]["ci_corrected"]));
}

void print_regression(const Json& regression) {
  fmt::print("\nas a number, mean absolute error (always saying the median: {:.3g})\n",
             regression["chance_mae"].get<double>());
  std::vector<std::vector<std::string>> rows = {{"estimator", "error [95 %]", "root mean square", "correlation"}};
  for (const auto& row : regression["results"]) {
    const std::string ci =
        row["ci"].is_null() ? ""
                            : fmt::format(" [{:.3g}, {:.3g}]", row["ci"][0].get<double>(), row["ci"][1].get<double>());
    rows.push_back({row["estimator"].get<std::string>(), fmt::format("{:.3g}{}", row["mae"].get<double>(), ci),
                    fmt::format("{:.3g}", row["rmse"].get<double>()),
                    row["correlation"].is_null() ? "-" : fmt::format("{:.3f}", row["correlation"].get<double>())});
  }
  print_table(rows);
}

void attack_estimate(EstimateFlags& flags) {
  flags.common.apply();
  flags.run.seed = flags.common.seed;
  flags.run.search = flags.search.value_or("");
  flags.data.options.identity_required = false;
  const Dataset train = flags.data.read(flags.train);
  const Dataset test = flags.data.read(flags.test);
  const std::optional<Dataset> dev = flags.dev.empty() ? std::nullopt : std::optional(flags.data.read(flags.dev));
  if (flags.clear_train.empty() != flags.clear_test.empty()) {
    throw_usage("--clear-train", "both --clear-train and --clear-test are needed, or none of them");
  }
  AttackData data = AttackData::of(train, test, dev ? &*dev : nullptr);
  if (!flags.clear_train.empty()) {
    const Dataset clear_train = flags.data.read(flags.clear_train);
    const Dataset clear_test = flags.data.read(flags.clear_test);
    require_same_samples(clear_train, train);
    require_same_samples(clear_test, test);
    data.clear = [clear_train, clear_test](std::size_t) { return AttackSplit{clear_train, std::nullopt, clear_test}; };
  }
  Json apart = Json::array();
  flags.apart.check_people(train, test, apart);
  if (dev) {
    flags.apart.check_people(train, *dev, apart);
    flags.apart.check_people(*dev, test, apart);
  }
  flags.apart.check_samples(train, test, apart);
  Json result = run_estimate(data, flags.run).values;
  for (const auto& text : apart) result["remarks"].push_back(text);
  if (flags.common.json) {
    fmt::print("{}\n", result.dump());
    return;
  }
  fmt::print("attribute {}, classes {}, chance {}\ntrained on {} samples, tested on {} of {} identities\n\n",
             result["attribute"].get<std::string>(), fmt::join(result["classes"].get<std::vector<std::string>>(), ", "),
             percent(result["chance"]), result["train"]["samples"].get<std::size_t>(),
             result["test"]["samples"].get<std::size_t>(), result["test"]["identities"].get<std::size_t>());
  print_estimates(result);
  if (result.contains("regression")) print_regression(result["regression"]);
  print_remarks(result["remarks"]);
}

void add_estimate_command(CLI::App& group) {
  auto flags = std::make_shared<EstimateFlags>();
  CLI::App* command = group.add_subcommand("estimate", "read an attribute with classifiers trained on protected data");
  command->add_option("--train", flags->train, "the attacker's data, protected like the target")->required();
  command->add_option("--test", flags->test, "the protected data under attack")->required();
  command->add_option("--dev", flags->dev, "data of further people to tune on (default: a quarter of --train's)");
  command->add_option("--clear-train", flags->clear_train, "--train before it was protected: tells what was hidden");
  command->add_option("--clear-test", flags->clear_test, "--test before it was protected");
  command->add_option("--attribute", flags->run.attribute, "attribute to guess")->required();
  command
      ->add_option("--classes", flags->run.edges,
                   "edges between classes of a continuous attribute (default: tertiles of --train)")
      ->delimiter(',');
  const auto key = [](std::string_view name) { return declared_key("estimate", name); };
  add_key_flag(*command, "--tune", key("tuning.search"), flags->search);
  add_key_flag(*command, "--trials", key("tuning.trials"), flags->run.trials);
  add_switch(*command, "--controls", key("controls"), flags->run.controls);
  add_switch(*command, "--learning-curve", key("learning_curve"), flags->run.learning_curve);
  flags->apart.add_to(*command);
  add_key_flag(*command, "--estimator", key("estimator"), flags->run.estimators);
  add_key_flag(*command, "--preparation", key("preparation"), flags->run.preparation);
  add_key_flag(*command, "--bootstrap", key("bootstrap"), flags->run.bootstrap);
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { attack_estimate(*flags); });
}

struct OnlineFlags {
  CommonFlags common;
  DatasetFlags data;
  OnlineRun run;
  std::vector<std::string> refusals = {"message", "random-key"};
  std::string technique;
  std::string load;
  std::string attacker;
  std::string target;
  ApartFlags apart;
};

void attack_online(OnlineFlags& flags) {
  flags.common.apply();
  flags.run.seed = flags.common.seed;
  flags.run.refusals.clear();
  for (const auto& refusal : flags.refusals) flags.run.refusals.push_back(parse_refusal(refusal));
  const ResolvedProtection protection =
      flags.load.empty() ? make_protection(flags.technique) : load_protection(flags.load, flags.technique);
  const Dataset attacker = flags.data.read(flags.attacker);
  DatasetFlags target_flags = flags.data;
  target_flags.options.identity_required = false;
  const Dataset target = target_flags.read(flags.target);
  const std::vector<std::string> remarks = protection->check_all({&target, &attacker});
  Json apart = Json::array();
  flags.apart.check_people(attacker, target, apart);
  flags.apart.check_samples(attacker, target, apart);
  Json result = run_online_attack(protection, attacker, target, flags.run).values;
  for (const std::string& remark : remarks) result["remarks"].push_back(remark);
  for (const auto& text : apart) result["remarks"].push_back(text);
  if (flags.common.json) {
    fmt::print("{}\n", result.dump());
    return;
  }
  fmt::print("attribute {}, classes {}, chance {}\n{} targets behind {}, {} faces to present, comparator {}\n\n",
             result["attribute"].get<std::string>(), fmt::join(result["classes"].get<std::vector<std::string>>(), ", "),
             percent(result["chance"]), result["target"]["samples"].get<std::size_t>(),
             result["technique"].get<std::string>(), result["attacker"]["samples"].get<std::size_t>(),
             result["comparator"].get<std::string>());
  print_decisions(result["results"]);
  print_remarks(result["remarks"]);
}

void add_online_command(CLI::App& group) {
  auto flags = std::make_shared<OnlineFlags>();
  CLI::App* command =
      group.add_subcommand("online", "read an attribute off a working system's answers to a number of queries");
  command->add_option("TECHNIQUE", flags->technique, "how the system protects what it stores")->required();
  command->add_option("--attacker", flags->attacker, "faces that the attacker presents, unprotected")->required();
  command->add_option("--target", flags->target, "people whom the system knows, unprotected")->required();
  command->add_option("--attribute", flags->run.attribute, "attribute to guess")->required();
  command->add_option("--load", flags->load, "what a learning technique learned before");
  add_key_flag(*command, "--fmr", rates_key("", "", flags->run.fmr, declared_key("decisions", "decision").doc),
               flags->run.fmr);
  add_key_flag(*command, "--queries", declared_key("online", "online"), flags->run.queries);
  command->add_option("--refusal", flags->refusals, "what a non-match is answered with: message, random-key")
      ->delimiter(',');
  command->add_option("--targets", flags->run.targets, "samples to attack")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  add_key_flag(*command, "--bootstrap", declared_key("online", "bootstrap"), flags->run.bootstrap);
  flags->apart.add_to(*command);
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { attack_online(*flags); });
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
  const auto key = [](std::string_view name) { return declared_key("similarity", name); };
  add_key_flag(*command, "--n", key("similarity.n"), flags->run.options.n);
  add_key_flag(*command, "--rule", key("similarity.rule"), flags->rules);
  command
      ->add_option("--classes", flags->run.edges,
                   "edges between classes of a continuous attribute (default: tertiles of the attacker's data)")
      ->delimiter(',');
  add_switch(*command, "--controls", key("controls"), flags->run.controls);
  command->add_option("--comparator", flags->run.comparator, "comparator (default: the protection's own, else cosine)");
  add_key_flag(*command, "--decision-fmr", declared_key("decisions", "decision"), flags->decision_fmr);
  add_key_flag(*command, "--bootstrap", key("bootstrap"), flags->run.bootstrap);
  flags->apart.add_to(*command);
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { attack(*flags); });
  add_estimate_command(*group);
  add_online_command(*group);
}

}  // namespace bauta
