// Each command does its job on data small enough to know the answer.
#include <cmath>
#include <cstring>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.hpp"

namespace bauta {
namespace {

class Commands : public ProgramTest {};

TEST_F(Commands, ListComesFromDeclarations) {
  const Json list = run("list --json").json();
  bool found = false;
  for (const auto& entry : list["protections"]) {
    if (entry["name"] != "pe-miu") continue;
    found = true;
    EXPECT_FALSE(entry["learns"].get<bool>());
    EXPECT_EQ(entry["parameters"][0]["name"], "block");
    EXPECT_EQ(entry["parameters"][0]["default"], "16");
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(run("list comparators --json").json().size(), 1U);
}

TEST_F(Commands, WhatIsNamedTwiceIsDoneOnceAndWhatHasNoEffectIsTold) {
  ASSERT_EQ(
      run("synth templates --identities 30 --samples 2 --dim 8 --attribute gender:leak=3,classes=F/M --out people")
          .status,
      0);
  const CommandResult attacked =
      run("attack similarity --attacker people@1/2 --target people@2/2 --attribute gender --n 5,1,5 --rule vote,vote "
          "--bootstrap 10 --json");
  ASSERT_EQ(attacked.status, 0) << attacked.err;
  const Json results = attacked.json()["results"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0]["n"], 5);
  EXPECT_EQ(results[1]["n"], 1);
  const CommandResult verified = run("verify people --device cuda --key X --bootstrap 0");
  EXPECT_EQ(verified.status, 0) << verified.err;
  EXPECT_NE(verified.err.find("--device cuda: comparisons are made by the processor"), std::string::npos);
  EXPECT_NE(verified.err.find("'X' names an array of a .npz"), std::string::npos) << verified.err;
}

// Behind a list may stand a data set, so that values are separated by commas and not by blanks.
TEST_F(Commands, ListsAreGivenByCommasOrByGivingTheFlagAgain) {
  ASSERT_EQ(run("synth templates --identities 30 --samples 2 --dim 8 --out 0.01").status, 0);
  for (const std::string flags : {"--fmr 0.5,0.25 0.01", "--fmr 0.5 --fmr 0.25 0.01", "--fmr 0.5 0.01 --fmr=0.25"}) {
    const CommandResult said = run("verify " + flags + " --bootstrap 0 --json");
    ASSERT_EQ(said.status, 0) << flags << said.err;
    const Json points = said.json()["fnmr_at_fmr"];
    ASSERT_EQ(points.size(), 2U) << flags;
    EXPECT_EQ(points[0]["fmr"], 0.5);
    EXPECT_EQ(points[1]["fmr"], 0.25);
  }
  EXPECT_EQ(run("verify 0.01 --fmr 0.5 0.25").status, 2);
  for (const std::string command : {"verify", "identify", "attack similarity", "attack estimate", "attack online"}) {
    const std::string help = run(command + " --help").out;
    std::istringstream lines(help);
    std::size_t lists = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.find(",...") == std::string::npos) continue;
      ++lists;
      EXPECT_EQ(line.find(" ..."), std::string::npos) << line;
    }
    EXPECT_GT(lists, 0U) << help;
  }
}

// Hand calculation: mated 0.9, 0.6; non-mated 0.7, 0.2. At threshold 0.7: FMR 1/2, FNMR 1/2, the EER. AUC: (0.9 beats
// both, 0.6 beats one) 3 of 4.
TEST_F(Commands, VerifyScoresByHand) {
  write("s.csv", "score,mated\n0.9,1\n0.6,1\n0.7,0\n0.2,0\n");
  const Json result = run("verify --scores s.csv --json").json();
  EXPECT_EQ(result["mated"], 2);
  EXPECT_EQ(result["non_mated"], 2);
  EXPECT_DOUBLE_EQ(result["eer"], 0.5);
  EXPECT_DOUBLE_EQ(result["auc"], 0.75);
  write("d.csv", "score,mated\n-0.9,1\n-0.6,1\n-0.7,0\n-0.2,0\n");
  EXPECT_DOUBLE_EQ(run("verify --scores d.csv --distances --json").json()["auc"], 0.75);
}

