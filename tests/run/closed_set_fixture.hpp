// A small closed set on disk, and what comes of experiments on it.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bauta/data/synth_templates.hpp"
#include "bauta/run/evaluate.hpp"

namespace bauta {

class ClosedSetRun : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::path(testing::TempDir()) /
             (std::string("bauta_closed_set_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder);
    write_data(40, 20);
    write_data(60, 4, "data2", 2);
    write(
        "[data]\ntarget = \"data\"\nattribute = \"gender\"\nkeep = { age = 0.5 }\n"
        "[protect]\ntechnique = [\"none\", \"utility-preserving:g=16,t=0.5,w=10,rp=0.05\"]\n"
        "[protocol]\nkind = \"closed-set\"\n[attack]\nrecogniser = [\"lda\"]\n"
        "[measure]\nbootstrap = 100\ntop = [1, 5]\n");
  }
  void write_data(std::size_t identities, std::size_t samples, const std::string& name = "data",
                  std::uint64_t seed = 1) const {
    SynthOptions options;
    options.seed = seed;
    options.identities = identities;
    options.samples = samples;
    options.dim = 24;
    options.attributes = {{"gender", 4, {"F", "M"}, {0.5, 0.5}}, {"age", 3, {"old", "young"}, {0.5, 0.5}}};
    Dataset data = synthesize_templates(options).dataset;
    std::vector<std::string> names = data.labels.column("identity");
    for (std::string& one : names) one += " of " + name;
    data.labels.replace_column("identity", std::move(names));
    std::filesystem::create_directories(folder / name);
    write_dataset(folder / name, data);
  }
  void write(const std::string& text) const { std::ofstream(folder / "e.toml") << text; }
  [[nodiscard]] Json run(const std::vector<std::string>& overrides = {}, const std::string& out = "run") const {
    (void)evaluate(read_experiment(folder / "e.toml", overrides), {folder / out, 1, 1 << 24});
    std::ifstream file(folder / out / "results.json");
    return Json::parse(file);
  }
  /// The first cell of a question whose key has these values.
  static const Json& cell(const Json& results, const std::string& question, const Json& axes = Json::object()) {
    for (const Json& one : results["cells"]) {
      bool same = one["key"]["question"] == question;
      for (const auto& [name, value] : axes.items()) same &= one["key"].value(name, Json()) == value;
      if (same) return one;
    }
    throw std::runtime_error(question + " " + axes.dump());
  }
  static const Json& attacker(const Json& linkage, const std::string& name) {
    for (const Json& one : linkage["values"]["attackers"]) {
      if (one["attacker"] == name) return one;
    }
    throw std::runtime_error(name);
  }
  static const Json& answer(const Json& results, const std::string& technique, const char* adversary) {
    return cell(results, "identification", {{"technique", technique}, {"adversary", adversary}});
  }
  std::filesystem::path folder;
};

}  // namespace bauta
