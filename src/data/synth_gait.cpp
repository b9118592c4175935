// Gait: one cycle of a walker made of sticks, with the joints of a depth camera's skeleton. Lengths of the sticks and
// how they swing are a person's own.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bauta/core/output.hpp"
#include "medium_formats.hpp"
#include "synth_folder.hpp"

namespace bauta {
namespace {

constexpr std::size_t frames = 100;
constexpr double noise_mm = 5;   // of every coordinate
constexpr double within = 0.35;  // deviation of a person's parameters from walk to walk, where that between people is 1

constexpr auto joints = std::to_array<std::string_view>(
    {"Head",      "ShoulderCenter", "ShoulderRight", "ShoulderLeft", "ElbowRight", "ElbowLeft", "WristRight",
     "WristLeft", "HandRight",      "HandLeft",      "Spine",        "HipCenter",  "HipRight",  "HipLeft",
     "KneeRight", "KneeLeft",       "AnkleRight",    "AnkleLeft",    "FootRight",  "FootLeft"});

/// Standard normal numbers: what makes a person.
enum Trait : std::size_t {
  height,
  leg,
  torso,
  arm,
  shoulders,
  hips,
  stride,
  knee_bend,
  arm_swing,
  elbow_bend,
  lean,
  turn,
  traits
};
using Person = std::array<double, traits>;
using Point = std::array<double, 3>;  // right, up, forward; millimetres from the middle of the hips

/// What women and men differ in: height in millimetres, shoulders and hips as shares of it.
struct Build {
  double height, shoulders, hips;
};
constexpr Build of_women{1640, 0.100, 0.058}, of_men{1770, 0.112, 0.052};
constexpr Build spread{0.035, 0.04, 0.04};  // of the logarithms of these lengths among women, and among men

double height_of(const Person& person, bool woman) {
  return (woman ? of_women : of_men).height * std::exp(spread.height * person[height]);
}

/// From `from`, `length` along an angle from straight down: forward if positive.
Point hanging(const Point& from, double length, double angle) {
  return {from[0], from[1] - length * std::cos(angle), from[2] + length * std::sin(angle)};
}

class Walker {
 public:
  Walker(const Person& person, bool woman) : p_(person), tall_(height_of(person, woman)), woman_(woman) {}

  /// Where the joints are at a phase of the cycle, from 0 to 1, in the order of their names.
  [[nodiscard]] std::array<Point, joints.size()> at(double phase) const {
    const double angle = 2 * std::numbers::pi * phase;
    const double pelvis = 0.10 * std::exp(0.15 * p_[turn]) * std::sin(angle);
    const double trunk = 0.30 * tall_ * std::exp(0.02 * p_[torso]), forward = 0.04 + 0.02 * p_[lean];
    const auto up = [&](double share) -> Point {
      return {0, share * trunk * std::cos(forward), share * trunk * std::sin(forward)};
    };
    const Build& build = woman_ ? of_women : of_men;
    std::array<Point, joints.size()> places{};
    places[11] = {0, 0, 0};
    places[10] = up(0.4);
    places[1] = up(1);
    places[0] = {0, places[1][1] + 0.13 * tall_, places[1][2] + 0.01 * tall_};
    for (const std::size_t side : {0U, 1U}) {  // right, left
      const double sign = side == 0 ? 1 : -1, own = angle + (side == 0 ? 0 : std::numbers::pi);
      const double broad = sign * tall_ * build.shoulders * std::exp(spread.shoulders * p_[shoulders]);
      const double wide = sign * tall_ * build.hips * std::exp(spread.hips * p_[hips]);
      const double limb = 0.245 * tall_ * std::exp(0.02 * p_[leg]), reach = tall_ * std::exp(0.02 * p_[arm]);
      places[2 + side] = {broad * std::cos(pelvis), places[1][1] - 0.02 * tall_,
                          places[1][2] - broad * std::sin(pelvis)};
      places[12 + side] = {wide * std::cos(pelvis), -0.03 * tall_, wide * std::sin(pelvis)};
      const double thigh = 0.40 * std::exp(0.08 * p_[stride]) * std::sin(own);
      const double swing = std::max(0.0, std::sin(own + 0.9));
      const double shank = thigh - 0.10 - 0.9 * std::exp(0.08 * p_[knee_bend]) * swing * swing;
      places[14 + side] = hanging(places[12 + side], limb, thigh);
      places[16 + side] = hanging(places[14 + side], limb, shank);
      places[18 + side] = hanging(places[16 + side], 0.09 * tall_, shank + 1.3);
      const double upper = -0.33 * std::exp(0.15 * p_[arm_swing]) * std::sin(own);  // against the leg of its side
      const double fore = upper + 0.35 * std::exp(0.12 * p_[elbow_bend]) * (1 + 0.4 * std::sin(own + std::numbers::pi));
      places[4 + side] = hanging(places[2 + side], 0.175 * reach, upper);
      places[6 + side] = hanging(places[4 + side], 0.145 * reach, fore);
      places[8 + side] = hanging(places[6 + side], 0.045 * reach, fore);
    }
    return places;
  }

