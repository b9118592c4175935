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

#include "bauta/report/results.hpp"

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

/// The runs of one results.json text.
inline std::vector<RunResults> runs_of(const std::string& results) {
  const TemporaryFolder folder;
  return read_runs({folder.run("run", results)});
}

/// Two techniques, one attribute, round numbers.
inline const char* const small_results =
    R"({"bauta":"0.1.0","experiment":{"report":{"title":"Small"}},"seed":7,"cells":[
 {"key":{"step":"verify","data":"target","technique":"none"},"status":"done","error":null,"values":{
  "samples":20,"identities":10,"comparator":"cosine","mated":10,"non_mated":180,"failures":1,"eer":0.05,"eer_ci":[0.01,0.09],
  "auc":0.99,"d_prime":3.5,"fnmr_at_fmr":[{"fmr":0.1,"fnmr":0.02,"ci":[0,0.04],"threshold":0.5,"resolvable":true},
  {"fmr":0.001,"fnmr":0.3,"ci":[0.2,0.4],"threshold":0.8,"resolvable":false}],"d_sys":0.9,"d_sys_null":0.1,"min_cllr":0.15,
  "zebra":{"expected_bits":0.6,"worst_case_log10":1.5,"tag":"B"}}},
 {"key":{"step":"verify","data":"target","technique":"pe-miu:block=8,cost=l2"},"status":"done","error":null,"values":{
  "comparator":"pe-miu:block=8","eer":0.1,"fnmr_at_fmr":[{"fmr":0.1,"fnmr":0.12}]}},
 {"key":{"step":"similarity","technique":"none","attribute":"gender"},"status":"done","error":null,"values":{
  "attribute":"gender","classes":["F","M"],"chance":0.5,"attacker":{"samples":4,"identities":4},"target":{"samples":20,"identities":10},
  "results":[{"rule":"vote","n":1,"n_used":1,"success":0.9,"balanced":0.9,"ci":[0.8,0.95]}],
  "best":{"rule":"vote","n":1,"n_used":1,"success":0.9,"balanced":0.9,"ci":[0.8,0.95]}}},
 {"key":{"step":"similarity","technique":"pe-miu:block=8,cost=l2","attribute":"gender"},"status":"done","error":null,"values":{
  "attribute":"gender","classes":["F","M"],"chance":0.5,"comparator":"pe-miu:block=8",
  "results":[{"rule":"vote","n":1,"n_used":1,"success":0.62,"balanced":0.6,"ci":[0.55,0.65],"per_class":{"F":0.5,"M":0.7}},
   {"rule":"mean","n":9,"n_used":4,"success":0.71,"balanced":0.7,"ci":[0.62,0.78]}],
  "best":{"rule":"mean","n":9,"n_used":4,"success":0.71,"balanced":0.7,"ci":[0.62,0.78],"ci_corrected":[0.6,0.78]}}}],
 "headline":{}})";

}  // namespace bauta::report
