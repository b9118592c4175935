// Labels as users write them, from the command line to the numbers.
#include "program.hpp"

namespace bauta {
namespace {

class LabelsCommand : public ProgramTest {
 protected:
  /// One row per label line, of four features that tell rows and names of different lengths apart.
  void data_set(const std::string& name, const std::string& header, const std::vector<std::string>& lines) const {
    std::string labels = header + "\n";
    std::vector<float> values;
    for (std::size_t row = 0; row < lines.size(); ++row) {
      labels += lines[row] + "\n";
      for (std::size_t c = 0; c < 4; ++c) {
        values.push_back(static_cast<float>((row * 37 + c * 11 + row * row * (c + 1)) % 101) +
                         0.1F * static_cast<float>(name.size()));
      }
    }
    write(name + "/labels.csv", labels);
    write(name + "/templates.npy", npy("<f4", "(" + std::to_string(lines.size()) + ", 4)", floats(values)));
  }
};

// The same person, composed and decomposed, with and without a blank: two data sets that share them are refused.
TEST_F(LabelsCommand, TheLeakGuardComparesWhatIsMeant) {
  data_set("mine", "identity,gender", {"Ann,F", "Jos\xc3\xa9,M", "Eve,F", "Bob,M"});
  data_set("theirs", "identity,gender", {"Zoe,F", "Jose\xcc\x81 ,M", "Kim,F", "Tom,M"});
  const CommandResult refused = run("attack estimate --train mine --test theirs --attribute gender --bootstrap 0");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("1 identities stand in both: Jos\xc3\xa9"), std::string::npos) << refused.err;
}

// 24 ages and an NA: as many classes as numbers before, three thirds now.
TEST_F(LabelsCommand, AMissingNumberLeavesNumbers) {
  for (const std::string name : {"mine", "theirs"}) {
    std::vector<std::string> lines = {name + "0, NA "};
    for (int i = 1; i <= 24; ++i) lines.push_back(name + std::to_string(i) + "," + std::to_string(20 + i));
    data_set(name, "identity,age", lines);
  }
  const std::string command = "attack estimate --train mine --test theirs --attribute age --bootstrap 0 --json";
  const CommandResult outcome = run(command);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["kind"], "continuous");
  EXPECT_EQ(outcome.json()["train"]["samples"], 24);
  EXPECT_NE(outcome.err.find("values taken as missing: 1 of 'age'"), std::string::npos) << outcome.err;
  const Json classes = run(command + " --missing=none").json();  // NA is a class again, and so is every age
  EXPECT_EQ(classes["kind"], "categorical");
  EXPECT_EQ(classes["classes"].size(), 25U);
}

TEST_F(LabelsCommand, ExperimentsNameTheirMissingWords) {
  std::vector<std::string> lines;
  for (int i = 0; i < 24; ++i)
    lines.push_back("p" + std::to_string(i / 2) + "," + (i < 2 ? "gone" : i % 4 < 2 ? "F" : "M"));
  data_set("people", "identity,gender", lines);
  const auto people_of = [&](const std::string& target) {
    write("x.toml", "[data]\ntarget = " + target +
                        "\nattribute = \"gender\"\n[protocol]\nkind = \"closed-set\"\n[attack]\nrecogniser = "
                        "\"nearest\"\n[measure]\nbootstrap = 0\ncomposition = true\n");
    const CommandResult outcome = run("evaluate x.toml --out run");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const Json results = Json::parse(read(folder / "run/results.json"));
    std::filesystem::remove_all(folder / "run");
    return results;
  };
  const Json own = people_of("{ path = \"people\", missing = [\"gone\"] }");
  EXPECT_NE(own["remarks"].dump().find("values taken as missing: 2 of 'gender'"), std::string::npos) << own["remarks"];
  EXPECT_EQ(own["experiment"]["data"]["target"]["missing"], Json::array({"gone"}));
  const Json usual = people_of("\"people\"");
  EXPECT_EQ(usual["remarks"].dump().find("missing"), std::string::npos);
  EXPECT_FALSE(usual["experiment"]["data"]["target"].contains("missing"));
}

// The figure that was seen: 100 % for whoever compares samples with themselves.
TEST_F(LabelsCommand, IdentifyRefusesTheSameSamples) {
  ASSERT_EQ(run("synth templates --identities 12 --samples 4 --dim 16 --out people").status, 0);
  ASSERT_EQ(run("protect csn people --out noisy").status, 0);
  for (const char* probe : {"people", "noisy"}) {
    const CommandResult refused = run(std::string("identify --enrol people --recogniser nearest --probe ") + probe);
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("hold the same 48 samples"), std::string::npos) << refused.err;
  }
  const Json split =
      run("identify --enrol people --probe noisy --test 0.25 --recogniser nearest --bootstrap 0 --json").json();
  EXPECT_EQ(split["probes"], 12);
  EXPECT_EQ(split["enrolled"], 36);
}

}  // namespace
}  // namespace bauta