 private:
  Person p_;
  double tall_;
  bool woman_;
};

bool is_woman(std::size_t identity) {
  return identity % 2 == 0;
}

Person draw(Stream& stream) {
  Person person{};
  stream.normals(std::span<double>(person));
  return person;
}

/// The traits as walks show them: lengths, which are those of women or of men to begin with. In the same deviations.
Person shown(Person person, bool woman) {
  if (!woman) return person;
  person[height] += std::log(of_women.height / of_men.height) / spread.height;
  person[shoulders] += std::log(of_women.shoulders / of_men.shoulders) / spread.shoulders;
  person[hips] += std::log(of_women.hips / of_men.hips) / spread.hips;
  return person;
}

double squared_distance(const Person& a, const Person& b) {
  double sum = 0;
  for (std::size_t t = 0; t < traits; ++t) sum += (a[t] - b[t]) * (a[t] - b[t]);
  return sum;
}

/// The share of walks whose nearest person is the right one: what somebody reaches who knows everybody's traits and
/// reads those of a walk without error. All are as likely and deviations are the same for everybody, so nobody does
/// better on average.
double optimum(const std::vector<Person>& people, std::uint64_t seed) {
  constexpr std::size_t walks = 200;
  std::vector<Person> known;
  for (std::size_t i = 0; i < people.size(); ++i) known.push_back(shown(people[i], is_woman(i)));
  std::size_t right = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    Stream stream(seed, "synth gait optimum", i);
    for (std::size_t k = 0; k < walks; ++k) {
      Person walk = draw(stream);
      for (std::size_t t = 0; t < traits; ++t) walk[t] = known[i][t] + within * walk[t];
      const double own = squared_distance(walk, known[i]);
      right += std::ranges::none_of(known, [&](const Person& other) { return squared_distance(walk, other) < own; });
    }
  }
  return static_cast<double>(right) / static_cast<double>(walks * known.size());
}

}  // namespace

std::string synthesize_gaits(const std::filesystem::path& folder, const SynthMediaOptions& options) {
  std::vector<Person> people;
  std::vector<std::string> heights;
  nlohmann::ordered_json truth = {
      {"kind", "motion"}, {"seed", options.seed}, {"within", within}, {"people", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < options.identities; ++i) {
    Stream stream(options.seed, "synth gait person", i);
    people.push_back(draw(stream));
    heights.push_back(fmt::format("{:.2f}", height_of(people.back(), is_woman(i)) / 1000));
    truth["people"].push_back({{"identity", synth_identity(i, options)}, {"traits", people.back()}});
  }
  truth["optimum_rank_1"] = optimum(people, options.seed);
  std::string names;
  for (const std::string_view joint : joints) names.append(joint).append("\n");
  write_file(folder / "joints.txt", names);
  write_synth_folder(folder, options, ".npy", {{"gender", {"F", "M"}, true}, {"height_m", heights, true}},
                     [&](std::size_t identity, std::size_t sample, const std::vector<std::size_t>&) {
                       Stream stream(options.seed, "synth gait walk", identity * options.samples + sample);
                       Person walk = draw(stream);
                       for (std::size_t t = 0; t < traits; ++t) walk[t] = people[identity][t] + within * walk[t];
                       const Walker walker(walk, is_woman(identity));
                       Motion motion{frames, joints.size(), {}, 0, {}};
                       for (std::size_t frame = 0; frame < frames; ++frame) {
                         for (const Point& place : walker.at(static_cast<double>(frame) / frames)) {
                           for (const double value : place) {
                             motion.positions.push_back(static_cast<float>(value + noise_mm * stream.normal()));
                           }
                         }
                       }
                       return npy_of(motion);
                     });
  return truth.dump(2) + "\n";
}

}  // namespace bauta
