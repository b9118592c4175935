// Bad input of every kind: exit status 2, one clear message, nothing left behind.
#include <limits>

#include "program.hpp"

namespace bauta {
namespace {

class BadInput : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("good/labels.csv", "identity,gender\na,F\na,F\nb,M\nb,M\n");
    write("good/templates.npy", npy("<f4", "(4, 2)", floats({1, 0, 1, 0.1F, 0, 1, 0.1F, 1})));
  }

  /// Every command that reads the data must refuse it, name `place`, and leave no new file.
  void expect_refused(const std::string& arguments, const std::string& place) {
    const std::size_t before = entries();
    const CommandResult outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_EQ(outcome.err.rfind("error: ", 0), 0U) << outcome.err;
    EXPECT_NE(outcome.err.find(place), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'),
              outcome.err.find("hint: ") == std::string::npos ? 1 : 2)
        << outcome.err;
    EXPECT_EQ(entries(), before) << arguments;
  }
  void expect_data_refused(const std::string& data, const std::string& place) {
    expect_refused("verify " + data, place);
    expect_refused("protect pe-miu:block=1 " + data + " --out protected", place);
    expect_refused("inspect " + data, place);
  }

 private:
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::recursive_directory_iterator(folder),
                                                  std::filesystem::recursive_directory_iterator()));
  }
};

TEST_F(BadInput, TheGoodDataIsGood) {
  EXPECT_EQ(run("verify good --bootstrap 0").status, 0);
}

// An interval of two draws looked like one of a thousand.
TEST_F(BadInput, FewDrawsAreRemarkedOn) {
  EXPECT_NE(run("verify good --bootstrap 2").err.find("warning: intervals of 2 draws"), std::string::npos);
  for (const char* enough : {"0", "100"}) {
    const std::string said = run(std::string("verify good --bootstrap ") + enough).err;
    EXPECT_EQ(said.find("intervals of"), std::string::npos) << said;
  }
}

TEST_F(BadInput, TruncatedArray) {
  const std::string whole = npy("<f4", "(4, 2)", floats({1, 0, 1, 0.1F, 0, 1, 0.1F, 1}));
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{9}, std::size_t{60}, whole.size() - 1}) {
    write("good/templates.npy", whole.substr(0, length));
    expect_data_refused("good", "templates.npy");
  }
}

TEST_F(BadInput, AnonymisationThatTheDataCannotGive) {
  const auto refused = [&](const std::string& parameters, const std::string& flags, const std::string& numbers) {
    expect_refused("protect utility-preserving:ranking=fisher," + parameters + " good --out x " + flags, numbers);
  };
  EXPECT_EQ(run("protect utility-preserving:ranking=fisher,g=2 good --out fine --attribute gender").status, 0);
  refused("g=5", "--attribute gender", "sets of 5 cannot be drawn from the 4 samples");
  refused("g=3,t=1", "--attribute gender", "3 of one class and 0 of others");
  refused("g=4,t=0.2", "--attribute gender", "1 of one class and 3 of others");
  refused("g=2", "--attribute age", "age");
  refused("g=2", "", "--attribute");
  refused("g=2,rp=2", "--attribute gender", "2 is outside of [0, 1]");
  refused("g=2", "--attribute gender --keep identity=-1", "-1 is outside of [0, 1]");
  refused("g=2", "--attribute gender --keep weight=0.5", "weight");
}

TEST_F(BadInput, WrongElementType) {
  write("good/templates.npy", npy("|O", "(4, 2)", std::string(64, 'x')));
  expect_data_refused("good", "templates.npy");
  write("good/templates.npy", npy("<c8", "(4, 2)", std::string(64, 'x')));
  expect_data_refused("good", "templates.npy");
}

TEST_F(BadInput, LabelCountOffByOne) {
  write("good/labels.csv", "identity,gender\na,F\na,F\nb,M\n");
  expect_data_refused("good", "labels.csv");
}

TEST_F(BadInput, EmptyTable) {
  write("good/labels.csv", "");
  expect_data_refused("good", "labels.csv");
  write("good/labels.csv", "identity,gender\n");
  expect_data_refused("good", "labels.csv");
}

TEST_F(BadInput, UnknownColumn) {
  expect_refused("verify good --identity subject", "subject");
  expect_refused("attack similarity --attacker good --target good --attribute gendre", "gendre");
}

TEST_F(BadInput, RowThatIsNoNumber) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    write("good/templates.npy", npy("<f4", "(4, 2)", floats({1, 0, 1, 0.1F, 0, bad, 0.1F, 1})));
    expect_data_refused("good", "row 3");
  }
}