TEST_F(Commands, ProtectWritesADataSetThatKnowsItsComparator) {
  ASSERT_EQ(run("synth templates --identities 20 --samples 3 --dim 32 --out clear").status, 0);
  ASSERT_EQ(run("protect pe-miu:block=8 clear --out masked").status, 0);
  struct stat status {};
  ASSERT_EQ(::stat((folder / "masked/templates.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  const Json result = run("verify masked --json --bootstrap 0").json();
  EXPECT_EQ(result["comparator"], "pe-miu:block=8,cost=l2");
  EXPECT_EQ(result["mated"], 60);
  EXPECT_EQ(result["non_mated"], 60 * 59 / 2 - 60);
  const Json inspected = run("inspect masked --json").json();
  EXPECT_EQ(inspected["identities"], 20);
  EXPECT_EQ(inspected["duplicates"]["identical_rows"], 0);
}

// Hand calculation: one cell is the mean of 0, 20, 40 and 60, 30 of 255.
TEST_F(Commands, ProtectMasksMedia) {
  write("media/labels.csv", "file,identity\nann/holiday.pgm,ann\nbob.pgm,bob\n");
  write("media/ann/holiday.pgm", "P2 2 2 255 0 20 40 60");
  write("media/bob.pgm", "no image");
  const Json result = run("protect pixelate:cells=1 media --out masked --json").json();
  EXPECT_EQ(result["technique"], "pixelate:cells=1,mode=area");
  EXPECT_EQ(result["failures"], 1);
  EXPECT_EQ(read(folder / "masked/labels.csv"), "file,identity,failed\n000001.png,ann,0\n,bob,1\n");
  struct stat status {};
  ASSERT_EQ(::stat((folder / "masked/000001.png").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  ASSERT_EQ(run("extract pixels:size=1 masked --out templates").status, 0);
  const std::string templates = read(folder / "templates/templates.npy");
  EXPECT_EQ(templates.substr(templates.size() - 8), floats({30.0F / 255, 0}));
  // Each technique has its medium.
  EXPECT_NE(run("protect csn media --out never").err.find("bauta extract"), std::string::npos);
  EXPECT_NE(run("protect pixelate templates --out never").err.find("name data with media"), std::string::npos);
}

// Of a colour image three channels with 2 each make 6, which is the worst that there is beside a grey one.
TEST_F(Commands, ProtectSaysWhatIsGuaranteed) {
  write("media/labels.csv", "file,identity\nann.pgm,ann\nbob.ppm,bob\n");
  write("media/ann.pgm", "P2 1 1 255 9");
  write("media/bob.ppm", "P3 1 1 255 1 2 3");
  const std::string said =
      "epsilon = 6, delta = 0 for images that differ in at most 16 pixels (2 in each of 3 channels); several of a "
      "person add up";
  const CommandResult people = run("protect dp-pix:epsilon=2,block=12,m=16 media --out masked");
  EXPECT_NE(people.out.find("\n" + said + "\nin pixels: block = 12, m = 16\n"), std::string::npos) << people.out;
  EXPECT_NE(people.err.find("its noise comes from the seed"), std::string::npos) << people.err;
  const std::string record = read(folder / "masked/dataset.toml");
  const std::string rest = "\"\nin_pixels = \"block = 12, m = 16\"\nnoise_source = \"seed\"\n";
  EXPECT_NE(record.find("guarantee = \"" + said + rest), std::string::npos) << record;
  const Json programs = run("protect dp-pix:epsilon=2,block=12,m=16 media --out again --json").json();
  EXPECT_EQ(programs["guarantee"]["epsilon"], 6);
  EXPECT_EQ(programs["guarantee"]["pixels"], 16);
  EXPECT_EQ(programs["in_pixels"]["block"], Json::array({12, 12}));
  const CommandResult none = run("protect pixelate:cells=1 media --out none");
  EXPECT_NE(none.out.find("\nno formal guarantee\n"), std::string::npos) << none.out;
  EXPECT_EQ(none.err.find("its noise"), std::string::npos) << none.err;
  const CommandResult released = run("protect dp-pix:epsilon=1e-6,block=1 media --release --out public");
  ASSERT_EQ(released.status, 0) << released.err;
  EXPECT_EQ(released.err.find("its noise"), std::string::npos) << released.err;
  EXPECT_NE(read(folder / "public/dataset.toml").find("noise_source = \"operating system\""), std::string::npos);
}

// Hand calculation: the mean of 0 and 102 over 255 is 0.2.
TEST_F(Commands, ExtractWritesTemplatesThatKnowTheirExtractor) {
  write("media/anna/1.pgm", "P2 2 1 255 0 102");
  write("media/anna/2.pgm", "P2 2 1 255 51 51");
  write("media/bert/1.pgm", "no image");
  const Json result = run("extract pixels:size=1 media --out templates --json").json();
  EXPECT_EQ(result["extractor"], "pixels:size=1,color=grey");
  EXPECT_EQ(result["samples"], 3);
  EXPECT_EQ(result["failures"], 1);
  EXPECT_DOUBLE_EQ(result["failure_rate"], 1.0 / 3);
  EXPECT_EQ(result["dimension"], 1);
  EXPECT_EQ(read(folder / "templates/labels.csv"), "identity,failed\nanna,0\nanna,0\nbert,1\n");
  EXPECT_EQ(read(folder / "templates/dataset.toml"),
            "extraction_failures = \"1\"\nextractor = \"pixels:size=1,color=grey\"\n");
  const std::string values = read(folder / "templates/templates.npy");
  EXPECT_EQ(values.substr(values.size() - 12), floats({0.2F, 0.2F, 0}));
  struct stat status {};
  ASSERT_EQ(::stat((folder / "templates/templates.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  const Json inspected = run("inspect templates --json").json();
  EXPECT_EQ(inspected["extractor"], "pixels:size=1,color=grey");
  EXPECT_FALSE(inspected.contains("technique"));
  EXPECT_EQ(inspected["failures"], 1);
  EXPECT_EQ(run("inspect media --json").json()["medium"], "files");
}

TEST_F(Commands, ExtractLearnsFromOtherMediaOrAtHome) {
  write("a/x/1.pgm", "P2 2 1 255 0 255");
  write("a/x/2.pgm", "P2 2 1 255 255 0");
  write("b/y/1.pgm", "P2 2 1 255 10 20");
  write("b/y/2.pgm", "P2 2 1 255 40 20");
  const auto home = run("extract eigenface:size=2 b --out home --json");
  EXPECT_NE(home.err.find("learned from b itself"), std::string::npos) << home.err;
  const Json away = run("extract eigenface:size=2 b --fit a --out away --json").json();
  EXPECT_NE(home.json()["model"], away["model"]);
  EXPECT_EQ(run("extract eigenface:size=2 a --out own --json").json()["model"], away["model"]);
  EXPECT_EQ(run("extract pixels b --fit a --out never").status, 2);
  EXPECT_EQ(run("extract pixels home --out never").status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "never"));
}

// Under secret keys strangers are told apart by their keys; verify has to say so, also when something was put on top.
TEST_F(Commands, VerifySaysThatSecretKeysMakeTheErrorRates) {
  ASSERT_EQ(run("synth templates --identities 30 --samples 3 --dim 32 --out clear").status, 0);
  const auto verified = [&](const std::string& technique, const std::string& input, const std::string& out) {
    EXPECT_EQ(run("protect " + technique + " " + input + " --out " + out).status, 0);
    return run("verify " + out + " --json --bootstrap 0").json();
  };
  const Json secret = verified("biohash:regime=secret", "clear", "secret");
  const Json stolen = verified("biohash", "clear", "stolen");
  EXPECT_EQ(secret["comparator"], "hamming");
  EXPECT_NE(secret["remarks"].dump().find("a secret key"), std::string::npos);
  EXPECT_EQ(stolen["remarks"].dump().find("a secret key"), std::string::npos);
  EXPECT_NE(verified("none", "secret", "copy")["remarks"].dump().find("a secret key"), std::string::npos);
  EXPECT_EQ(verified("iom-grp:m=50", "clear", "codes")["comparator"], "iom");
}

// Without --fit it learns from the very data, with it or with what was saved from other data; --keep is part of the
// specification that the result remembers.
TEST_F(Commands, UtilityPreservingLearnsAtHomeOrElsewhere) {
  ASSERT_EQ(run("synth templates --identities 60 --samples 2 --dim 20 --axis-aligned --attribute mood:leak=4 "
                "--attribute mouth:leak=4 --out people")
                .status,
            0);
  const std::string technique = "protect utility-preserving:g=4,w=10,rp=0.05 ";
  ASSERT_EQ(run(technique + "people --attribute mood --keep mouth=0.05 --save m.npz --out home").status, 0);
  ASSERT_EQ(run(technique + "people --attribute mood --keep mouth=0.05 --load m.npz --out loaded").status, 0);
  ASSERT_EQ(run(technique + "people@2/2 --fit people@1/2 --attribute mood --out elsewhere").status, 0);
  const std::string provenance = read(folder / "home/dataset.toml");
  EXPECT_NE(provenance.find("keep=mouth=0.05"), std::string::npos) << provenance;
  EXPECT_NE(provenance.find("keeps = \"mood\""), std::string::npos) << provenance;
  EXPECT_EQ(read(folder / "home/templates.npy"), read(folder / "loaded/templates.npy"));
  const CommandResult hiding = run("protect ive:steps=1 people --fit people --attribute mood --keep mouth=0.1 --out x");
  EXPECT_EQ(hiding.status, 2);
  EXPECT_NE(hiding.err.find("--keep"), std::string::npos) << hiding.err;
}

// 64 MB in and 64 MB out pass through a program that itself takes about 10: neither side may be held.
TEST_F(Commands, ProtectStreamsFromFileToFile) {
  constexpr int rows = 32768;
  std::string labels = "identity\n";
  for (int i = 0; i < rows; ++i) labels += std::to_string(i / 4) + "\n";
  write("x/labels.csv", labels);
  {
    std::ofstream file(folder / "x/templates.npy", std::ios::binary);
    file << npy("<f4", "(32768, 512)", "");
    std::vector<float> row(512);
    for (int i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < 512; ++j) row[j] = static_cast<float>(std::sin(i * 0.37 + static_cast<double>(j)));
      file << floats(row);
    }
  }
  for (const std::string technique : {"none", "csn", "random-projection", "iom-urp"}) {
    const std::filesystem::path out = folder / technique;
    const pid_t child = ::fork();
    if (child == 0) {
      ::execl(BAUTA_PROGRAM, "bauta", "protect", technique.c_str(), (folder / "x").c_str(), "--out", out.c_str(),
              "--json", nullptr);
      ::_exit(127);
    }
    int status = 0;
    rusage usage{};
    ASSERT_EQ(::wait4(child, &status, 0, &usage), child);
    ASSERT_EQ(status, 0) << technique;
#ifndef BAUTA_SANITIZED  // which keeps what was freed
    EXPECT_LT(usage.ru_maxrss, 48 * 1024) << technique;  // kB
#endif
    EXPECT_GT(std::filesystem::file_size(out / "templates.npy"), 600U * rows) << technique;
  }
}

// Hand calculation: unit vectors at 0, 90 and 45 degrees have cosines 0, 1/sqrt(2), 1/sqrt(2).
TEST_F(Commands, WritesTheScoreMatrix) {
  write("x/labels.csv", "identity\na\na\nb\n");
  write("x/templates.npy", npy("<f4", "(3, 2)", floats({1, 0, 0, 1, 1, 1})));
  ASSERT_EQ(run("verify x --bootstrap 0 --score-matrix s.npy").status, 0);
  const std::string file = read(folder / "s.npy");
  ASSERT_EQ(file.size(), 128 + 9 * sizeof(float));
  std::vector<float> scores(9);
  std::memcpy(scores.data(), file.data() + 128, 9 * sizeof(float));
  const float diagonal = 0.70710678F;
  const std::vector<float> expected = {1, 0, diagonal, 0, 1, diagonal, diagonal, diagonal, 1};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(scores[i], expected[i], 1e-6) << i;
}

// What was written says what the data said, also where each pair stands in it from either side (.mtx).
TEST_F(Commands, WritesScoresThatOthersRead) {
  ASSERT_EQ(run("synth templates --identities 12 --samples 3 --dim 16 --out x").status, 0);
  const Json own = run("verify x --json --bootstrap 0 --score-matrix s.csv").json();
  ASSERT_EQ(run("verify x --bootstrap 0 --score-matrix s.txt").status, 0);
  ASSERT_EQ(run("verify x --bootstrap 0 --score-matrix s.mtx").status, 0);
  for (const char* name : {"s.csv", "s.txt", "s.mtx"}) {
    const Json read_back = run(std::string("verify --json --bootstrap 0 --scores ") + name).json();
    EXPECT_EQ(read_back["mated"], own["mated"]) << name;
    EXPECT_NEAR(read_back["auc"].get<double>(), own["auc"].get<double>(), 1e-6) << name;
  }
  EXPECT_EQ(run("verify x --bootstrap 0 --score-matrix s.pdf").status, 2);
}

TEST_F(Commands, NamesInScoreFilesMayBeAnyWord) {
  write("s.csv", "score,probe_subject_id,bio_ref_subject_id\n0.9,Null,Null\n0.1,Null,Ann\n0.8,Ann,Ann\n");
  EXPECT_EQ(run("verify --scores s.csv --bootstrap 0").status, 2);
  EXPECT_EQ(run("verify --scores s.csv --bootstrap 0 --missing= --json").json()["mated"], 2);
  EXPECT_EQ(run("verify --scores= s.csv --bootstrap 0").status, 2);
}

TEST_F(Commands, VerifyTellsOfCopies) {
  write("x/labels.csv", "identity\na\na\na\nb\nb\n");
  write("x/templates.npy", npy("<f4", "(5, 2)", floats({1, 0, 1, 0, 0, 1, 1, 0, 0.5F, 1})));
  const std::string remarks = run("verify x --json --bootstrap 0").json()["remarks"].dump();
  EXPECT_NE(remarks.find("1 samples equal an earlier one of their person in every feature, 1 one of somebody else"),
            std::string::npos)
      << remarks;
}

TEST_F(Commands, NoOutputReplacesAFile) {
  ASSERT_EQ(run("synth templates --identities 12 --samples 3 --dim 16 --out x").status, 0);
  const std::string templates = read(folder / "x/templates.npy");
  EXPECT_EQ(run("verify x --bootstrap 0 --score-matrix x/templates.npy").status, 2);
  EXPECT_EQ(run("protect ive x --fit x --attribute gender --save x/templates.npy --out y").status, 2);
  EXPECT_EQ(read(folder / "x/templates.npy"), templates);
  write("s.mask", "mine");
  EXPECT_EQ(run("verify x --bootstrap 0 --score-matrix s.mtx").status, 2);
  EXPECT_EQ(read(folder / "s.mask"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder / "s.mtx"));
}

// Hand calculation: of the four non-mated pairs the two of one mood have cosine 1, the two others 0.
TEST_F(Commands, VerifyPrintsWhatScoresSayOfClasses) {
  write("x/labels.csv", "identity,mood\na,glad\na,sad\nb,glad\nb,sad\n");
  write("x/templates.npy", npy("<f4", "(4, 2)", floats({1, 0, 0, 1, 1, 0, 0, 1})));
  const auto said = run("verify x --bootstrap 0 --attribute mood");
  ASSERT_EQ(said.status, 0);
  EXPECT_NE(said.out.find("AUC, same mood or not"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("1.0000", said.out.find("same mood")), std::string::npos) << said.out;
}

// 12 people of 3 samples: each pair of samples once, or every probe with every reference.
TEST_F(Commands, VerifyTakesReferencesOfAnotherForm) {
  ASSERT_EQ(run("synth templates --identities 12 --samples 3 --dim 16 --out clear").status, 0);
  ASSERT_EQ(run("protect pe-miu:block=4 clear --out masked").status, 0);
  const Json same = run("verify masked --reference clear --json --bootstrap 0").json();
  EXPECT_EQ(same["mated"], 12 * 3 * 2);  // each of two samples of a person as the probe
  EXPECT_NE(same["remarks"].dump().find("none is compared with itself"), std::string::npos);
  const Json others = run("verify masked --reference clear --other-samples --json --bootstrap 0").json();
  EXPECT_EQ(others["mated"], 12 * 9);
  ASSERT_EQ(run("protect biohash clear --out bits").status, 0);
  const CommandResult refused = run("verify bits --reference clear");
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.err.find("no comparator takes both"), std::string::npos) << refused.err;
  EXPECT_EQ(run("verify masked --other-samples").status, 2);
}

// Samples are known by their ids: the same ones in another order give the same numbers, others are all compared, and
// what is partly the same is refused. Three people with two samples: 6 ordered mated pairs, 24 others; of other samples
// 12 mated.
TEST_F(Commands, VerifyKnowsSamplesByTheirIds) {
  const auto data_set = [&](const std::string& name, const std::vector<int>& rows, const std::string& prefix) {
    std::vector<float> values;
    std::string labels = "id,identity\n";
    for (const int row : rows) {
      labels += prefix + std::to_string(row) + ",p" + std::to_string(row / 2) + "\n";
      for (int c = 0; c < 4; ++c) values.push_back(static_cast<float>((row * 7 + c * c * 3 + row * c) % 11) - 5);
      if (prefix != "s") values.back() += 0.5F;  // others, and not the same under other names
    }
    write(name + "/labels.csv", labels);
    write(name + "/templates.npy", npy("<f4", "(" + std::to_string(rows.size()) + ", 4)", floats(values)));
  };
  data_set("clear", {0, 1, 2, 3, 4, 5}, "s");
  data_set("turned", {5, 0, 3, 2, 4, 1}, "s");
  data_set("others", {0, 1, 2, 3, 4, 5}, "t");
  data_set("partly", {0, 1, 2, 3, 4}, "s");
  const Json same = run("verify clear --reference clear --json --bootstrap 0").json();
  const Json turned = run("verify turned --reference clear --json --bootstrap 0").json();
  EXPECT_EQ(same["mated"], 6);
  EXPECT_EQ(same["non_mated"], 24);
  for (const char* name : {"mated", "non_mated", "eer", "auc"}) EXPECT_EQ(turned[name], same[name]) << name;
  EXPECT_EQ(run("verify others --reference clear --json --bootstrap 0").json()["mated"], 12);
  const CommandResult refused = run("verify partly --reference clear");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("share 5 samples of 6 and 5"), std::string::npos) << refused.err;
}

// claimed_id real_id label score: mated iff the ids are equal. Subjects are known, so intervals resample them.
TEST_F(Commands, VerifyFourColumnScores) {
  write("s.txt", "a a x 0.9\na b x 0.1\nb b x 0.8\nb a x 0.3\nc c x 0.7\nc a x 0.2\n");
  const Json result = run("verify --scores s.txt --json").json();
  EXPECT_EQ(result["mated"], 3);
  EXPECT_EQ(result["non_mated"], 3);
  EXPECT_EQ(result["eer"], 0.0);
  EXPECT_NE(result["remarks"].dump().find("resamplings of 3 subjects"), std::string::npos);
}

TEST_F(Commands, AReleaseIsNeverTheSameTwice) {
  ASSERT_EQ(run("synth templates --identities 10 --samples 2 --dim 32 --out clear").status, 0);
  for (const char* flags : {"--out one", "--out two", "--release --out three", "--release --out four"}) {
    ASSERT_EQ(run(std::string("protect pe-miu:block=4 clear ") + flags).status, 0);
  }
  EXPECT_EQ(read(folder / "one/templates.npy"), read(folder / "two/templates.npy"));
  EXPECT_NE(read(folder / "one/templates.npy"), read(folder / "three/templates.npy"));
  EXPECT_NE(read(folder / "three/templates.npy"), read(folder / "four/templates.npy"));
}

TEST_F(Commands, RecoverMakesADataSetThatIsClearAgain) {
  ASSERT_EQ(
      run("synth templates --identities 60 --samples 3 --dim 32 --attribute gender:leak=4,classes=F/M --out people")
          .status,
      0);
  ASSERT_EQ(run("protect csn people@1/2 --enrolments 16 --out noisy").status, 0);
  const Json result = run("recover average noisy --original people@1/2 --bootstrap 50 --out back --json").json();
  EXPECT_EQ(result["samples"], result["check"]["samples"]);
  // Closed form: about 0.8 / sqrt(0.64 + 0.36 / 16) = 0.983.
  EXPECT_NEAR(result["check"]["cosine"]["mean"], 0.983, 0.005);
  const std::string text = run("recover average noisy --original people@1/2 --bootstrap 0 --out again").out;
  EXPECT_NE(text.find("identified at rank 1"), std::string::npos) << text;
  EXPECT_EQ(run("verify back --json --bootstrap 0").json()["comparator"], "cosine");
  ASSERT_EQ(run("protect pe-miu:block=8 people@1/2 --out shuffled").status, 0);
  EXPECT_EQ(run("recover align-mean shuffled --clear people@2/2 --out ordered").status, 0);
  EXPECT_EQ(run("list recoveries --json").json()["recoveries"][0]["name"], "align-mean");
}

TEST_F(Commands, RecoverMakesMediaOfMaskedMedia) {
  ASSERT_EQ(run("synth faces --identities 4 --samples 3 --out faces").status, 0);
  ASSERT_EQ(run("protect dp-snow:d=0.2 faces --out masked").status, 0);
  const Json result = run("recover interpolate masked --out back --json").json();
  EXPECT_EQ(result["samples"], 12);
  EXPECT_EQ(result["failures"], 0);
  EXPECT_EQ(result["medium"], "image");
  EXPECT_EQ(result["properties"]["recovered_from"], "dp-snow:d=0.2");
  EXPECT_FALSE(result["properties"].contains("guarantee"));  // that was said of the mask
  EXPECT_EQ(run("extract pixels back --out templates").status, 0);
  // Learned from pairs of other people; nobody learns from the people that they undo.
  ASSERT_EQ(run("protect gaussian-blur:kernel=9 faces@1/2 --out pairs").status, 0);
  ASSERT_EQ(run("protect gaussian-blur:kernel=9 faces@2/2 --out target").status, 0);
  const std::string known = " --clear faces@1/2 --protected pairs";
  EXPECT_EQ(run("recover subtract-overlay target --out learned" + known).status, 0);
  EXPECT_EQ(run("recover subtract-overlay pairs --out own" + known).status, 2);
  EXPECT_EQ(run("recover deblur target --out sharp --original faces@2/2").status, 2);
  EXPECT_EQ(run("recover average target --out mean").status, 2);
}

// As many projections as features are undone by pairs as by the key; the wrong key gives nothing (90 cosines in 32
// dimensions have a mean of deviation 0.019).
TEST_F(Commands, RecoverByPairsAndByTheStolenKey) {
  ASSERT_EQ(
      run("synth templates --identities 60 --samples 3 --dim 32 --attribute gender:leak=4,classes=F/M --out people")
          .status,
      0);
  ASSERT_EQ(run("protect random-projection people@1/2 --seed 7 --out target").status, 0);
  ASSERT_EQ(run("protect random-projection people@2/2 --seed 7 --out pairs").status, 0);
  const std::string known =
      " target --clear people@2/2 --original people@1/2 --attribute gender --bootstrap 20 --json ";
  for (const char* how : {"recover ridge --protected pairs --out a", "recover pre-image --key-seed 7 --out b"}) {
    const Json check = run(how + known).json()["check"];
    EXPECT_GT(check["cosine"]["mean"].get<double>(), 0.999) << how;
    EXPECT_EQ(check["attributes"][0]["attribute"], "gender") << how;
    EXPECT_NEAR(check["attributes"][0]["recovered"]["balanced"], check["attributes"][0]["clear"]["balanced"], 0.03);
  }
  EXPECT_NEAR(run("recover pre-image --key-seed 8 --out c" + known).json()["check"]["cosine"]["centred"]["mean"], 0,
              0.08);
}

TEST_F(Commands, InspectFindsCopies) {
  write("x/labels.csv", "identity\na\nb\nc\n");
  write("x/templates.npy", npy("<f4", "(3, 2)", floats({1, 0, 0, 1, 1, 0})));
  const Json result = run("inspect x --json").json();
  EXPECT_EQ(result["duplicates"]["identical_rows"], 2);
  EXPECT_EQ(result["duplicates"]["pairs"][0]["rows"], Json({1, 3}));
  EXPECT_EQ(result["problems"].size(), 1U);  // no identity has two samples
}

TEST_F(Commands, InspectReportsTemplatesWithoutDirection) {
  write("x/labels.csv", "identity\na\na\nb\n");
  write("x/templates.npy", npy("<f4", "(3, 2)", floats({1, 0, 0, 0, 1, 0})));
  const Json result = run("inspect x --json").json();
  ASSERT_EQ(result["problems"].size(), 1U);
  EXPECT_EQ(result["problems"][0].get<std::string>().find("1 templates are all zero, e.g. row 2"), 0U);
  EXPECT_EQ(result["duplicates"]["pairs"][0]["rows"], Json({1, 3}));
}

TEST_F(Commands, FailedSamplesAreCountedAndLeftOut) {
  write("x/labels.csv", "identity,failed\na,0\na,0\nb,0\nb,1\n");
  write("x/templates.npy", npy("<f4", "(4, 2)", floats({1, 0, 1, 0.1F, 0, 1, 0, 0})));
  const Json result = run("verify x --json --bootstrap 0").json();
  EXPECT_EQ(result["failures"], 1);
  EXPECT_EQ(result["mated"], 1);
  EXPECT_EQ(result["non_mated"], 2);
}

TEST_F(Commands, EvaluateResumesAndReports) {
  ASSERT_EQ(run("demo --out demo").status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "demo/run/report.html"));
  const std::string results = read(folder / "demo/run/results.json");
  // A second run finds every cell finished and writes the same bytes.
  const Json again = run("evaluate demo/experiment.toml --out demo/run --json").json();
  EXPECT_EQ(again["computed"], 0);
  EXPECT_EQ(read(folder / "demo/run/results.json"), results);
  // A cell that is lost is computed again, to the same bytes.
  std::filesystem::remove(std::filesystem::directory_iterator(folder / "demo/run/cells")->path());
  EXPECT_EQ(run("evaluate demo/experiment.toml --out demo/run --json").json()["computed"], 1);
  EXPECT_EQ(read(folder / "demo/run/results.json"), results);
}

// Killed without warning after its first cell, a run goes on from there and ends with the bytes of one that was left
// alone.
TEST_F(Commands, SurvivesBeingKilled) {
  ASSERT_EQ(
      run("synth templates --identities 400 --samples 3 --dim 64 --attribute gender:leak=2,classes=F/M --out people")
          .status,
      0);
  write("e.toml",
        "[data]\ntarget = \"people\"\nattribute = \"gender\"\n[protect]\ntechnique = [\"none\", \"pe-miu:block=4\", "
        "\"csn\"]\n"
        "[measure]\nbootstrap = 300\n");
  write("kill.sh", "cd '" + folder.string() +
                       "'\n'" BAUTA_PROGRAM
                       "' evaluate e.toml --out killed &\n"
                       "while ! ls killed/cells/*.json > /dev/null 2>&1; do sleep 0.01; done\nkill -9 $!\nwait $!\n");
  ASSERT_NE(std::system(("sh '" + (folder / "kill.sh").string() + "' > /dev/null 2>&1").c_str()), -1);
  ASSERT_FALSE(std::filesystem::exists(folder / "killed/results.json")) << "it was too fast to be killed";
  const Json resumed = run("evaluate e.toml --out killed --json").json();
  EXPECT_LT(resumed["computed"].get<int>(), 3);
  ASSERT_EQ(run("evaluate e.toml --out whole").status, 0);
  EXPECT_EQ(read(folder / "killed/results.json"), read(folder / "whole/results.json"));
}

}  // namespace
}  // namespace bauta
