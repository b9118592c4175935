// bauta protect: a data set in, its protected form out.
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/protect/kept.hpp"
#include "bauta/protect/media.hpp"
#include "bauta/question/mixture_search.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/report/report.hpp"
#include "bauta/report/summary.hpp"
#include "bauta/run/evidence.hpp"
#include "bauta/run/promises.hpp"
#include "bauta/run/release.hpp"
#include "command.hpp"

namespace bauta {

namespace {

/// What --identity says where every sample is another person's.
constexpr const char* no_identity = "none";

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
  std::size_t k = ReleaseRule().k;
  std::string rare = std::string(to_text(ReleaseRule().rare));
  std::string evidence;
  double target_mixture = -1;  // not asked for
  std::string against = "informed";
};

const Declaration& technique_of(const ProtectFlags& flags) {
  return find_entry(protections(), "protection", Specification::parse(flags.technique).name).declaration;
}

/// The technique with what --keep adds to its parameter for that. Of the release of one that keeps nothing itself
/// --keep names the labels.
std::string with_kept(const ProtectFlags& flags) {
  const Specification specification = Specification::parse(flags.technique);
  const bool keeps = technique_of(flags).keeps;
  if (flags.keep.empty() || (flags.release && !keeps)) return flags.technique;
  const Parameter* parameter = kept_parameter(technique_of(flags));
  if (!keeps || parameter == nullptr) {
    throw_usage("--keep", specification.name + (keeps ? " keeps one attribute" : " is not made to keep attributes"));
  }
  std::string kept;
  for (const std::string& one : flags.keep) {
    if (one.find_first_of("/,") != std::string::npos) {
      throw_usage("--keep " + one, "a name with / or , cannot be told from two", "rename the column");
    }
    const KeptAttribute attribute = parse_kept(one, "--keep");
    kept += fmt::format("{}{}={}", kept.empty() ? "" : "/", attribute.name, attribute.share);
  }
  if (specification.values.contains(parameter->name)) {
    throw_usage("--keep", "is given in " + flags.technique + " as well");
  }
  return fmt::format("{}{}{}={}", flags.technique, specification.values.empty() ? ':' : ',', parameter->name, kept);
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
    require_medium(*protection.declaration, train);
    fit_protection(protection, train, flags.attributes, protect_context(train, flags.common.seed));
  } else if (protection.declaration->learns_from_input) {
    fit_protection(protection, dataset, flags.attributes, protect_context(dataset, flags.common.seed));
  } else if (!flags.save.empty()) {
    throw_usage("--save", "there is nothing to save without --fit");
  }
  if (!flags.save.empty()) save_protection(protection, flags.save);
  return protection;
}

/// The seed is known to whoever knows the command, and its default to everybody.
void warn_of_public_key(const ProtectFlags& flags, const ResolvedProtection& protection) {
  if (!protection.declaration->keyed || flags.release || !protection.parameters.text("keyfile").empty()) return;
  warn(
      fmt::format("{}: its key comes from the seed and is public: good for experiments, it protects nobody. "
                  "keyfile=FILE names one of yours, --release draws one that nobody keeps",
                  protection.declaration->name));
}

/// What is promised of what was made, as the record beside it has it.
void tell_promise(const ProtectFlags& flags, const Provenance& record) {
  const auto& said = record.properties;
  if (const auto source = said.find("noise_source"); source != said.end() && source->second == "seed") {
    warn(
        fmt::format("{}: its noise comes from the seed and is public: what is guaranteed does not hold against those "
                    "who know the command. --release draws noise that nobody knows",
                    Specification::parse(flags.technique).name));
  }
  if (flags.common.json) return;
  fmt::print("{}\n", said.at("guarantee"));
  if (said.contains("in_pixels")) fmt::print("in pixels: {}\n", said.at("in_pixels"));
}

/// The same for programs.
void add_promise(const ResolvedProtection& protection, const Promise& promise, Json& summary) {
  Json json = promise_json(protection.parameters.brief(), promise);
  for (const char* name : {"guarantee", "in_pixels"}) summary[name] = std::move(json[name]);
}

