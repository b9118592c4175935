// Reading results.json with the patience of somebody who did not write it.
#include "results.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bauta/core/declaration.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/input.hpp"
#include "bauta/core/json_text.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/seal.hpp"
#include "bauta/measure/finding_json.hpp"
#include "bauta/measure/ranking_json.hpp"
#include "bauta/report/summary.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

constexpr std::size_t largest_results = std::size_t{1} << 30;
constexpr double known_schema = 2;
constexpr const char* made_by = "RUN is the folder that 'bauta evaluate' or 'bauta demo' wrote";

// "repeat=2"; of two samples that are compared, the form of each.
std::string variant_text(const std::string& name, const std::string& value) {
  return name == "reference" ? value + " reference, masked probe" : name + "=" + value;
}

// A technique that was given a name has it everywhere.
std::string called(const std::string& technique) {
  try {
    const Specification specification = Specification::parse(technique);
    const auto name = specification.values.find("name");
    if (name != specification.values.end() && !name->second.empty()) return name->second;
  } catch (const Error&) {  // no specification: whatever the file says
  }
  return technique;
}

void name_technique(Finding& finding) {
  const auto axis = finding.axes.find("technique");
  if (axis != finding.axes.end()) axis->second = called(axis->second);
}

std::string labelled_as(const Series& series) {
  return series.prefix + series.technique + (series.variant.empty() ? "" : " (" + series.variant + ")");
}

Series series_of(const Json& key, Series out, const Names& shown_elsewhere) {
  out.variant.clear();
  out.data = text(key, "data");
  out.technique = called(text(key, "technique"));
  static const Names named = {"question", "data", "technique", "attribute"};
  if (key.is_object()) {
    for (const auto& [name, value] : key.items()) {
      const auto is_name = [&name = name](const std::string& other) { return other == name; };
      if (std::any_of(named.begin(), named.end(), is_name) ||
          std::any_of(shown_elsewhere.begin(), shown_elsewhere.end(), is_name)) {
        continue;
      }
      out.variant += (out.variant.empty() ? "" : ", ") + variant_text(name, text_of(value));
    }
  }
  if (out.data.empty()) out.data = "target";
  if (out.technique.empty()) out.technique = "unnamed technique";
  out.label = labelled_as(out);
  return out;
}

void add_cell(const Json& json, RunResults& run) {
  ++run.asked;
  const Json& key = field(json, "key");
  if (text(json, "status") == "failed") {
    const std::string error = text(json, "error");
    run.failed.push_back({run.name, text_of(key), error.empty() ? "no reason was recorded" : error});
    return;
  }
  if (!field(json, "values").is_object()) {
    run.rest.push_back(json);
    return;
  }
  Cell cell{text(key, "question"), text(key, "attribute"), key, {}, {}, Values(json["values"])};
  if (const std::string named = text(cell.values, "attribute"); cell.attribute.empty()) cell.attribute = named;
  cell.series.run = run.name;
  cell.series.prefix = run.prefixed("");
  cell.series.unprotected = is_true(json, "unprotected");
  cell.series = series_of(key, cell.series, {});
  for (const Json& item : field(json, "findings")) {
    if (std::optional<Finding> finding = read_finding(item)) {
      name_technique(*finding);
      cell.findings.push_back(std::move(*finding));
    }
  }
  const bool remarked = cell.findings.empty() && json["values"].size() == 1 && json["values"].contains("remarks");
  (remarked ? run.unanswered : run.cells).push_back(std::move(cell));
}

