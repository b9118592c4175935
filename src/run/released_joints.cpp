#include "released_joints.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/input.hpp"
#include "bauta/core/output.hpp"
#include "bauta/data/label_files.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

constexpr std::size_t longest_list = std::size_t{1} << 24;
constexpr const char* rename =
    "give joints names that say nothing of people (Head, FootLeft), in joints.txt or the files";

Names lines_of(const fs::path& file) {
  std::istringstream text(read_text(file, longest_list, Accepts::files_without_links));
  Names lines;
  for (std::string line; std::getline(text, line);) lines.push_back(std::move(line));
  return lines;
}

Names cut(Names names) {
  for (std::string& name : names) name.erase(0, name.rfind(':') + 1);
  return names;
}

std::size_t distinct(const Names& names) {
  return std::set<std::string>(names.begin(), names.end()).size();
}

/// Letters and digits in one case: "Ann Smith" stands in "ANN_SMITH_Head".
std::string compared(std::string_view text) {
  std::string folded = folded_text(text);
  std::erase_if(folded, [](unsigned char c) { return c < 0x80 && std::isalnum(c) == 0; });
  return folded;
}

/// Short values stand in many a name by chance, but not in all.
bool names_somebody(const Names& joints, const std::string& who) {
  const auto letters = std::ranges::count_if(who, [](unsigned char c) { return c >= 0x80 || std::isalpha(c) != 0; });
  const auto holds = [&](const std::string& joint) { return joint.find(who) != std::string::npos; };
  if (letters >= 3) return std::ranges::any_of(joints, holds);
  return who.size() >= 2 && joints.size() >= 2 && std::ranges::all_of(joints, holds);
}

void refuse_people(const Names& joints, const Dataset& dataset) {
  if (dataset.identity_column.empty()) return;
  Names plain;
  for (const std::string& joint : joints) plain.push_back(compared(joint));
  std::set<std::string> people;
  for (const std::string& who : dataset.labels.column(dataset.identity_column)) people.insert(compared(who));
  const auto named = std::ranges::count_if(people, [&](const auto& who) { return names_somebody(plain, who); });
  if (named == 0) return;
  throw_usage(fmt::format("names of joints in {}", dataset.origin),
              fmt::format("hold {} of the values of '{}', and would be released with the motions", named,
                          dataset.identity_column),
              rename);
}

}  // namespace

void release_joint_names(const fs::path& folder, const std::vector<std::vector<std::string>>& originals,
                         const Dataset& dataset, std::vector<std::string>& remarks) {
  const fs::path file = folder / "joints.txt";
  if (!fs::exists(file)) return;
  const Names before = lines_of(file), after = cut(before);
  if (distinct(after) < distinct(before) || std::ranges::count(after, "") > 0) {
    throw_usage(fmt::format("names of joints in {}", dataset.origin),
                "are told apart by what stands before a colon, which usually says whose they are", rename);
  }
  const Names first = originals.empty() ? Names() : cut(originals.front());
  if (std::ranges::any_of(originals, [&](const Names& other) { return cut(other) != first; })) {
    fs::remove(file);
    remarks.emplace_back("joints are called otherwise in other motions: their names are not released");
    return;
  }
  refuse_people(after, dataset);
  if (after == before) return;
  std::string lines;
  for (const std::string& name : after) lines += name + "\n";
  write_file(file, lines);
  remarks.emplace_back("joints are released without what stands before the colon in their names");
}

}  // namespace bauta