/// What is asked for of techniques that keep attributes only.
void check_release_flags(const ProtectFlags& flags) {
  const bool keeps = technique_of(flags).keeps;
  const bool releases = flags.release && keeps;
  if (flags.target_mixture >= 0 && !keeps) {
    throw_usage("--target-mixture", Specification::parse(flags.technique).name + " mixes no records");
  }
  if (!flags.evidence.empty() && !releases) {
    throw_usage("--evidence", "is written for a release of a technique that keeps attributes");
  }
  if (flags.release && flags.enrolments > 1) {
    throw_usage("--enrolments", "a record that is released several times is found by the mean of its releases");
  }
}

void print_search(const Json& trace) {
  std::vector<std::vector<std::string>> rows = {{"setting", "utility", "mixture", "against", ""}};
  for (const Json& one : trace["settings"]) {
    const std::string setting = one["setting"];
    if (one["refused"].is_string()) {
      rows.push_back({setting, "-", "-", "-", "cannot be drawn"});
      continue;
    }
    rows.push_back({setting, fmt::format("{:.3f}", one["utility"].get<double>()),
                    percent_with_ci(one["mixture"], one["ci"]), one["attacker"],
                    trace["chosen"] == setting ? "chosen"
                    : one["reaches"] == true   ? "reaches it"
                                               : ""});
  }
  fmt::print("settings, learned from {} records and judged on {} others, looked for among {}\n",
             trace["learned"].get<std::size_t>(), trace["judged"].get<std::size_t>(),
             trace["candidates"].get<std::size_t>());
  print_table(rows);
  fmt::print("\n");
}

/// Takes the most useful setting under the bound, if there is one; how it was found.
Json choose_setting(const ProtectFlags& flags, const Dataset& dataset, ResolvedProtection& protection) {
  if (flags.target_mixture < 0) return nullptr;
  FoundSetting found = search_mixture(protection, Specification::parse(flags.technique), dataset,
                                      {flags.target_mixture, flags.against == "informed", flags.common.seed});
  if (!flags.common.json) print_search(found.trace);
  if (!found.protection) {
    throw_usage(fmt::format("--target-mixture {:g}", flags.target_mixture), "is not reached: " + found.best,
                "ask for less, or against what the paper claims: --against claimed");
  }
  protection = std::move(*found.protection);
  return std::move(found.trace);
}

void print_media(const ProtectFlags& flags, const Json& summary, std::size_t written) {
  if (flags.common.json) {
    fmt::print("{}\n", summary.dump());
    return;
  }
  fmt::print("{}: {} media, masked with {}\n", flags.out, written, summary["technique"].get<std::string>());
  print_remarks(summary["remarks"]);
}

/// Media in, masked media out.
void protect_files(const ProtectFlags& flags, const Dataset& dataset, const ResolvedProtection& protection) {
  OutputFolder output(flags.out);
  const MaskedFolder result =
      protect_media_to_folder(protection, dataset, protect_context(dataset, flags.common.seed), output.staging());
  if (result.failures == dataset.size()) {
    throw_input(flags.dataset, "nothing is left to protect", fmt::format("{}", fmt::join(result.remarks, "; ")));
  }
  output.commit();
  Json summary = {{"technique", result.provenance.technique},
                  {"medium", protection.declaration->medium},
                  {"samples", dataset.size()},
                  {"failures", result.failures},
                  {"remarks", result.remarks},
                  {"out", flags.out}};
  add_promise(protection, result.promise, summary);
  print_media(flags, summary, dataset.size() - result.failures);
  tell_promise(flags, result.provenance);
}

void print_summary(const ProtectFlags& flags, const Json& summary) {
  if (flags.common.json) {
    fmt::print("{}\n", summary.dump());
  } else {
    fmt::print("{}: {} samples of {} {}, protected with {}\n", flags.out, summary["samples"].get<std::size_t>(),
               summary["dimension"].get<std::size_t>(), summary["elements"].get<std::string>(),
               summary["technique"].get<std::string>());
  }
}

/// Where the evidence of a release goes.
std::filesystem::path evidence_folder(const ProtectFlags& flags) {
  if (!flags.evidence.empty()) return flags.evidence;
  std::filesystem::path out = flags.out;
  if (!out.has_filename()) out = out.parent_path();
  return out.string() + "-evidence";
}

