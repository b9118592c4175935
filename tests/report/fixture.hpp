// Runs for tests: the synthetic one on disk (made by make_results.py) and small ones written on the spot.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "page.hpp"
#include "results.hpp"

namespace bauta::report {

inline std::filesystem::path fixture_run() {
  return BAUTA_REPORT_FIXTURE;
}

/// A small run under a protocol, with a broken estimator; round numbers by hand.
inline std::filesystem::path protocol_run() {
  return std::filesystem::path(BAUTA_REPORT_FIXTURE) / "protocol";
}

/// A folder that disappears with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "bauta-report-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    path = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// A run folder with this text as its results.json.
  [[nodiscard]] std::filesystem::path run(const std::string& name, const std::string& results) const {
    std::filesystem::create_directories(path / name);
    std::ofstream(path / name / "results.json") << results;
    return path / name;
  }

  std::filesystem::path path;
};

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The runs of one results.json text, whose schema goes without saying.
inline Runs runs_of(const std::string& results) {
  const TemporaryFolder folder;
  Json document = Json::parse(results);
  if (!document.contains("schema")) document["schema"] = 2;
  return read_runs({folder.run("run", document.dump())});
}

inline Report report_of(const std::string& results) {
  return make_report(runs_of(results));
}

inline Report report_in(const std::filesystem::path& run) {
  return make_report(read_runs({run}));
}

/// The table of this name; without rows where the report has none.
inline Table table_of(const Report& report, const std::string& name) {
  for (const Table* table : report.tables()) {
    if (table->name == name) return *table;
  }
  return {name, ""};
}

/// Names of figures that begin like this, in the order of the page.
inline Names figure_names(const Report& report, const std::string& beginning = "") {
  Names out;
  for (const Figure* figure : report.figures()) {
    if (figure->name.starts_with(beginning)) out.push_back(figure->name);
  }
  return out;
}

inline Figure figure_of(const Report& report, const std::string& name) {
  for (const Figure* figure : report.figures()) {
    if (figure->name == name) return *figure;
  }
  throw std::runtime_error("no figure " + name);
}

/// Rows of a figure whose field has this value.
inline std::vector<Json> rows_where(const Figure& figure, const char* field, const std::string& value) {
  std::vector<Json> out;
  for (const Json& row : figure.spec["data"]["values"]) {
    if (row.value(field, "") == value) out.push_back(row);
  }
  return out;
}

inline std::vector<Json> rows_of(const Figure& figure) {
  return figure.spec["data"]["values"].get<std::vector<Json>>();
}

