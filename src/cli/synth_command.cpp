// bauta synth: populations whose best possible attack is known.
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "bauta/core/output.hpp"
#include "bauta/data/synth_media.hpp"
#include "bauta/data/synth_templates.hpp"

namespace bauta {

namespace {

struct SynthFlags {
  CommonFlags common;
  SynthOptions options;
  std::vector<std::string> attributes;
  std::string out;
};

void synth(SynthFlags& flags) {
  flags.common.apply();
  flags.options.seed = flags.common.seed;
  if (!flags.attributes.empty()) {
    flags.options.attributes.clear();
    for (const auto& text : flags.attributes) flags.options.attributes.push_back(parse_synth_attribute(text));
  }
  OutputFolder output(flags.out);
  const SynthPopulation population = synthesize_templates(flags.options);
  write_dataset(output.staging(), population.dataset);
  write_file(output.staging() / "truth.json", population.truth);
  output.commit();
  const Json truth = Json::parse(population.truth);
  if (flags.common.json) {
    fmt::print("{}\n", truth.dump());
  } else {
    fmt::print("{}: {} samples of {} identities; truth.json holds the optimum\n", flags.out, population.dataset.size(),
               flags.options.identities);
  }
}

struct MediaFlags {
  CommonFlags common;
  SynthMediaOptions options;
  std::string out;
};

using Synthesize = std::string(const std::filesystem::path& folder, const SynthMediaOptions& options);

void add_media_command(CLI::App& group, const char* kind, const char* what, Synthesize& synthesize) {
  auto flags = std::make_shared<MediaFlags>();
  CLI::App* command = group.add_subcommand(kind, what);
  command->add_option("--out", flags->out, "folder for the data set")->required();
  command->add_option("--identities", flags->options.identities, "number of identities")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--samples", flags->options.samples, "samples per identity")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  flags->common.add_to(*command);
  command->callback([flags, &synthesize] {
    flags->common.apply();
    flags->options.seed = flags->common.seed;
    OutputFolder output(flags->out);
    const std::string truth = synthesize(output.staging(), flags->options);
    write_file(output.staging() / "truth.json", truth);
    output.commit();
    if (flags->common.json) {
      fmt::print("{}\n", Json::parse(truth).dump());
    } else {
      fmt::print("{}: {} files of {} identities; truth.json holds what was drawn\n", flags->out,
                 flags->options.identities * flags->options.samples, flags->options.identities);
    }
  });
}

}  // namespace

void add_synth_command(CLI::App& app) {
  CLI::App* group = app.add_subcommand("synth", "synthetic populations: templates with a known optimum, media");
  group->require_subcommand(1);
  auto flags = std::make_shared<SynthFlags>();
  CLI::App* command = group->add_subcommand("templates", "a Gaussian population of templates");
  SynthOptions& options = flags->options;
  command->add_option("--out", flags->out, "folder for the data set")->required();
  command->add_option("--identities", options.identities, "number of identities")->capture_default_str();
  command->add_option("--samples", options.samples, "samples per identity")->capture_default_str();
  command->add_option("--dim", options.dim, "features per template")->capture_default_str();
  command
      ->add_option("--identity-strength", options.identity_strength,
                   "deviation of identities over that of the nuisance")
      ->capture_default_str();
  command->add_option(
      "--attribute", flags->attributes,
      "NAME:leak=D,classes=F/M,proportions=0.3/0.7; may be given several times. leak: distance of neighbouring "
      "class means in standard deviations, 0 plants nothing");
  command->add_option("--outliers", options.outliers, "share of samples replaced by noise")->capture_default_str();
  command->add_option("--outlier-scale", options.outlier_scale, "deviation of that noise over that of a sample")
      ->capture_default_str();
  command->add_flag("--axis-aligned", options.axis_aligned, "attribute a leaks along coordinate a");
  flags->common.add_to(*command);
  command->callback([flags] { synth(*flags); });
  add_media_command(*group, "voice", "recordings of vowels, ten digits, from a source-filter model", synthesize_voices);
  add_media_command(*group, "faces", "drawings of faces; detectors of real faces pass nearly all of them over",
                    synthesize_faces);
  add_media_command(*group, "gait", "walks of a parametric walker, as positions of joints", synthesize_gaits);
}

}  // namespace bauta