/// results.json, and evidence.json for those who want what concerns the release, its verdict and the numbers alone.
void write_evidence(const std::filesystem::path& folder, const Json& results, const std::string& verdict) {
  write_file(folder / "results.json", results.dump(1) + "\n");
  Json evidence = results["release"];
  evidence.update({{"bauta", results["bauta"]}, {"verdict", verdict}, {"cells", results["cells"]}});
  write_file(folder / "evidence.json", evidence.dump(1) + "\n");
}

ReleaseRule rule_of(const ProtectFlags& flags) {
  return {technique_of(flags).keeps ? std::vector<std::string>() : flags.keep, flags.k, parse_rare(flags.rare),
          flags.data.options.identity == no_identity};
}

std::string labels_sentence(const Released& released) {
  if (released.columns.empty()) return "no labels are released (--keep names some)";
  const LabelRisk& risk = released.labels;
  std::string text = fmt::format("labels released: {}; every combination of their values belongs to {} people or more",
                                 fmt::join(released.columns, ", "), risk.smallest);
  if (risk.rare_combinations == 0) return text;
  return text + fmt::format(
                    "; {} belonged to fewer: {} values were generalised, {} records are without labels, {} were "
                    "left out",
                    risk.rare_combinations, risk.generalised, risk.suppressed, risk.left_out);
}

/// Of techniques that nobody has asked what they still tell.
void release_alone(const ProtectFlags& flags, const Dataset& dataset, const ResolvedProtection& protection) {
  OutputFolder output(flags.out);
  const Released released = release_to_folder(protection, dataset, rule_of(flags), output.staging());
  output.commit();
  Json summary = {{"technique", released.provenance.technique},
                  {"samples", released.records},
                  {"failures", released.failures},
                  {"columns", released.columns},
                  {"rare", to_text(released.rare)},
                  {"labels", labels_json(released.labels)},
                  {"remarks", released.remarks},
                  {"out", flags.out}};
  add_promise(protection, released.promise, summary);
  if (released.features == 0) {
    summary["medium"] = protection.declaration->medium;
    print_media(flags, summary, released.records);
  } else {
    summary.update({{"comparator", released.provenance.comparator},
                    {"dimension", released.features},
                    {"elements", to_text(released.kind)}});
    print_summary(flags, summary);
  }
  tell_promise(flags, released.provenance);
  if (!flags.common.json) fmt::print("{}\n", labels_sentence(released));
}

/// The data appears last: where it stands, its evidence stands too.
void release(const ProtectFlags& flags, const Dataset& dataset, ResolvedProtection& protection) {
  const std::filesystem::path place = evidence_folder(flags);
  const auto whole = [](const std::filesystem::path& path) { return weakly_canonical(absolute(path / "")); };
  if (whole(place).string().starts_with(whole(flags.out).string())) {
    throw_usage("--evidence " + place.string(), "lies in what is released, and is not for everybody",
                "choose a folder beside --out");
  }
  OutputFolder output(flags.out);
  OutputFolder evidence(place);
  const ReleaseRule rule = rule_of(flags);
  require_releasable(protection, dataset, rule);
  Json search = choose_setting(flags, dataset, protection);
  const Released released = release_to_folder(protection, dataset, rule, output.staging());
  const Json results = release_evidence(protection, dataset, released, output.staging(),
                                        {.seed = flags.common.seed, .search = std::move(search)});
  const std::string verdict = release_verdict(results);
  write_evidence(evidence.staging(), results, verdict);
  evidence.commit_provisionally();  // a run that is killed before the data stands must not block the next
  const ReportOptions page = report_options(place / "evidence.html");
  (void)write_report({place}, page);
  output.commit();
  evidence.confirm();
  const Json& said = results["release"];
  const bool alarming = said["traceable"] == true || said["unclear"] == true ||
                        (said["search"].is_object() && said["search"]["evidence"]["reaches"] == false);
  if (alarming) warn(verdict);
  Json summary = {{"technique", released.provenance.technique},
                  {"comparator", released.provenance.comparator},
                  {"samples", released.records},
                  {"dimension", released.features},
                  {"elements", to_text(ElementKind::float32)},
                  {"out", flags.out},
                  {"evidence", page.out.string()},
                  {"labels", said["labels"]},
                  {"verdict", verdict},
                  {"traceable", said["traceable"]},
                  {"search", said["search"]}};
  add_promise(protection, released.promise, summary);
  print_summary(flags, summary);
  tell_promise(flags, released.provenance);
  if (flags.common.json) return;
  if (!alarming) fmt::print("{}\n", verdict);
  fmt::print("{}\n", labels_sentence(released));
  fmt::print("evidence: {}\n", page.out.string());
}