Strongest labelled(RankedTarget target, const RunResults& run) {
  target.technique = target.technique.empty() ? "unnamed technique" : called(target.technique);
  name_technique(target.strongest);
  Strongest out{std::move(target), {}};
  out.series.run = run.name;
  out.series.technique = out.technique;
  out.series.prefix = run.prefixed("");
  if (!out.people.empty()) {
    out.series.variant = variant_text("identities", out.strongest.axis("identities")) + ", " +
                         variant_text("selection", out.strongest.axis("selection"));
    const std::string looked_at = out.strongest.axis("selected_on");
    if (!looked_at.empty()) out.series.variant += ", " + variant_text("selected_on", looked_at);
  }
  out.series.label = labelled_as(out.series);
  out.series.unprotected = out.unprotected;
  if (!run.earlier_masks.empty()) out.unmasked = "input data";
  return out;
}

// Nothing where the grid and its axes do not fit together.
std::optional<Sweep> read_sweep(const Json& values) {
  Sweep out;
  std::size_t settings = 1;
  for (const Json& item : field(values, "axes")) {
    Sweep::Axis axis{text(item, "name"), texts(item, "values")};
    if (axis.name.empty() || axis.values.empty()) return std::nullopt;
    settings *= axis.values.size();
    out.axes.push_back(std::move(axis));
  }
  out.techniques = texts(values, "techniques");
  if (out.axes.empty() || out.techniques.size() != settings) return std::nullopt;
  return out;
}

// A technique is unprotected in all cells where one of its findings says so.
void tell_unprotected(RunResults& run) {
  std::set<std::string> techniques;
  for (const Strongest& entry : run.ranking) {
    if (entry.unprotected) techniques.insert(entry.technique);
  }
  for (const Cell& cell : run.cells) {
    const bool found = std::any_of(cell.findings.begin(), cell.findings.end(),
                                   [](const Finding& finding) { return finding.unprotected; });
    if (found || cell.series.unprotected) techniques.insert(cell.series.technique);
  }
  for (Cell& cell : run.cells) cell.series.unprotected = techniques.contains(cell.series.technique);
}

Json read_json(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) throw_input(path.string(), "cannot be read", made_by);
  Json out = parse_json(read_text(path, largest_results, Accepts::files), path.string(),
                        "run 'bauta evaluate' again; finished cells are not computed twice");
  if (!out.is_object() || !field(out, "cells").is_array()) {
    throw_input(path.string(), "expected an object with a list 'cells'", made_by);
  }
  const Number schema = number(out, "schema");
  if (schema.value_or(1) < known_schema) {
    throw_input(path.string(), "was written by an earlier version, whose results have another form",
                "run 'bauta evaluate' again; its cells are computed again");
  }
  if (*schema > known_schema) {
    throw_input(path.string(), fmt::format("has schema {}, known is {}", *schema, known_schema),
                "it was written by a later version of bauta; use that one");
  }
  return out;
}