TEST_F(BadInput, PathThatDoesNotExist) {
  expect_data_refused("nowhere", "nowhere");
  expect_refused("verify --scores nowhere.csv", "nowhere.csv");
  expect_refused("evaluate nowhere.toml", "nowhere.toml");
  expect_refused("report nowhere", "nowhere");
}

TEST_F(BadInput, OutputThatExists) {
  write("taken/file", "x");
  expect_refused("protect pe-miu:block=1 good --out taken", "taken");
  expect_refused("synth templates --out taken", "taken");
}

TEST_F(BadInput, UnknownNamesSuggestTheNearest) {
  EXPECT_NE(run("protect pe-mui good --out x").err.find("did you mean 'pe-miu'?"), std::string::npos);
  EXPECT_NE(run("verify good --comparator cosin").err.find("did you mean 'cosine'?"), std::string::npos);
  EXPECT_NE(run("verfy good").err.find("did you mean 'verify'?"), std::string::npos);
  for (const char* wrong : {"", "verify", "verify good --no-such-flag", "protect pe-miu:block=3 good --out x",
                            "verify good --fmr 2", "verify good --memory 3x", "verify good --device tpu"}) {
    EXPECT_EQ(run(wrong).status, 2) << wrong;
  }
}

TEST_F(BadInput, ScoreFiles) {
  write("nan.csv", "score,mated\n0.5,1\nnan,0\n");
  expect_refused("verify --scores nan.csv", "nan.csv");
  write("text.csv", "score,mated\n0.5,1\nx,0\n");
  expect_refused("verify --scores text.csv", "text.csv");
  write("one.csv", "score,mated\n0.5,1\n0.7,1\n");
  expect_refused("verify --scores one.csv", "one.csv");
  write("empty.csv", "score,mated\n");
  expect_refused("verify --scores empty.csv", "empty.csv");
}

TEST_F(BadInput, OneSubjectInBothParts) {
  write("other/labels.csv", "identity,gender\nb,F\nc,M\n");
  write("other/templates.npy", npy("<f4", "(2, 2)", floats({1, 5, 5, 1})));
  expect_refused("attack similarity --attacker other --target good --attribute gender", "good");
}

TEST_F(BadInput, Recoveries) {
  expect_refused("recover algin-mean good --out x", "algin-mean");
  expect_refused("recover average good --out x", "good");
  expect_refused("recover interpolate good --out x", "good");
  expect_refused("recover align-mean:block=1 good --out x", "align-mean");
  expect_refused("recover align-mean:block=1 good --clear good --out x", "good");
  expect_refused("recover align-mean:block=1 good --clear good --attribute gender --out x", "--attribute");
}

TEST_F(BadInput, ExperimentFiles) {
  const auto experiment = [&](const std::string& text) {
    write("e.toml", text);
    return std::string("evaluate e.toml --out run");
  };
  expect_refused(experiment("[data]\ntarget = \n"), "e.toml line 2");
  expect_refused(experiment("[data]\ntarget = \"good\"\ntarge = 1\n"), "targe");
  expect_refused(experiment("[dta]\n"), "dta");
  expect_refused(experiment("[data]\ntarget = \"nowhere\"\n"), "nowhere");
  expect_refused(experiment("[data]\ntarget = \"good\"\n[protect]\ntechnique = \"pe-miu:block=3\"\n"), "good");
  expect_refused(experiment("[data]\ntarget = \"good\"\n[measure]\nfmr = 2\n"), "fmr");
}

TEST_F(BadInput, ProtocolsThatCannotBe) {
  const std::string head = "[data]\ntarget = \"good\"\nattribute = \"gender\"\n";
  const auto experiment = [&](const std::string& rest) {
    write("e.toml", head + rest);
    return std::string("evaluate e.toml --out run");
  };
  expect_refused(experiment("[protocol]\nkind = \"PEP-XY-3-1-1\"\n"), "PEP-XY-3-1-1");
  expect_refused(experiment("[protocol]\nkind = \"PEP-TF-3-1\"\n"), "PEP-TF-3-1");
  expect_refused(experiment("[protocol]\nkind = \"PEP-TF-1-1-1\"\n[protect]\ntechnique = \"ive\"\n"), "ive");
  expect_refused(experiment("[protocol]\nkind = \"PEP-LBL-1-1-1\"\n[protect]\ntechnique = \"csn\"\n"), "csn");
  expect_refused(experiment("attacker = \"good\"\n[protocol]\nkind = \"PEP-TF-1-1-1\"\n"), "data.attacker");
  expect_refused(experiment("[protocol]\nkind = \"PEP-TF-1-1-1\"\n[attack]\nestimator = \"svn-rbf\"\n"), "svn-rbf");
  expect_refused(experiment("[protocol]\nkind = \"PEP-TF-1-1-1\"\n[attack]\nestimator = \"knn\"\ntuning = { search = "
                            "\"sideways\" }\n"),
                 "sideways");
  // Two subjects are too few for three folds.
  expect_refused(experiment("[protocol]\nkind = \"PEP-TF-1-1-1\"\n[attack]\nestimator = \"knn\"\n"), "good");
  expect_refused(experiment("classes = { gender = [1, 2] }\n[protocol]\nkind = \"PEP-TF-1-1-1\"\n[attack]\nestimator = "
                            "\"knn\"\n"),
                 "gender");
}

