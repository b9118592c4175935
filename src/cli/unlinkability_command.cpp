// bauta unlinkability: can templates of one person under two keys be linked?
#include <memory>

#include <fmt/format.h>

#include "bauta/question/unlinkability.hpp"
#include "command.hpp"
#include "key_flags.hpp"

namespace bauta {

namespace {

struct UnlinkabilityFlags {
  CommonFlags common;
  DatasetFlags data;
  UnlinkabilityRun run;
  std::string a;
  std::string b;
  bool other_samples = false;
};

void unlinkability(UnlinkabilityFlags& flags) {
  flags.common.apply();
  flags.run.options.seed = flags.common.seed;
  flags.run.options.memory = flags.common.memory_bytes();
  if (flags.other_samples) flags.run.same = SameSamples::none;
  const Json result = run_unlinkability(flags.data.read(flags.a), flags.data.read(flags.b), flags.run).values;
  if (flags.common.json) {
    fmt::print("{}\n", result.dump());
    return;
  }
  const auto with_null = [&](const char* name) -> std::string {
    if (!result[name].is_number()) return "-";
    return fmt::format("{:.4f} (null level {:.4f}, 95 % below {:.4f})", result[name].get<double>(),
                       result[std::string(name) + "_null"].get<double>(),
                       result[std::string(name) + "_null_high"].get<double>());
  };
  print_table({{"mated comparisons (one person, two keys)", std::to_string(result["mated"].get<std::uint64_t>())},
               {"non-mated comparisons", std::to_string(result["non_mated"].get<std::uint64_t>())},
               {"D_sys, 0 to 1", with_null("d_sys")},
               {"maximal linkability, bits", with_null("maximal_linkability")},
               {"EER of a linker", percent_with_ci(result["eer"], result["eer_ci"])}});
  print_remarks(result["remarks"]);
}

}  // namespace

void add_unlinkability_command(CLI::App& app) {
  auto flags = std::make_shared<UnlinkabilityFlags>();
  CLI::App* command = app.add_subcommand("unlinkability", "can templates of one person under two keys be linked?");
  command->add_option("A", flags->a, "data set under one key")->required();
  command->add_option("B", flags->b, "the same people under another key")->required();
  command->add_option("--samples", flags->run.samples, "at most so many samples of a subject")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_flag("--other-samples", flags->other_samples, "they are other samples, although their labels are alike");
  command->add_option("--comparator", flags->run.comparator, "comparator that links (default: the protection's own)");
  add_key_flag(*command, "--bootstrap", declared_key("unlinkability", "bootstrap"), flags->run.options.bootstrap);
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { unlinkability(*flags); });
}

}  // namespace bauta