// Folder names may hold any bytes, pages and JSON only UTF-8.
std::string printable(const std::filesystem::path& name) {
  return Json::parse(Json(name.string()).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

// The last part of each path, or the whole path where two end alike.
Names names_of(const std::vector<std::filesystem::path>& folders) {
  Names out;
  for (const std::filesystem::path& folder : folders) {
    const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
    out.push_back(printable((whole.has_filename() ? whole : whole.parent_path()).filename()));
  }
  if (std::set<std::string>(out.begin(), out.end()).size() < out.size()) {
    std::transform(folders.begin(), folders.end(), out.begin(),
                   [](const std::filesystem::path& folder) { return printable(folder.lexically_normal()); });
  }
  return out;
}

}  // namespace

std::vector<std::size_t> Sweep::place(std::size_t technique) const {
  std::vector<std::size_t> out(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    out[i] = technique % axes[i].values.size();
    technique /= axes[i].values.size();
  }
  return out;
}

std::string Sweep::values_text(std::size_t technique, std::size_t from) const {
  const std::vector<std::size_t> at = place(technique);
  Names out;
  for (std::size_t i = from; i < axes.size(); ++i) out.push_back(axes[i].name + " = " + axes[i].values[at[i]]);
  return joined(out);
}

std::string RunResults::file_name(const std::string& base) const {
  return several ? base + "-" + slug(name) : base;
}

Series Cell::series_without(const Names& shown_elsewhere) const {
  return series_of(key, series, shown_elsewhere);
}

Cells cells_of(const RunResults& run, const Names& questions, std::initializer_list<const char*> left_out) {
  Cells out;
  for (const Cell& cell : run.cells) {
    if (std::find(questions.begin(), questions.end(), cell.question) == questions.end()) continue;
    for (const char* name : left_out) (void)cell.values.at(name);
    out.push_back(&cell);
  }
  return out;
}

Cells cells_of(const Runs& runs, const Names& questions, std::initializer_list<const char*> left_out) {
  Cells out;
  for (const RunResults& run : runs) {
    for (const Cell* cell : cells_of(run, questions, left_out)) out.push_back(cell);
  }
  return out;
}

RunResults read_results(const Json& document, const std::string& name, bool several) {
  RunResults run;
  run.name = name;
  run.several = several;
  const Values results(document);
  run.version = text(results, "bauta");
  (void)results.at("schema");
  run.seed = number(results, "seed");
  run.experiment = results.at("experiment");
  run.protocol = results.at("protocol");
  run.release = results.at("release");
  if (run.release.is_object()) run.release_verdict = bauta::release_verdict(document);
  run.near_duplicates = results.at("near_duplicates");
  run.people = results.at("people");
  run.lost = results.at("lost");
  run.techniques = results.at("techniques");
  for (Json& one : run.techniques) {
    if (one.is_object()) one["technique"] = called(text(one, "technique"));
  }
  run.title = text(field(run.experiment, "report"), "title");
  for (const std::string& technique : texts(results, "earlier_masks")) run.earlier_masks.push_back(called(technique));
  run.remarks = texts(results, "remarks");
  (void)results.at("digest");
  if (const Seal seal = seal_of(document); seal != Seal::whole) {
    run.remarks.insert(run.remarks.begin(),
                       seal == Seal::broken ? "results.json was changed after it was written: its digest does not fit"
                                            : "results.json has no digest: nobody can see whether it was changed");
    warn(run.remarks.front());
  }
  for (const Json& cell : results.at("cells")) add_cell(cell, run);
  for (const Json& item : results.at("sweeps")) {
    if (std::optional<Sweep> sweep = read_sweep(item)) {
      run.sweeps.push_back(std::move(*sweep));
    } else {
      run.rest.push_back({{"sweep that does not fit its axes", item}});
    }
  }
  for (RankedTarget& target : read_ranking(results.at("ranking"))) {
    run.ranking.push_back(labelled(std::move(target), run));
  }
  if (auto target = read_ranked_target(results.at("headline"))) run.headline = labelled(std::move(*target), run);
  tell_unprotected(run);
  if (Json unread = results.unread(); !unread.empty()) run.rest.push_back({{"results.json", std::move(unread)}});
  return run;
}

std::vector<std::filesystem::path> with_variants(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::filesystem::path> out;
  for (const std::filesystem::path& folder : folders) {
    std::vector<std::filesystem::path> variants;
    std::error_code error;
    if (!std::filesystem::exists(folder / "results.json", error)) {
      for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (std::filesystem::exists(entry.path() / "results.json", error)) variants.push_back(entry.path());
      }
    }
    std::sort(variants.begin(), variants.end());
    if (variants.empty()) variants = {folder};
    out.insert(out.end(), variants.begin(), variants.end());
  }
  return out;
}

Runs read_runs(const std::vector<std::filesystem::path>& folders) {
  const Names names = names_of(folders);
  Runs runs;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (std::count(folders.begin(), folders.end(), folders[i]) > 1) {
      throw_usage(folders[i].string(), "the run is named twice");
    }
    runs.push_back(read_results(read_json(folders[i] / "results.json"), names[i], folders.size() > 1));
  }
  return runs;
}

}  // namespace bauta::report
