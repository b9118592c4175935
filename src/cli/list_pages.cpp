// One page per protection, from what it declares: docs/protections is made by `bauta list --pages`.
#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/output.hpp"
#include "bauta/protect/key_regime.hpp"
#include "bauta/protect/protection.hpp"
#include "bauta/recover/recovery.hpp"
#include "command.hpp"

namespace bauta {

namespace {

/// The recovery made for this technique, else the one that learns from pairs.
const Declaration* recovery_for(const Declaration& protection) {
  const Declaration* any = nullptr;
  for (const auto& entry : recoveries()) {
    const Declaration& recovery = entry.declaration;
    if (!can_undo(recovery, protection)) continue;
    if (recovery.undoes || recovery.keyed) return &recovery;
    if (recovery.medium == "template" && any == nullptr) any = &recovery;
  }
  return any;
}

/// With parameters that make it quick, where it has some.
std::string quick(const Declaration& technique) {
  const std::string text = technique.example.empty() ? technique.name : technique.name + ":" + technique.example;
  return text.find(' ') == std::string::npos ? text : "'" + text + "'";  // one word for a shell
}

/// Images that are undone before anybody looks at them, where a recovery that needs no other people was made for this
/// technique.
std::string undone_images(const Declaration& protection) {
  const Declaration* recovery = recovery_for(protection);
  if (recovery == nullptr || recovery->medium != "image" || recovery->learns) return {};
  return fmt::format(
      "bauta recover {} people-masked --out people-back\n"
      "bauta extract eigenface people-back --fit people --out back\n"
      "bauta identify --enrol clear --probe back --test 0.25 --recogniser nearest --bootstrap 100\n",
      quick(*recovery));
}

/// For techniques that mask images: people whose clear faces are known, met in masked ones.
std::string example_of_images(const Declaration& protection) {
  const std::string people = protection.learns ? "people@2/2" : "people";
  return fmt::format(
      "bauta synth faces --identities {} --samples 10 --out people\n"
      "bauta protect {} {}{} --out people-masked\n"
      "bauta extract eigenface {} --out clear\n"
      "bauta extract eigenface people-masked --fit {} --out masked\n"
      "bauta identify --enrol clear --probe masked --test 0.25 --recogniser nearest --bootstrap 100\n{}",
      protection.learns ? 24 : 12, quick(protection), people, protection.learns ? " --fit people@1/2" : "", people,
      people, undone_images(protection));
}

/// The same for techniques that mask motion.
std::string example_of_motion(const Declaration& protection) {
  const std::string people = protection.learns ? "people@2/2" : "people";
  return fmt::format(
      "bauta synth gait --identities {} --samples 10 --out people\n"
      "bauta protect {} {}{} --out people-masked\n"
      "bauta extract flatten {} --out clear\n"
      "bauta extract flatten people-masked --out masked\n"
      "bauta identify --enrol clear --probe masked --test 0.25 --recogniser nearest --bootstrap 100\n",
      protection.learns ? 24 : 12, quick(protection), people, protection.learns ? " --fit people@1/2" : "", people);
}

std::string example(const Declaration& protection) {
  if (protection.medium == "image") return example_of_images(protection);
  if (protection.medium == "motion") return example_of_motion(protection);
  const std::string technique = quick(protection);
  const std::string model = protection.name + ".npz";
  std::string protect = "bauta protect " + technique;
  std::string text =
      "bauta synth templates --identities 300 --samples 3 --dim 128 --attribute gender:leak=4,classes=F/M --out "
      "people\n";
  if (protection.learns_from_input) text += protect + " people --attribute gender --out people-protected\n";
  if (protection.learns) {
    text += fmt::format("{} people@2/3 --fit people@1/3 --attribute gender --save {} --out attacker\n", protect, model);
    protect += " --load " + model;
  } else {
    text += protect + " people@2/3 --out attacker\n";
  }
  text += protect + " people@3/3 --out target\n";
  text += "bauta verify target --bootstrap 100\n";
  text += "bauta attack similarity --attacker attacker --target target --attribute gender --bootstrap 100\n";
  text += "bauta attack estimate --train attacker --test target --attribute gender --bootstrap 100\n";
  if (protection.keyed) {
    for (const int application : {0, 1}) {
      text += fmt::format("bauta protect {}:{} people --out {}\n", technique,
                          regime_text(KeyRegime::application, application), application == 0 ? "one" : "other");
    }
    text += "bauta unlinkability one other --bootstrap 100\n";
  }
  if (const Declaration* recovery = recovery_for(protection); recovery != nullptr && protection.masks) {
    if (recovery->needs_repeats) text += protect + " people@3/3 --enrolments 10 --out again\n";
    const std::string stolen = recovery->keyed && protection.learns ? " --model " + model : std::string();
    text +=
        fmt::format("bauta recover {} {}{} --clear people@2/3 --protected attacker --original people@3/3 --out back\n",
                    quick(*recovery), recovery->needs_repeats ? "again" : "target", stolen);
  }
  return text;
}

std::string parameter_table(const Declaration& protection) {
  if (protection.parameters.empty()) return "It has none.\n";
  std::string text = "| parameter | default | what it is |\n|---|---|---|\n";
  for (const Parameter& parameter : protection.parameters) {
    std::string doc = parameter.doc;
    if (!parameter.choices.empty()) doc += fmt::format(" ({})", fmt::join(parameter.choices, ", "));
    text += fmt::format("| `{}` | {} | {} |\n", parameter.name,
                        parameter.default_value.empty() ? "" : "`" + parameter.default_value + "`", doc);
  }
  return text;
}

std::string page(const Declaration& protection) {
  std::string traits = protection.learns_from_input
                           ? "It learns from the data that it protects, unless `--fit` names other data. "
                       : protection.learns ? "It learns: fit it on people who are nowhere else. "
                                           : "It needs no training. ";
  if (protection.keyed) traits += "It is keyed: see the three regimes below. ";
  if (protection.medium == "image" || protection.medium == "motion") {
    traits += fmt::format("It masks {}; templates are extracted afterwards.",
                          protection.medium == "image" ? "images" : "motion");
  } else {
    traits += protection.comparator.empty()
                  ? "It has no comparator of its own."
                  : fmt::format("What it makes is compared with `{}`.", protection.comparator);
  }
  std::string text = fmt::format("# {}\n\n{}. {}\n\n```sh\n{}```\n\n## Parameters\n\n{}", protection.name,
                                 protection.doc, traits, example(protection), parameter_table(protection));
  if (protection.keyed) {
    text += fmt::format(
        "\nError rates under `{}` are due to the key, not to the face: always read those of `{}` "
        "beside them. Keys come from `keyfile` (32 bytes, or 64 hexadecimal digits), from the operating system with "
        "`--release`, or from the seed of an experiment; they are never printed, and never part of a result.\n",
        regime_text(KeyRegime::secret), regime_text(KeyRegime::stolen));
  }
  if (!protection.claim.empty()) text += fmt::format("\n## What it claims\n\n{}\n", protection.claim);
  if (!protection.broken_by.empty())
    text += fmt::format("\n## What is known to break it\n\n{}\n", protection.broken_by);
  if (!protection.paper.empty()) text += fmt::format("\n## Source\n\n{}\n", protection.paper);
  return text;
}

}  // namespace

void write_protection_pages(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& entry : protections()) {
    write_file(folder / (entry.declaration.name + ".md"), page(entry.declaration));
  }
}

}  // namespace bauta
