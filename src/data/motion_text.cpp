// Motion as tables of text: TRC, as motion capture systems export markers, and CSV.
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/csv.hpp"
#include "motion_formats.hpp"
#include "text.hpp"

namespace bauta {
namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// A coordinate; NaN where it is missing.
float coordinate(std::string_view text, const std::string& where) {
  text = trimmed(text);
  if (text.empty()) return missing;
  const std::optional<double> value = parse_number(text);
  if (!value) throw_input(where, fmt::format("'{}' is no number", text));
  const auto narrow = static_cast<float>(*value);
  if (std::isinf(narrow)) throw_input(where, fmt::format("{} is too large", text));
  return narrow;
}

std::vector<std::string_view> split_tabs(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t tab = line.find('\t');
    fields.push_back(trimmed(line.substr(0, tab)));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

/// The value under a name in the second and third line of a TRC.
std::optional<double> header_value(const std::vector<std::string>& names, std::string_view values,
                                   std::string_view name) {
  const std::vector<std::string_view> fields = split_tabs(values);
  for (std::size_t i = 0; i < names.size() && i < fields.size(); ++i) {
    if (names[i] == name) return parse_number(fields[i]);
  }
  return std::nullopt;
}

/// "Head_x", "Head.X", "Head x": the joint and 0, 1 or 2.
std::optional<std::pair<std::string, std::size_t>> axis_of(std::string_view column) {
  column = trimmed(column);
  if (column.size() < 3) return std::nullopt;
  const std::size_t axis = std::string_view("xyzXYZ").find(column.back());
  if (axis == std::string_view::npos ||
      std::string_view("_.-: ").find(column[column.size() - 2]) == std::string_view::npos) {
    return std::nullopt;
  }
  return std::pair(std::string(column.substr(0, column.size() - 2)), axis % 3);
}

/// Where the coordinates of a CSV stand.
struct Columns {
  std::vector<std::size_t> of_place;  ///< column of each value of a frame
  std::vector<std::string> names;
  std::optional<std::size_t> time;
};

bool all_numbers(const std::vector<std::string>& header) {
  for (const std::string& field : header) {
    if (!parse_number(trimmed(field))) return false;
  }
  return true;
}

Columns columns_of(const CsvReader& reader, const std::string& path) {
  const std::vector<std::string>& header = reader.header();
  Columns columns;
  if (all_numbers(header)) {
    if (header.size() % 3 != 0) {
      throw_input(path, fmt::format("has {} columns without names, three for each joint are expected", header.size()));
    }
    for (std::size_t i = 0; i < header.size(); ++i) columns.of_place.push_back(i);
    return columns;
  }
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::map<std::string, std::size_t> joint_of;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string name = lower_case(trimmed(header[i]));
    if (name == "time" || name == "timestamp") {
      columns.time = i;
      continue;
    }
    if (name == "frame" || name == "frame#") continue;
    const auto found = axis_of(header[i]);
    if (!found) {
      throw_input(path, fmt::format("column '{}' is no coordinate", header[i]),
                  "coordinates are named like Head_x, Head_y and Head_z");
    }
    const auto [entry, fresh] = joint_of.try_emplace(found->first, columns.names.size());
    if (fresh) {
      columns.names.push_back(found->first);
      columns.of_place.resize(columns.of_place.size() + 3, none);
    }
    std::size_t& place = columns.of_place[entry->second * 3 + found->second];
    if (place != none) throw_input(path, fmt::format("column '{}' stands twice", header[i]));
    place = i;
  }
  for (std::size_t i = 0; i < columns.of_place.size(); ++i) {
    if (columns.of_place[i] == none) {
      throw_input(path, fmt::format("joint '{}' has no {}", columns.names[i / 3], "xyz"[i % 3]));
    }
  }
  return columns;
}

/// Frames per second of evenly spaced times; 0 where there are none.
double rate_of(double first, double last, std::size_t frames) {
  const double seconds = last - first;
  return frames > 1 && seconds > 0 && std::isfinite(seconds) ? static_cast<double>(frames - 1) / seconds : 0;
}

void require_frames(const Motion& motion, const std::filesystem::path& path) {
  if (motion.frames == 0 || motion.joints == 0) throw_input(path.string(), "holds no frame");
}

}  // namespace

bool is_trc(std::string_view start) {
  return start.starts_with("PathFileType");
}

bool is_motion_csv(const std::filesystem::path& path) {
  return lower_case(path.extension().string()) == ".csv";
}

Motion read_trc(const std::filesystem::path& path) {
  TextSource source(path);
  const auto line = [&](const char* what) {
    std::string_view text;
    if (!source.next_line(text)) throw_input(path.string(), fmt::format("ends before {}", what));
    return std::string(text);
  };
  (void)line("its header");
  std::vector<std::string> keys;
  const std::string key_line = line("its header");
  for (const std::string_view key : split_tabs(key_line)) keys.emplace_back(key);
  const std::string values = line("its header");
  const std::string marker_line = line("the names of its markers");
  const std::vector<std::string_view> header = split_tabs(marker_line);
  Motion motion;
  for (std::size_t i = 2; i < header.size(); ++i) {
    if (!header[i].empty()) motion.names.emplace_back(header[i]);
  }
  motion.joints = motion.names.size();
  const double declared = header_value(keys, values, "NumMarkers").value_or(static_cast<double>(motion.joints));
  if (motion.joints == 0 || declared != static_cast<double>(motion.joints)) {
    throw_input(path.string(), fmt::format("says {:g} markers and names {}", declared, motion.joints));
  }
  const double rate = header_value(keys, values, "DataRate").value_or(0);
  motion.rate = std::isfinite(rate) && rate > 0 ? rate : 0;
  (void)line("its axes");
  for (std::string_view text; source.next_line(text);) {
    if (trimmed(text).empty()) continue;
    const std::string where = fmt::format("{} line {}", path.string(), source.line);
    const std::vector<std::string_view> fields = split_tabs(text);
    // A tab at the end is common, and markers that are missing at the end may be left out.
    for (std::size_t i = motion.width() + 2; i < fields.size(); ++i) {
      if (!fields[i].empty()) {
        throw_input(where,
                    fmt::format("has {} fields, {} markers need {}", fields.size(), motion.joints, motion.width() + 2));
      }
    }
    for (std::size_t i = 2; i < motion.width() + 2; ++i) {
      motion.positions.push_back(i < fields.size() ? coordinate(fields[i], where) : missing);
    }
    ++motion.frames;
  }
  require_frames(motion, path);
  fill_gaps(motion, path);
  return motion;
}

Motion read_motion_csv(const std::filesystem::path& path) {
  CsvReader reader(path);
  const Columns columns = columns_of(reader, path.string());
  Motion motion{0, columns.of_place.size() / 3, {}, 0, columns.names};
  const auto add = [&](const auto& fields, const std::string& where) {
    for (const std::size_t column : columns.of_place) motion.positions.push_back(coordinate(fields[column], where));
    ++motion.frames;
  };
  if (columns.names.empty() && motion.joints > 0) add(reader.header(), path.string() + " line 1");
  double first = 0, last = 0;
  std::vector<std::string_view> fields;
  while (reader.next(fields)) {
    add(fields, reader.where());
    if (!columns.time) continue;
    last = parse_number(trimmed(fields[*columns.time])).value_or(0);
    if (motion.frames == 1) first = last;
  }
  require_frames(motion, path);
  motion.rate = rate_of(first, last, motion.frames);
  fill_gaps(motion, path);
  return motion;
}

}  // namespace bauta
