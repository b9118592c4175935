// Body parts alone, without some of them, or apart from each other.
#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>

#include "motion_protection.hpp"

namespace bauta {
namespace {

constexpr std::array<std::string_view, 7> parts = {"head",      "torso",    "hip",      "left_arm",
                                                   "right_arm", "left_leg", "right_leg"};

/// Names are needed to tell joints apart.
void require_names(const Motion& motion, const std::string& technique) {
  if (motion.names.size() == motion.joints) return;
  throw_usage(technique, "the joints of these motions have no names", "list them in joints.txt, beside labels.csv");
}

/// Whether a joint is meant by the word: its own name, that of its part, `arms` or `legs`.
bool meant(std::string_view word, const std::string& joint) {
  const std::string_view part = body_part(joint);
  return word == joint || (!part.empty() && (word == part || (word == "arms" && part.ends_with("_arm")) ||
                                             (word == "legs" && part.ends_with("_leg"))));
}

class SomeParts : public MotionProtection {
 public:
  SomeParts(const std::string& technique, const Parameters& parameters, bool keep)
      : MotionProtection(technique), keep_(keep) {
    std::istringstream stream(parameters.text("part"));
    for (std::string word; std::getline(stream, word, '+');) words_.push_back(word);
    if (words_.empty()) throw_usage(technique + ":part", "names no part", "take legs, for example");
  }

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t, const ProtectContext&) const override {
    require_names(motion, technique());
    std::vector<bool> named(motion.joints);
    for (const std::string& word : words_) {
      bool any = false;
      for (std::size_t j = 0; j < motion.joints; ++j) {
        if (!meant(word, motion.names[j])) continue;
        named[j] = any = true;
      }
      if (!any) {
        throw_usage(technique() + ":part", fmt::format("no joint belongs to '{}'", word),
                    "parts are head, torso, hip, left_arm, right_arm, left_leg, right_leg, arms and legs; joints by "
                    "their names");
      }
    }
    // Zeros instead of fewer joints: what is left keeps its place.
    Motion result = motion;
    for (std::size_t i = 0; i < result.positions.size(); ++i) {
      if (named[i % motion.width() / 3] != keep_) result.positions[i] = 0;
    }
    return result;
  }

 private:
  std::vector<std::string> words_;
  bool keep_;
};

class SumOfParts : public MotionProtection {
 public:
  explicit SumOfParts(const Parameters& parameters)
      : MotionProtection("gait-sum-of-parts"), distance_(static_cast<float>(parameters.real("distance"))) {}

 protected:
  [[nodiscard]] Motion masked(const Motion& motion, std::size_t, const ProtectContext&) const override {
    require_names(motion, technique());
    Motion result = motion;
    for (std::size_t j = 0; j < motion.joints; ++j) {
      const auto place = std::find(parts.begin(), parts.end(), body_part(motion.names[j])) - parts.begin();
      for (std::size_t frame = 0; frame < motion.frames; ++frame) {
        result.positions[frame * motion.width() + 3 * j] += distance_ * static_cast<float>(place);
      }
    }
    return result;
  }

 private:
  float distance_;
};

Declaration declared(const std::string& name, const std::string& doc, const std::string& claim) {
  return {.name = name,
          .paper = gait_paper,
          .doc = doc,
          .medium = "motion",
          .claim = claim + "; there is no formal guarantee",
          .broken_by = "recognisers that learned from what is left: each part of the body moves in a person's own way",
          .parameters = {{"part", ParameterType::text, "legs",
                          "head, torso, hip, left_arm, right_arm, left_leg, right_leg, arms, legs, or the name of a "
                          "joint; several with + between"}}};
}

}  // namespace

Entry<Protection> gait_keep_protection() {
  return {declared("gait-keep", "only some parts of the body; all other joints are set to zero",
                   "a part of the body does not tell whose it is"),
          [](const Parameters& parameters) { return std::make_unique<SomeParts>("gait-keep", parameters, true); }};
}

Entry<Protection> gait_remove_protection() {
  return {declared("gait-remove", "without some parts of the body, whose joints are set to zero",
                   "what identifies a person is taken away"),
          [](const Parameters& parameters) { return std::make_unique<SomeParts>("gait-remove", parameters, false); }};
}

Entry<Protection> gait_sum_of_parts_protection() {
  return {{.name = "gait-sum-of-parts",
           .paper = gait_paper,
           .doc = "the parts of the body side by side, each moved along the first axis",
           .medium = "motion",
           .claim = "how parts lie to each other is hidden; there is no formal guarantee",
           .broken_by = "any recogniser that learned from it: a constant is added, and nothing is lost",
           .parameters = {{"distance", ParameterType::real, "1000", "between one part and the next, in the data's unit",
                           -1e9, 1e9}}},
          [](const Parameters& parameters) { return std::make_unique<SumOfParts>(parameters); }};
}

}  // namespace bauta
