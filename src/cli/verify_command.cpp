// bauta verify: recognition performance of a data set, of one against another, or of a score file.
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/verification.hpp"
#include "command.hpp"
#include "key_flags.hpp"

namespace bauta {

namespace {

struct VerifyFlags {
  CommonFlags common;
  DatasetFlags data;
  VerifyRun run;
  std::string dataset;
  std::string reference;
  std::string scores;
  std::string written;
  bool other_samples = false;
  bool distances = false;
};

std::string number(const Json& value) {
  if (!value.is_number()) return "-";
  const double shown = value.get<double>();
  return std::abs(shown) < 1e9 ? fmt::format("{:.4f}", shown) : fmt::format("{:.3e}", shown);
}

std::string number_with_ci(const Json& value, const Json& ci) {
  if (!ci.is_array()) return number(value);
  return fmt::format("{} [{}, {}]", number(value), number(ci[0]), number(ci[1]));
}

void print(const Json& result) {
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"mated comparisons", std::to_string(result["mated"].get<std::uint64_t>())});
  rows.push_back({"non-mated comparisons", std::to_string(result["non_mated"].get<std::uint64_t>())});
  rows.push_back({"failed samples", std::to_string(result["failures"].get<std::uint64_t>())});
  rows.push_back({"EER", percent_with_ci(result["eer"], result["eer_ci"])});
  for (const auto& point : result["fnmr_at_fmr"]) {
    std::string text = percent_with_ci(point["fnmr"], point["ci"]);
    if (!point["resolvable"].get<bool>()) text += " (not resolvable)";
    rows.push_back({fmt::format("FNMR at FMR {:g} %", 100 * point["fmr"].get<double>()), text});
  }
  rows.push_back({"AUC", number_with_ci(result["auc"], result["auc_ci"])});
  rows.push_back({"d'", number_with_ci(result["d_prime"], result["d_prime_ci"])});
  rows.push_back({"D_sys (null level)", fmt::format("{} ({})", number(result["d_sys"]), number(result["d_sys_null"]))});
  rows.push_back({"Cllr, min Cllr (bits)", fmt::format("{}, {}", number(result["cllr"]), number(result["min_cllr"]))});
  const Json& zebra = result["zebra"];
  rows.push_back(
      {"ZEBRA (bits, log10, tag)", fmt::format("{}, {}, {}", number(zebra["expected_bits"]),
                                               number(zebra["worst_case_log10"]), zebra["tag"].get<std::string>())});
  for (const auto& scores : result.value("attribute_scores", Json::array())) {
    rows.push_back({fmt::format("AUC, same {} or not", scores["attribute"].get<std::string>()), number(scores["auc"])});
  }
  print_table(rows);
  print_remarks(result["remarks"]);
}

Json against_reference(VerifyFlags& flags) {
  const Dataset references = flags.data.read(flags.reference), probes = flags.data.read(flags.dataset);
  flags.run.clear_references = !references.provenance;
  const std::vector<std::size_t> rows =
      flags.other_samples ? std::vector<std::size_t>() : rows_of_same_samples(references, probes);
  if (rows.empty()) {
    if (!flags.other_samples) require_other_samples(references, probes);
    Json result = run_verify_between(references, probes, flags.run).values;
    const std::string remark = flags.other_samples ? std::string() : unnamed_samples(references, probes);
    if (!remark.empty()) result["remarks"].push_back(remark);
    for (std::string& copies : suspected_copies(references, probes)) result["remarks"].push_back(std::move(copies));
    return result;
  }
  flags.run.both_orders = true;
  Json result = run_verify(in_two_forms(references, probes.select(rows)), flags.run).values;
  result["remarks"].push_back("both hold the same samples: none is compared with itself (others: --other-samples)");
  return result;
}

void verify(VerifyFlags& flags) {
  flags.common.apply();
  flags.run.options.seed = flags.common.seed;
  flags.run.options.memory = flags.common.memory_bytes();
  if (flags.dataset.empty() == flags.scores.empty()) {
    throw_usage("verify", "either a DATASET or --scores FILE is expected");
  }
  if (flags.common.device != "cpu") warn("--device " + flags.common.device + ": comparisons are made by the processor");
  require_new("--score-matrix", flags.written);
  if (std::filesystem::path mask(flags.written); mask.extension() == ".mtx") {
    require_new("--score-matrix", mask.replace_extension(".mask"));
  }
  if (flags.reference.empty() && flags.other_samples) throw_usage("--other-samples", "goes with --reference");
  Json result;
  if (!flags.scores.empty()) {
    if (!flags.run.comparator.empty() || !flags.written.empty() || !flags.reference.empty())
      throw_usage("verify --scores", "takes no --comparator, no --reference and no --score-matrix");
    ScoreOptions options;
    options.distances = flags.distances;
    options.missing = flags.data.chosen().missing;
    result = run_verify_scores(flags.scores, options, flags.run).values;
  } else if (!flags.reference.empty()) {
    if (!flags.written.empty()) throw_usage("verify --reference", "takes no --score-matrix");
    result = against_reference(flags);
  } else {
    const Dataset dataset = flags.data.read(flags.dataset);
    result = run_verify(dataset, flags.run).values;
    if (!flags.written.empty()) write_scores(dataset, flags.run.comparator, flags.written);
  }
  if (flags.common.json) {
    fmt::print("{}\n", result.dump());
  } else {
    print(result);
  }
}

}  // namespace

void add_verify_command(CLI::App& app) {
  auto flags = std::make_shared<VerifyFlags>();
  CLI::App* command = app.add_subcommand("verify", "recognition performance: all comparisons, exact, with intervals");
  command->add_option("DATASET", flags->dataset, "data set to compare with itself, or with --reference");
  command->add_option(
      "--reference", flags->reference,
      "references that DATASET is compared with instead, e.g. clear ones: who is found in protected data");
  command->add_flag("--other-samples", flags->other_samples,
                    "with --reference: they are other samples, although their labels are alike");
  command->add_option("--scores", flags->scores,
                      "score file instead: CSV (score, mated), 4/5-column text, or .mtx with .mask");
  command->add_flag("--distances", flags->distances, "with --scores: smaller is more similar");
  command->add_option("--comparator", flags->run.comparator, "comparator (default: the protection's own, else cosine)");
  add_key_flag(*command, "--fmr", declared_key("verification", "fmr"), flags->run.options.fmr);
  add_key_flag(*command, "--bootstrap", declared_key("verification", "bootstrap"), flags->run.options.bootstrap);
  command->add_option("--attribute", flags->run.attributes, "also compare scores of same and different classes")
      ->delimiter(',');
  command->add_option("--score-matrix", flags->written,
                      "also write the scores: .npy, .mtx (full matrix), .csv, .txt (each pair once)");
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { verify(*flags); });
}

}  // namespace bauta
