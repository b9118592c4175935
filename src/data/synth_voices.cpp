// Voices: pulses at the pitch, through resonators at the formants (the source-filter model, Fant 1960).
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

#include "medium_formats.hpp"
#include "synth_folder.hpp"

namespace bauta {

namespace {

constexpr double rate = 8000;
constexpr std::size_t formants = 3;

using Formants = std::array<double, formants>;

// Means of men in Hz (Peterson and Barney 1952), of the vowels in "father", "head", "heed", "hawed" and "who'd".
constexpr std::array<Formants, 5> vowels = {
    {{730, 1090, 2440}, {530, 1840, 2480}, {270, 2290, 3010}, {570, 840, 2410}, {300, 870, 2240}}};
constexpr Formants bandwidths = {80, 100, 140};
// A digit is one vowel and then another.
constexpr std::array<std::array<std::size_t, 2>, 10> digits = {
    {{0, 2}, {0, 4}, {1, 3}, {1, 0}, {2, 0}, {2, 4}, {3, 1}, {3, 2}, {4, 1}, {4, 3}}};

struct Speaker {
  double pitch = 0;     // Hz
  Formants scale{};     // of the formants: length of the vocal tract, and habits
  double breath = 0;    // noise over pulses
  double duration = 0;  // seconds
};

Speaker draw_speaker(std::uint64_t seed, std::size_t identity, bool woman) {
  Stream stream(seed, "synth voice speaker", identity);
  Speaker speaker;
  speaker.pitch = (woman ? 205 : 118) * std::exp(0.12 * stream.normal());
  const double length = (woman ? 1.16 : 1.0) * std::exp(0.03 * stream.normal());
  for (double& scale : speaker.scale) scale = length * std::exp(0.03 * stream.normal());
  speaker.breath = 0.02 * std::exp(0.5 * stream.normal());
  speaker.duration = 0.42 * std::exp(0.08 * stream.normal());
  return speaker;
}

/// A resonance in two coefficients of feedback, of unit gain at 0 Hz.
struct Resonator {
  double one = 0, two = 0;

  double pass(double input, double hertz, double bandwidth) {
    const double radius = std::exp(-std::numbers::pi * bandwidth / rate);
    const double b = 2 * radius * std::cos(2 * std::numbers::pi * hertz / rate);
    const double c = -radius * radius;
    const double output = (1 - b - c) * input + b * one + c * two;
    two = one;
    one = output;
    return output;
  }
};

std::vector<double> say(const Speaker& speaker, std::size_t digit, Stream& stream) {
  const double pitch = speaker.pitch * std::exp(0.05 * stream.normal());
  const double duration = speaker.duration * std::exp(0.08 * stream.normal());
  const double change = 0.5 + 0.05 * stream.normal();  // when the second vowel comes, of the whole
  Formants shift{};
  for (double& factor : shift) factor = std::exp(0.02 * stream.normal());
  std::array<Resonator, formants> tract;
  std::vector<double> samples(static_cast<std::size_t>(duration * rate));
  double phase = 0, tilted = 0;
  for (std::size_t n = 0; n < samples.size(); ++n) {
    const double time = static_cast<double>(n) / static_cast<double>(samples.size());
    phase += pitch * (1.1 - 0.2 * time) / rate;  // the voice falls
    const double pulse = phase >= 1 ? 1 : 0;
    phase -= pulse;
    tilted = 0.9 * tilted + pulse + speaker.breath * stream.normal();
    const double second = 1 / (1 + std::exp(-(time - change) / 0.04));
    double value = tilted;
    for (std::size_t f = 0; f < formants; ++f) {
      const double hertz = std::lerp(vowels[digits[digit][0]][f], vowels[digits[digit][1]][f], second);
      value = tract[f].pass(value, std::min(hertz * speaker.scale[f] * shift[f], 0.48 * rate), bandwidths[f]);
    }
    samples[n] = value * std::sin(std::numbers::pi * time);
  }
  return samples;
}

/// 16 bits, loudest sample at `peak`.
std::string spoken(const std::vector<double>& samples, double peak) {
  double loudest = 0;
  for (const double sample : samples) loudest = std::max(loudest, std::abs(sample));
  std::string bytes;
  for (const double sample : samples) {
    const double scaled = loudest > 0 ? 32767 * peak * sample / loudest : 0;
    const auto value = static_cast<std::uint16_t>(static_cast<std::int16_t>(std::lround(scaled)));
    bytes.push_back(static_cast<char>(value & 0xff));
    bytes.push_back(static_cast<char>(value >> 8));
  }
  return wav_of(WaveFormat::integers, 16, static_cast<std::uint64_t>(rate), bytes);
}

}  // namespace

std::string synthesize_voices(const std::filesystem::path& folder, const SynthMediaOptions& options) {
  std::vector<Speaker> speakers;
  nlohmann::ordered_json truth = {
      {"kind", "voice"}, {"seed", options.seed}, {"speakers", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < options.identities; ++i) {
    speakers.push_back(draw_speaker(options.seed, i, i % 2 == 0));
    truth["speakers"].push_back({{"identity", synth_identity(i, options)},
                                 {"pitch_hz", speakers.back().pitch},
                                 {"formant_scale", speakers.back().scale}});
  }
  write_synth_folder(folder, options, ".wav",
                     {{"gender", {"F", "M"}, true}, {"digit", {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}}},
                     [&](std::size_t identity, std::size_t sample, const std::vector<std::size_t>& classes) {
                       Stream stream(options.seed, "synth voice sample", identity * options.samples + sample);
                       const double peak = 0.2 + 0.5 * stream.uniform();
                       return spoken(say(speakers[identity], classes[1], stream), peak);
                     });
  return truth.dump(2) + "\n";
}

}  // namespace bauta