/// Two techniques, one attribute, round numbers; the ranking's interval is not the plain one.
inline const char* const small_results =
    R"({"schema":2,"bauta":"0.1.0","experiment":{"report":{"title":"Small"}},"seed":7,"cells":[
 {"key":{"question":"verification","data":"target","technique":"none"},"status":"done","error":null,"unprotected":true,"findings":[
  {"about":"recognition","measure":"EER","unit":"rate","value":0.05,"ci":[0.01,0.09],"chance":0.5,"certainty":0,"axes":{"technique":"none"}}],"values":{
  "samples":20,"identities":10,"comparator":"cosine","mated":10,"non_mated":180,"failures":1,"eer":0.05,"eer_ci":[0.01,0.09],
  "auc":0.99,"d_prime":3.5,"fnmr_at_fmr":[{"fmr":0.1,"fnmr":0.02,"ci":[0,0.04],"threshold":0.5,"resolvable":true},
  {"fmr":0.001,"fnmr":0.3,"ci":[0.2,0.4],"threshold":0.8,"resolvable":false}],"d_sys":0.9,"d_sys_null":0.1,"min_cllr":0.15,
  "zebra":{"expected_bits":0.6,"worst_case_log10":1.5,"tag":"B"}}},
 {"key":{"question":"verification","data":"target","technique":"pe-miu:block=8,cost=l2"},"status":"done","error":null,"findings":[
  {"about":"recognition","measure":"EER","unit":"rate","value":0.1,"chance":0.5,"certainty":0,"axes":{"technique":"pe-miu:block=8,cost=l2"}}],"values":{
  "comparator":"pe-miu:block=8","eer":0.1,"fnmr_at_fmr":[{"fmr":0.1,"fnmr":0.12}]}},
 {"key":{"question":"similarity","technique":"none","attribute":"gender"},"status":"done","error":null,"findings":[
  {"about":"attribute","attacker":"vote, n = 1","measure":"balanced accuracy","unit":"rate","value":0.9,"ci":[0.8,0.95],"chance":0.5,
   "axes":{"question":"similarity","technique":"none","attribute":"gender"},"unprotected":true}],"values":{
  "attribute":"gender","classes":["F","M"],"chance":0.5,"attacker":{"samples":4,"identities":4},"target":{"samples":20,"identities":10},
  "results":[{"rule":"vote","n":1,"n_used":1,"success":0.9,"balanced":0.9,"ci":[0.8,0.95]}],
  "best":{"rule":"vote","n":1,"n_used":1,"success":0.9,"balanced":0.9,"ci":[0.8,0.95]}}},
 {"key":{"question":"similarity","technique":"pe-miu:block=8,cost=l2","attribute":"gender"},"status":"done","error":null,"findings":[
  {"about":"attribute","attacker":"vote, n = 1","measure":"balanced accuracy","unit":"rate","value":0.6,"ci":[0.55,0.65],"chance":0.5,
   "clear":{"value":0.9,"ci":[0.8,0.95]},"axes":{"question":"similarity","technique":"pe-miu:block=8,cost=l2","attribute":"gender"}},
  {"about":"attribute","attacker":"mean, n = 9","measure":"balanced accuracy","unit":"rate","value":0.7,"ci":[0.62,0.78],"chance":0.5,"healthy":false,
   "axes":{"question":"similarity","technique":"pe-miu:block=8,cost=l2","attribute":"gender"}}],"values":{
  "attribute":"gender","classes":["F","M"],"chance":0.5,"comparator":"pe-miu:block=8","attacker":{"samples":4,"identities":4},"target":{"samples":20,"identities":10},
  "results":[{"rule":"vote","n":1,"n_used":1,"success":0.62,"balanced":0.6,"ci":[0.55,0.65],"per_class":{"F":0.5,"M":0.7}},
   {"rule":"mean","n":9,"n_used":4,"success":0.71,"balanced":0.7,"ci":[0.62,0.78]}],
  "best":{"rule":"mean","n":9,"n_used":4,"success":0.71,"balanced":0.7,"ci":[0.62,0.78],"ci_corrected":[0.6,0.78]}}}],
 "ranking":[
 {"technique":"none","unprotected":true,"about":"attribute","attribute":"gender","strongest":{"about":"attribute","attacker":"vote, n = 1",
   "measure":"balanced accuracy","unit":"rate","value":0.9,"ci":[0.8,0.95],"chance":0.5,"axes":{"question":"similarity"}},
  "share":0.8,"share_ci":[0.6,0.9],"corrected":0.9,"ci":[0.8,0.95],"of":1,"healthy":true},
 {"technique":"pe-miu:block=8,cost=l2","about":"attribute","attribute":"gender","strongest":{"about":"attribute","attacker":"mean, n = 9",
   "measure":"balanced accuracy","unit":"rate","value":0.7,"ci":[0.62,0.78],"chance":0.5,"axes":{"question":"similarity"}},
  "share":0.4,"share_ci":[0.2,0.56],"corrected":0.69,"ci":[0.6,0.78],"of":2,"healthy":true,
  "on_clear":{"attacker":"vote, n = 1","value":0.9,"ci":[0.8,0.95],"share":0.8},"kept":0.5}],
 "headline":{"technique":"pe-miu:block=8,cost=l2","about":"attribute","attribute":"gender","strongest":{"about":"attribute","attacker":"mean, n = 9",
   "measure":"balanced accuracy","unit":"rate","value":0.7,"ci":[0.62,0.78],"chance":0.5,
   "axes":{"question":"similarity","technique":"pe-miu:block=8,cost=l2","attribute":"gender"}},
  "share":0.4,"share_ci":[0.2,0.56],"corrected":0.69,"ci":[0.6,0.78],"of":2,"healthy":true,
  "on_clear":{"attacker":"vote, n = 1","value":0.9,"ci":[0.8,0.95],"share":0.8},"kept":0.5}})";

}  // namespace bauta::report
