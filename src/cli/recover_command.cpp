// bauta recover: a protected data set in, what an attacker makes of it out.
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/output.hpp"
#include "bauta/protect/media.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/recovering.hpp"
#include "bauta/question/recovery.hpp"
#include "bauta/recover/media.hpp"
#include "command.hpp"
#include "key_flags.hpp"

namespace bauta {

namespace {

struct RecoverFlags {
  CommonFlags common;
  DatasetFlags data;
  RecoveryRun run;
  RecoveryCheck check;
  std::string dataset;
  std::string out;
  std::string clear;
  std::string protected_clear;
  std::string original;
  std::optional<std::uint64_t> key_seed;
};

std::string number_with_ci(const Json& value) {
  if (!value["ci"].is_array()) return fmt::format("{:.4f}", value["mean"].get<double>());
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", value["mean"].get<double>(), value["ci"][0].get<double>(),
                     value["ci"][1].get<double>());
}

void print(const Json& check) {
  std::vector<std::vector<std::string>> rows = {{"", "recovered [95 %]", "clear data", "without the target"}};
  if (check.contains("codes")) {
    const Json& codes = check["codes"];
    rows.push_back({"right codes", percent_with_ci(codes["mean"], codes["ci"]), percent(1), percent(codes["chance"])});
  } else {
    const Json& cosine = check["cosine"];
    rows.push_back({"cosine to the original", number_with_ci(cosine), "1",
                    fmt::format("{:.4f}", cosine["of_mean_template"].get<double>())});
    rows.push_back({"the same less the mean", number_with_ci(cosine["centred"]), "1", "0"});
  }
  if (check["recognition"].is_object()) {
    const Json& recovered = check["recognition"]["recovered"];
    const Json& clear = check["recognition"]["clear"];
    rows.push_back({"EER against other samples", percent_with_ci(recovered["eer"], recovered["eer_ci"]),
                    percent_with_ci(clear["eer"], clear["eer_ci"]), percent(0.5)});
    rows.push_back({"identified at rank 1", percent_with_ci(recovered["rank1"]["rate"], recovered["rank1"]["ci"]),
                    percent_with_ci(clear["rank1"]["rate"], clear["rank1"]["ci"]),
                    percent(recovered["rank1"]["chance"])});
  }
  for (const auto& attribute : check["attributes"]) {
    const Json& recovered = attribute["recovered"];
    const Json& clear = attribute["clear"];
    rows.push_back({fmt::format("{} ({}, balanced)", attribute["attribute"].get<std::string>(),
                                recovered["estimator"].get<std::string>()),
                    percent_with_ci(recovered["balanced"], recovered["ci"]),
                    percent_with_ci(clear["balanced"], clear["ci"]), percent(attribute["chance"])});
  }
  print_table(rows);
  if (check.contains("claim") && !check["claim"].get<std::string>().empty()) {
    fmt::print("claim of {}: {}\n", check["technique"].get<std::string>(), check["claim"].get<std::string>());
  }
  print_remarks(check["remarks"]);
}

/// Masked media in, media out.
void recover_files(const RecoverFlags& flags, const Dataset& target) {
  if (flags.run.original != nullptr) {
    throw_usage("--original", "is compared with templates, and media come back",
                "extract templates of both, then: bauta identify, bauta verify");
  }
  OutputFolder output(flags.out);
  const MaskedFolder result = write_media_folder(run_recovery(target, flags.run), output.staging(), "recover");
  output.commit();
  const Json summary = {{"recovery", result.provenance.properties.at("recovered_by")},
                        {"medium", recovery_declaration(flags.run.recovery).medium},
                        {"samples", target.size()},
                        {"failures", result.failures},
                        {"properties", result.provenance.properties},
                        {"remarks", result.remarks},
                        {"out", flags.out}};
  if (flags.common.json) {
    fmt::print("{}\n", summary.dump());
    return;
  }
  fmt::print("{}: {} media, recovered by {}\n", flags.out, target.size() - result.failures,
             summary["recovery"].get<std::string>());
  print_remarks(summary["remarks"]);
}

void recover(RecoverFlags& flags) {
  flags.common.apply();
  const bool media = undoes_media(recovery_declaration(flags.run.recovery));
  flags.data.options.identity_required = false;
  flags.data.options.templates_required = !media;
  const auto read = [&](const std::string& path) -> std::optional<Dataset> {
    if (path.empty()) return std::nullopt;
    return flags.data.read(path);
  };
  const Dataset target = flags.data.read(flags.dataset);
  const std::optional<Dataset> clear = read(flags.clear);
  const std::optional<Dataset> protected_clear = read(flags.protected_clear);
  const std::optional<Dataset> original = read(flags.original);
  if (!flags.check.attributes.empty() && (!original || !clear)) {
    throw_usage("--attribute", "what recovered templates tell is measured with --clear and --original");
  }
  flags.run.clear = clear ? &*clear : nullptr;
  flags.run.original = original ? &*original : nullptr;
  flags.run.protected_clear = protected_clear ? &*protected_clear : nullptr;
  flags.run.seed = flags.check.seed = flags.common.seed;
  flags.run.key_seed = flags.key_seed.value_or(flags.common.seed);
  flags.check.memory = flags.common.memory_bytes();

  if (media) return recover_files(flags, target);
  OutputFolder output(flags.out);
  const Dataset recovered = run_recovery(target, flags.run);
  write_dataset(output.staging(), recovered);
  Json summary = {{"recovery", recovered.provenance->properties.at("recovered_by")},
                  {"samples", recovered.size()},
                  {"dimension", recovered.templates.cols()},
                  {"elements", to_text(recovered.templates.kind())},
                  {"properties", recovered.provenance->properties},
                  {"out", flags.out}};
  if (original) {
    const RecoveryRotation only{&recovered, &*original, flags.run.clear, &target, flags.run.protected_clear};
    summary["check"] = run_recovery_check({only}, flags.check).values;
    if (name_of_samples(recovered, *original) == nullptr && !recovered.labels.has("original")) {
      summary["check"]["remarks"].push_back(fmt::format(
          "{} and {} do not name their samples (columns 'id' or 'file'): they are taken to stand in the same "
          "order",
          target.origin, original->origin));
    }
  }
  output.commit();
  if (flags.common.json) {
    fmt::print("{}\n", summary.dump());
    return;
  }
  fmt::print("{}: {} samples of {} {}, recovered by {}\n", flags.out, recovered.size(), recovered.templates.cols(),
             to_text(recovered.templates.kind()), summary["recovery"].get<std::string>());
  if (summary["properties"].contains("certain_share")) {
    fmt::print("{} of the features are certain\n",
               percent(std::stod(summary["properties"]["certain_share"].get<std::string>())));
  }
  if (original) print(summary["check"]);
}

}  // namespace