void protect(ProtectFlags& flags) {
  flags.common.apply();
  check_release_flags(flags);
  require_new("--save", flags.save);
  flags.data.options.identity_required = false;
  flags.data.options.templates_required = false;
  Dataset dataset = flags.data.read(flags.dataset);
  const std::string& identity = flags.data.options.identity;
  if (dataset.identity_column.empty() && identity != ReadOptions().identity && identity != no_identity) {
    throw_usage("--identity", fmt::format("{} has no column '{}'", dataset.origin, identity),
                suggest(identity, dataset.labels.names()));
  }
  const Declaration& technique = technique_of(flags);
  require_medium(technique, dataset);
  ResolvedProtection protection = ready_protection(flags, dataset);
  if (flags.release) {
    return technique.keeps ? release(flags, dataset, protection) : release_alone(flags, dataset, protection);
  }
  warn_of_public_key(flags, protection);
  if (masks_media(technique, dataset)) {
    if (flags.enrolments > 1) dataset = repeated_enrolments(dataset, flags.enrolments);
    return protect_files(flags, dataset, protection);
  }
  OutputFolder output(flags.out);
  Json search = choose_setting(flags, dataset, protection);
  if (flags.enrolments > 1) dataset = repeated_enrolments(dataset, flags.enrolments);
  const ProtectedFolder result =
      protect_to_folder(protection, dataset, protect_context(dataset, flags.common.seed), output.staging());
  output.commit();
  Json summary = {{"technique", result.provenance.technique},
                  {"comparator", result.provenance.comparator},
                  {"samples", dataset.size()},
                  {"failures", result.failures},
                  {"dimension", result.width},
                  {"elements", to_text(result.kind)},
                  {"out", flags.out}};
  if (!search.is_null()) summary["search"] = std::move(search);
  add_promise(protection, result.promise, summary);
  print_summary(flags, summary);
  tell_promise(flags, result.provenance);
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
  command
      ->add_option(
          "--keep", flags->keep,
          "NAME=SHARE: further attributes to keep, with their share of features (0.01 or 1%); with --release of "
          "a technique that keeps none, NAME: labels to release")
      ->delimiter(',');
  command->add_option("--save", flags->save, "file for what was learned");
  command->add_option("--load", flags->load, "file with what was learned before");
  command->add_option("--enrolments", flags->enrolments, "enrol every sample so many times, each with fresh randomness")
      ->check(CLI::PositiveNumber);
  CLI::Option* release = command->add_flag("--release", flags->release,
                                           "draw from the operating system's generator instead of the seed, and write "
                                           "records in a new order with new ids and "
                                           "nothing but the labels of --keep; of a technique that keeps attributes "
                                           "(utility-preserving) also evidence of what "
                                           "they still tell");
  command->add_option("--k", flags->k, "people whom every combination of released labels belongs to, at least")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{2}, std::numeric_limits<std::size_t>::max()))
      ->needs(release);
  command
      ->add_option("--rare", flags->rare,
                   "labels of fewer people: refuse, suppress (records come without labels), generalise (bands of "
                   "numbers, one class of rare ones; then suppress)")
      ->capture_default_str()
      ->check(CLI::IsMember({"refuse", "suppress", "generalise"}))
      ->needs(release);
  command->add_option("--evidence", flags->evidence, "folder for the evidence of a release (default: OUT-evidence)");
  command
      ->add_option(
          "--target-mixture", flags->target_mixture,
          "search g, t, w and rp, except for those given, for the most useful setting with at least this share "
          "of records whose original is not found")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--against", flags->against, "who must not find it: the strongest attacker, or that of the paper")
      ->check(CLI::IsMember({"informed", "claimed"}));
  flags->data.add_to(*command);
  flags->common.add_to(*command);
  command->callback([flags] { protect(*flags); });
}

}  // namespace bauta