TEST_F(BadInput, EstimatesOnLeakingParts) {
  write("other/labels.csv", "identity,gender\nc,F\nc,F\nd,M\nd,M\n");
  const std::string attack =
      "attack estimate --train good --test other --attribute gender --estimator knn:k=1 --bootstrap 0";
  write("other/templates.npy", npy("<f4", "(4, 2)", floats({1, 0.2F, 1, 0.3F, 0.2F, 1, 0.3F, 1})));
  EXPECT_EQ(run(attack).status, 0);
  expect_refused("attack estimate --train good --test good --attribute gender", "identities");
  expect_refused(attack + " --tune sideways", "sideways");
  expect_refused(attack + " --clear-train good", "--clear-test");
  write("other/templates.npy", npy("<f4", "(4, 2)", floats({1, 0.2F, 1, 0.1F, 0.2F, 1, 0.3F, 1})));
  expect_refused(attack, "row 2");  // a copy under another name
  write("other/templates.npy", npy("<f4", "(4, 2)", floats({1, 0.2F, 1, 0.1001F, 0.2F, 1, 0.3F, 1})));
  EXPECT_NE(run(attack).out.find("nearly the same"), std::string::npos);
  expect_refused(attack + " --strict", "nearly the same");
  // Perhaps the same people: of another case, in parts of one folder that a technique made together.
  write("other/labels.csv", "identity,gender\nA,F\nA,F\nd,M\nd,M\n");
  write("other/templates.npy", npy("<f4", "(4, 2)", floats({1, 0.2F, 1, 0.3F, 0.2F, 1, 0.3F, 1})));
  EXPECT_NE(run(attack).out.find("leading zeros alone (A and a)"), std::string::npos);
  expect_refused(attack + " --strict", "leading zeros alone (A and a)");
  EXPECT_NE(
      run("attack similarity --attacker good --target other --attribute gender --bootstrap 0").out.find("A and a"),
      std::string::npos);
  for (const std::string kind : {"similarity", "online none"}) {
    const std::string other = "attack " + kind + " --attacker good --target other --attribute gender --strict";
    write("other/labels.csv", "identity,gender\nA,F\nA,F\nd,M\nd,M\n");
    expect_refused(other, "leading zeros alone (A and a)");
    write("other/labels.csv", "identity,gender\ne,F\ne,F\nd,M\nd,M\n");
    write("other/templates.npy", npy("<f4", "(4, 2)", floats({1, 0.2F, 1, 0.1001F, 0.2F, 1, 0.3F, 1})));
    expect_refused(other, "nearly the same");
  }
}

TEST_F(BadInput, EstimatesOnPartsThatWereMaskedTogether) {
  write("masked/labels.csv", "identity,gender\na,F\nb,M\nc,F\nd,M\ne,F\nf,M\ng,F\nh,M\n");
  write("masked/templates.npy", npy("<f4", "(8, 2)", floats({1, 0, 0, 1, 2, 1, 1, 3, 4, 1, 1, 5, 6, 1, 1, 7})));
  const std::string attack =
      "attack estimate --train masked@1/2 --test masked@2/2 --attribute gender --estimator knn:k=1 --bootstrap 0";
  const CommandResult clear = run(attack);
  EXPECT_EQ(clear.status, 0) << clear.err;
  EXPECT_EQ(clear.out.find("was masked with"), std::string::npos);
  write("masked/dataset.toml", "technique = \"utility-preserving:g=2\"\n");
  EXPECT_NE(run(attack).out.find("masked was masked with utility-preserving"), std::string::npos);
}

// One sample on both sides, its length changed.
TEST_F(BadInput, NearlyTheSameReferencesAreTold) {
  write("probes/labels.csv", "identity\na\na\nb\nb\n");
  write("probes/templates.npy", npy("<f4", "(4, 2)", floats({2, 0, 1, 0.5F, 0, 3, 0.7F, 1})));
  EXPECT_NE(run("verify probes --reference good --other-samples --bootstrap 0").out.find("nearly equal a probe"),
            std::string::npos);
}

}  // namespace
}  // namespace bauta