void add_recover_command(CLI::App& app) {
  auto flags = std::make_shared<RecoverFlags>();
  CLI::App* command = app.add_subcommand("recover", "undo a protection as an attacker would, and see what comes back");
  command->add_option("RECOVERY", flags->run.recovery, "NAME or NAME:key=value,... (see: bauta list recoveries)")
      ->required();
  command->add_option("DATASET", flags->dataset, "protected data set")->required();
  command->add_option("--out", flags->out, "folder for the recovered data set")->required();
  command->add_option("--clear", flags->clear, "the attacker's own clear templates or media, of other people");
  command->add_option("--protected", flags->protected_clear, "the same as --clear, protected like DATASET");
  command->add_option("--keyfile", flags->run.keyfile, "stolen key of the technique");
  command->add_option("--key-seed", flags->key_seed, "stolen seed that the key came from (default: that of --seed)");
  command->add_option("--model", flags->run.model, "stolen file with what the technique learned");
  command->add_option("--original", flags->original, "what DATASET was before protection: measures what came back");
  command->add_option("--attribute", flags->check.attributes, "attributes to estimate from what came back")
      ->delimiter(',');
  add_key_flag(*command, "--bootstrap", declared_key("recovery", "bootstrap"), flags->check.bootstrap);
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { recover(*flags); });
}

}  // namespace bauta
