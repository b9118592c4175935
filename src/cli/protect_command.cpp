// bauta protect: a data set in, its protected form out.
#include <memory>

#include <fmt/format.h>

#include "bauta/cli/command.hpp"
#include "bauta/core/output.hpp"
#include "bauta/run/protecting.hpp"

namespace bauta {

namespace {

struct ProtectFlags {
  CommonFlags common;
  DatasetFlags data;
  std::string technique;
  std::string dataset;
  std::string out;
  std::string fit;
  std::string attribute;
  bool release = false;
};

void protect(ProtectFlags& flags) {
  flags.common.apply();
  const ResolvedProtection protection = make_protection(flags.technique);
  flags.data.options.identity_required = false;
  const Dataset dataset = flags.data.read(flags.dataset);
  if (!flags.fit.empty()) {
    if (!protection.declaration->learns) throw_usage("--fit", protection.declaration->name + " does not learn");
    protection.protection->fit(flags.data.read(flags.fit), flags.attribute, {});
  }
  OutputFolder output(flags.out);
  const Dataset result =
      protect_dataset(protection, dataset, protect_context(dataset, flags.common.seed, flags.release));
  write_dataset(output.staging(), result);
  output.commit();
  const Json summary = {{"technique", result.provenance->technique},
                        {"comparator", result.provenance->comparator},
                        {"samples", result.size()},
                        {"dimension", result.templates.cols()},
                        {"elements", to_text(result.templates.kind())},
                        {"out", flags.out}};
  if (flags.common.json) {
    fmt::print("{}\n", summary.dump());
  } else {
    fmt::print("{}: {} samples of {} {}, protected with {}\n", flags.out, result.size(), result.templates.cols(),
               to_text(result.templates.kind()), result.provenance->technique);
  }
}

}  // namespace

void add_protect_command(CLI::App& app) {
  auto flags = std::make_shared<ProtectFlags>();
  CLI::App* command = app.add_subcommand("protect", "protect a data set");
  command->add_option("TECHNIQUE", flags->technique, "NAME or NAME:key=value,... (see: bauta list protections)")
      ->required();
  command->add_option("DATASET", flags->dataset, "data set to protect")->required();
  command->add_option("--out", flags->out, "folder for the protected data set")->required();
  command->add_option("--fit", flags->fit, "data set that a learning technique trains on");
  command->add_option("--attribute", flags->attribute, "attribute that a learning technique hides");
  command->add_flag("--release", flags->release, "draw from the operating system's generator instead of the seed");
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { protect(*flags); });
}

}  // namespace bauta
