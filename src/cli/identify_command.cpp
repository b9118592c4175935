// bauta identify: who is it, among those who are enrolled?
#include <memory>

#include <fmt/format.h>

#include "bauta/question/identification.hpp"
#include "command.hpp"
#include "key_flags.hpp"

namespace bauta {

namespace {

struct IdentifyFlags {
  CommonFlags common;
  DatasetFlags data;
  IdentifyRun run;
  std::string enrol, probe;
};

void print(const Json& result) {
  fmt::print("{} probes of {} people; a guess is right in {} of the cases\n", result["probes"].get<std::size_t>(),
             result["identities"].get<std::size_t>(), percent(result["chance"].get<double>()));
  std::vector<std::vector<std::string>> rows = {
      {"recogniser", "rank 1", "rank 5", "people always named", "mixture", "KL from uniform (nats)"}};
  for (const Json& one : result["results"]) {
    rows.push_back({one["recogniser"], percent_with_ci(one["rank1"], one["ci"]), percent(one["rank5"].get<double>()),
                    percent_with_ci(one["always"], one["always_ci"]), percent(one["mixture"].get<double>()),
                    fmt::format("{:.4g}", one["kl_from_uniform"].get<double>())});
  }
  print_table(rows);
  if (const std::size_t failures = result["failures"]; failures > 0) {
    fmt::print("note: nothing was extracted from {} samples; probes among them count as guesses\n", failures);
  }
  print_remarks(result["remarks"]);
}

void identify(IdentifyFlags& flags) {
  flags.common.apply();
  flags.run.seed = flags.common.seed;
  const Dataset enrolled = flags.data.read(flags.enrol);
  const Json result = run_identify(enrolled, flags.data.read(flags.probe), flags.run).values;
  if (flags.common.json) {
    fmt::print("{}\n", result.dump());
  } else {
    print(result);
  }
}

}  // namespace

void add_identify_command(CLI::App& app) {
  auto flags = std::make_shared<IdentifyFlags>();
  CLI::App* command = app.add_subcommand("identify", "who is it? probes among enrolled people, by several recognisers");
  command->add_option("--enrol", flags->enrol, "data set of people who are known")->required();
  command->add_option("--probe", flags->probe, "data set of samples to be named")->required();
  const auto key = [](std::string_view name) { return declared_key("identification", name); };
  add_key_flag(*command, "--recogniser", key("recogniser"), flags->run.recognisers);
  command->add_option("--comparator", flags->run.comparator, "of nearest (default: the protection's own, else cosine)");
  add_key_flag(*command, "--temperature", key("temperature"), flags->run.temperature);
  command->add_option("--test", flags->run.test,
                      "where both hold the same samples, e.g. clear and masked: share of each person's that is probed, "
                      "the others are enrolled");
  command->add_flag("--other-samples", flags->run.other_samples,
                    "they are other samples, although their labels are alike");
  add_key_flag(*command, "--bootstrap", key("bootstrap"), flags->run.bootstrap);
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { identify(*flags); });
}

}  // namespace bauta
