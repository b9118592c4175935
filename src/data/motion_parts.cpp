// Which part of the body a joint or marker belongs to, by its name.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "bauta/data/motion.hpp"

namespace bauta {
namespace {

enum class Region { none, head, torso, hip, shoulder, arm, leg };

using Words = std::vector<std::pair<std::string_view, Region>>;

const Words& words() {
  static const Words table = {
      {"head", Region::head},         {"neck", Region::head},   {"nose", Region::head},      {"eye", Region::head},
      {"ear", Region::head},          {"jaw", Region::head},    {"forehead", Region::head},  {"face", Region::head},
      {"spine", Region::torso},       {"chest", Region::torso}, {"torso", Region::torso},    {"thorax", Region::torso},
      {"sternum", Region::torso},     {"back", Region::torso},  {"clavicle", Region::torso}, {"abdomen", Region::torso},
      {"collar", Region::torso},      {"trunk", Region::torso}, {"hip", Region::hip},        {"hips", Region::hip},
      {"pelvis", Region::hip},        {"sacrum", Region::hip},  {"root", Region::hip},       {"waist", Region::hip},
      {"shoulder", Region::shoulder}, {"arm", Region::arm},     {"upperarm", Region::arm},   {"forearm", Region::arm},
      {"elbow", Region::arm},         {"wrist", Region::arm},   {"hand", Region::arm},       {"finger", Region::arm},
      {"fingers", Region::arm},       {"thumb", Region::arm},   {"humerus", Region::arm},    {"radius", Region::arm},
      {"thigh", Region::leg},         {"upleg", Region::leg},   {"leg", Region::leg},        {"knee", Region::leg},
      {"shin", Region::leg},          {"shank", Region::leg},   {"calf", Region::leg},       {"ankle", Region::leg},
      {"foot", Region::leg},          {"heel", Region::leg},    {"toe", Region::leg},        {"toes", Region::leg},
      {"toebase", Region::leg},       {"femur", Region::leg},   {"tibia", Region::leg}};
  return table;
}

/// Plug-in Gait: a letter for the side and three for the place, and a few without a side.
const Words& codes() {
  static const Words table = {
      {"fhd", Region::head},   {"bhd", Region::head},   {"c7", Region::torso},  {"t10", Region::torso},
      {"clav", Region::torso}, {"strn", Region::torso}, {"bak", Region::torso}, {"sho", Region::shoulder},
      {"upa", Region::arm},    {"elb", Region::arm},    {"frm", Region::arm},   {"fra", Region::arm},
      {"wra", Region::arm},    {"wrb", Region::arm},    {"fin", Region::arm},   {"asi", Region::hip},
      {"psi", Region::hip},    {"sacr", Region::hip},   {"thi", Region::leg},   {"kne", Region::leg},
      {"tib", Region::leg},    {"ank", Region::leg},    {"hee", Region::leg},   {"toe", Region::leg}};
  return table;
}

Region find(const Words& table, std::string_view word) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.first == word; });
  return found == table.end() ? Region::none : found->second;
}

/// Words in small letters: split at what is no letter or digit, before digits, and before a capital that follows a
/// small letter.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> result(1);
  char before = ' ';
  for (const char c : name) {
    const auto of = static_cast<unsigned char>(c);
    const bool begins = !std::isalnum(of) ||
                        (std::isdigit(of) != 0) != (std::isdigit(static_cast<unsigned char>(before)) != 0) ||
                        (std::isupper(of) && std::islower(static_cast<unsigned char>(before)));
    if (begins && !result.back().empty()) result.emplace_back();
    if (std::isalnum(of)) result.back().push_back(static_cast<char>(std::tolower(of)));
    before = c;
  }
  if (result.back().empty()) result.pop_back();
  return result;
}

std::string_view named(Region region, bool left, bool right) {
  switch (region) {
    case Region::head:
      return "head";
    case Region::torso:
      return "torso";
    case Region::hip:
      return "hip";
    case Region::shoulder:
      return left ? "left_arm" : right ? "right_arm" : "torso";  // between the two
    case Region::arm:
      return left ? "left_arm" : right ? "right_arm" : "";
    case Region::leg:
      return left ? "left_leg" : right ? "right_leg" : "";
    case Region::none:
      break;
  }
  return "";
}

}  // namespace

std::string_view body_part(std::string_view joint) {
  std::string whole;
  for (const char c : joint) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      whole.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    }
  }
  if (whole.empty()) return "";
  if (const Region region = find(codes(), whole); region != Region::none) return named(region, false, false);
  const bool left_code = whole.front() == 'l', right_code = whole.front() == 'r';
  if (left_code || right_code) {
    const Region region = find(codes(), std::string_view(whole).substr(1));
    if (region != Region::none) return named(region, left_code, right_code);
  }
  const std::vector<std::string> parts = words_of(joint);
  bool left = false, right = false;
  Region region = Region::none;
  for (const std::string& word : parts) {
    left |= word == "left" || word == "l";
    right |= word == "right" || word == "r";
    if (const Region found = find(words(), word); found != Region::none) region = found;
    for (const auto& [side, is_left] :
         {std::pair<std::string_view, bool>{"left", true}, {"right", false}, {"l", true}, {"r", false}}) {
      if (!word.starts_with(side) || word.size() == side.size()) continue;
      const Region found = find(words(), std::string_view(word).substr(side.size()));
      if (found == Region::none) continue;
      region = found;
      (is_left ? left : right) = true;
    }
  }
  return named(region, left, right);
}

}  // namespace bauta
