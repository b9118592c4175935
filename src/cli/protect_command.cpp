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
  std::vector<std::string> attributes;
  std::vector<std::string> keep;
  std::string save;
  std::string load;
  std::size_t enrolments = 1;
  bool release = false;
};

/// The technique with what --keep adds to its parameter of that name.
std::string with_kept(const ProtectFlags& flags) {
  if (flags.keep.empty()) return flags.technique;
  const Specification specification = Specification::parse(flags.technique);
  if (!find_entry(protections(), "protection", specification.name).declaration.keeps) {
    throw_usage("--keep", specification.name + " is not made to keep attributes");
  }
  std::string kept;
  for (const std::string& one : flags.keep) {
    if (one.find_first_of("/,") != std::string::npos) {
      throw_usage("--keep " + one, "a name with / or , cannot be told from two", "rename the column");
    }
    kept += (kept.empty() ? "" : "/") + one;
  }
  if (specification.values.contains("keep")) throw_usage("--keep", "is given in " + flags.technique + " as well");
  return flags.technique + (specification.values.empty() ? ":keep=" : ",keep=") + kept;
}

/// Made from the specification and, for one that learns, fitted or loaded.
ResolvedProtection ready_protection(const ProtectFlags& flags, const Dataset& dataset) {
  if (!flags.load.empty()) {
    if (!flags.fit.empty() || !flags.save.empty()) throw_usage("--load", "takes no --fit and no --save beside it");
    return load_protection(flags.load, with_kept(flags));
  }
  ResolvedProtection protection = make_protection(with_kept(flags));
  if (!flags.fit.empty()) {
    const Dataset train = flags.data.read(flags.fit);
    fit_protection(protection, train, flags.attributes, protect_context(train, flags.common.seed));
  } else if (protection.declaration->learns_at_home) {
    fit_protection(protection, dataset, flags.attributes, protect_context(dataset, flags.common.seed));
  } else if (!flags.save.empty()) {
    throw_usage("--save", "there is nothing to save without --fit");
  }
  if (!flags.save.empty()) save_protection(protection, flags.save);
  return protection;
}

void protect(ProtectFlags& flags) {
  flags.common.apply();
  flags.data.options.identity_required = false;
  Dataset dataset = flags.data.read(flags.dataset);
  const ResolvedProtection protection = ready_protection(flags, dataset);
  if (flags.enrolments > 1) dataset = repeated_enrolments(dataset, flags.enrolments);
  OutputFolder output(flags.out);
  const ProtectedFolder result = protect_to_folder(
      protection, dataset, protect_context(dataset, flags.common.seed, flags.release), output.staging());
  output.commit();
  const Json summary = {{"technique", result.provenance.technique},
                        {"comparator", result.provenance.comparator},
                        {"samples", dataset.size()},
                        {"dimension", result.width},
                        {"elements", to_text(result.kind)},
                        {"out", flags.out}};
  if (flags.common.json) {
    fmt::print("{}\n", summary.dump());
  } else {
    fmt::print("{}: {} samples of {} {}, protected with {}\n", flags.out, dataset.size(), result.width,
               to_text(result.kind), result.provenance.technique);
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
  command->add_option("--attribute", flags->attributes, "attributes that a learning technique hides, or keeps")
      ->delimiter(',');
  command->add_option("--keep", flags->keep, "NAME=SHARE: further attributes to keep, with their share of features")
      ->delimiter(',');
  command->add_option("--save", flags->save, "file for what was learned");
  command->add_option("--load", flags->load, "file with what was learned before");
  command->add_option("--enrolments", flags->enrolments, "enrol every sample so many times, each with fresh randomness")
      ->check(CLI::PositiveNumber);
  command->add_flag("--release", flags->release, "draw from the operating system's generator instead of the seed");
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { protect(*flags); });
}

}  // namespace bauta
