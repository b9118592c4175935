// Releases: what leaves the house, and what is said about it.
#include "bauta/run/release.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "../question/moody_people.hpp"
#include "../training.hpp"
#include "bauta/core/error.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/run/evidence.hpp"
#include "released_labels.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

class Release : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "bauta-release-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  [[nodiscard]] Released release(const std::string& parameters, const Dataset& dataset, const std::string& name) const {
    fs::create_directory(folder / name);
    return release_to_folder(test::fitted_to_mood(parameters, dataset), dataset, {}, folder / name);
  }
  [[nodiscard]] Released release_of(const std::string& technique, const Dataset& dataset, const ReleaseRule& rule,
                                    const std::string& name) const {
    fs::create_directory(folder / name);
    return release_to_folder(make_protection(technique), dataset, rule, folder / name);
  }
  [[nodiscard]] Dataset read(const std::string& name) const {
    ReadOptions options;
    options.identity_required = false;
    return read_dataset(folder / name, options);
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::stringstream content;
    content << std::ifstream(folder / name, std::ios::binary).rdbuf();
    return content.str();
  }
  static std::string finding(const std::function<void()>& body) {
    try {
      body();
    } catch (const Error& error) {
      EXPECT_EQ(static_cast<int>(error.fault), static_cast<int>(Fault::usage));
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
  }

  fs::path folder;
};

/// Rows as texts of bytes, sorted: what is there, whatever the order.
std::vector<std::string> sorted_rows(const Dataset& dataset) {
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < dataset.size(); ++i) rows.emplace_back(dataset.templates.row_bytes(i));
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST_F(Release, RecordsComeInANewOrderWithNewIdsAndOnlyTheLabelsAskedFor) {
  const Dataset data = test::moody_people(60, 2, 20);
  const Released released = release("g=4,w=1000,rp=1,keep=mouth=5%", data, "public");
  const Dataset out = read("public");
  ASSERT_EQ(out.size(), 120U);
  EXPECT_EQ(released.records, 120U);
  EXPECT_EQ(out.labels.names(), (std::vector<std::string>{"id", "mood", "mouth"}));
  EXPECT_EQ(out.labels.column("id").front(), "000001");
  EXPECT_EQ(out.labels.column("id").back(), "000120");
  EXPECT_TRUE(out.identity_column.empty());
  std::vector<std::size_t> places = released.place, order(120);
  std::iota(order.begin(), order.end(), std::size_t{0});
  EXPECT_NE(places, order);
  std::sort(places.begin(), places.end());
  EXPECT_EQ(places, order);
  // At a weight of 1000 a record stays within 1/1000 of its distance to the mean: labels and templates went together.
  for (std::size_t i = 0; i < 120; ++i) {
    const std::size_t place = released.place[i];
    for (const char* name : {"mood", "mouth"}) {
      EXPECT_EQ(out.labels.column(name)[place], data.labels.column(name)[i]);
    }
    for (std::size_t j = 0; j < 20; ++j) {
      EXPECT_NEAR(out.templates.floats()(place, j), data.templates.floats()(i, j), 0.02);
    }
  }
}

TEST_F(Release, NothingElseIsWritten) {
  Dataset data = test::moody_people(60, 2, 20);
  data.provenance = Provenance{.technique = "none", .comparator = "", .properties = {{"camera", "of the north door"}}};
  (void)release("g=4", data, "public");
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder / "public")) {
    names.insert(entry.path().filename());
    EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write) << entry.path();
  }
  EXPECT_EQ(names, (std::set<std::string>{"dataset.toml", "labels.csv", "templates.npy"}));
  EXPECT_EQ(text("public/dataset.toml"),
            "technique = \"utility-preserving:g=4,t=0.6,w=100,rp=0.01,cp=0,ranking=fisher,trees=100,learn=20000,"
            "form=prose\"\nguarantee = \"no formal guarantee\"\nkeeps = \"mood\"\n");
}

TEST_F(Release, AFileThatWasReadIsNotNamed) {
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "1\n";
  const fs::path path = folder / "ranking-by-Ann.txt";
  std::ofstream(path) << lines;
  const Dataset data = test::moody_people(60, 2, 20);
  ResolvedProtection protection = make_protection("utility-preserving:g=4,ranking=" + path.string());
  fit_protection(protection, data, {"mood"}, protect_context(data, 1));
  fs::create_directory(folder / "public");
  (void)release_to_folder(protection, data, {}, folder / "public");
  EXPECT_EQ(text("public/dataset.toml").find("ranking"), std::string::npos) << text("public/dataset.toml");
}

TEST_F(Release, TwoReleasesShareNoRecord) {
  const Dataset data = test::moody_people(60, 2, 20);
  (void)release("g=4", data, "one");
  (void)release("g=4", data, "two");
  const auto one = sorted_rows(read("one")), two = sorted_rows(read("two"));
  std::vector<std::string> shared;
  std::set_intersection(one.begin(), one.end(), two.begin(), two.end(), std::back_inserter(shared));
  EXPECT_TRUE(shared.empty());
}

TEST_F(Release, FailedSamplesAreLeftOut) {
  Dataset data = test::moody_people(30, 2, 10);
  std::vector<std::string> failed(60, "0");
  failed[7] = failed[8] = "1";
  data.labels.add_column("failed", failed);
  const Released released = release("g=4", data, "public");
  EXPECT_EQ(released.records, 58U);
  EXPECT_EQ(released.place[7], Released::nowhere);
  EXPECT_EQ(read("public").size(), 58U);
  EXPECT_FALSE(read("public").labels.has("failed"));
}

// g = 1 is no set; a weight beyond the precision of floats pulls records all the way back. -0 is 0.
// Two of twelve cannot be read: numbers of records have no gaps, and those of files are the same.
TEST_F(Release, AFileHasTheNumberOfItsRecord) {
  fs::create_directory(folder / "clear");
  std::ofstream labels(folder / "clear/labels.csv");
  labels << "identity,file\n";
  for (int i = 0; i < 12; ++i) {
    labels << "p" << i << "," << i << ".pgm\n";
    std::ofstream image(folder / "clear" / (std::to_string(i) + ".pgm"), std::ios::binary);
    if (i == 2 || i == 7) continue;
    image << "P5 8 8 255\n";
    for (int k = 0; k < 64; ++k) image.put(static_cast<char>(i * 17 + k * (i + 3)));
  }
  labels.close();
  ReadOptions options;
  options.templates_required = false;
  const Dataset media = read_dataset(folder / "clear", options);
  const Released released = release_of("pixelate:cells=2", media, {}, "out");
  EXPECT_EQ(released.records, 10U);
  EXPECT_EQ(released.failures, 2U);
  options.identity_required = false;
  const Dataset out = read_dataset(folder / "out", options);
  for (std::size_t row = 0; row < 10; ++row) {
    EXPECT_EQ(out.labels.column("file")[row], out.labels.column("id")[row] + ".png");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "out"), fs::directory_iterator()), 10 + 2);  // and two texts
}

/// Motions of two frames as CSV, each with joints of its own, of people p0, p1 ... unless others are named.
class MotionRelease : public Release {
 protected:
  [[nodiscard]] Dataset motions(const std::vector<std::vector<std::string>>& joints,
                                const std::vector<std::string>& people = {},
                                const std::vector<std::string>& seconds = {}) const {
    fs::remove_all(folder / "clear");
    fs::create_directory(folder / "clear");
    std::ofstream labels(folder / "clear/labels.csv");
    labels << "identity,file\n";
    for (std::size_t i = 0; i < joints.size(); ++i) {
      labels << (people.empty() ? "p" + std::to_string(i) : people[i]) << "," << i << ".csv\n";
      std::ofstream motion(folder / "clear" / (std::to_string(i) + ".csv"));
      std::string header = seconds.empty() ? "" : ",time";
      for (std::size_t j = 0; j < joints[i].size(); ++j) {
        for (const char* axis : {"_x", "_y", "_z"}) header += "," + joints[i][j] + axis;
      }
      motion << header.substr(1) << "\n";
      for (int frame = 0; frame < 2; ++frame) {
        if (!seconds.empty()) motion << (frame == 0 ? "0" : seconds[i]) << ",";
        for (std::size_t k = 0; k < 3 * joints[i].size(); ++k) {
          motion << (k == 0 ? "" : ",") << 1000 * i + 10 * k + static_cast<std::size_t>(frame);
        }
        motion << "\n";
      }
    }
    labels.close();
    ReadOptions options;
    options.templates_required = false;
    return read_dataset(folder / "clear", options);
  }
  /// joints.txt of the release.
  [[nodiscard]] std::string released(const Dataset& data) const {
    fs::remove_all(folder / "out");
    (void)release_of("gait-noise:scale=5", data, {}, "out");
    return fs::exists(folder / "out/joints.txt") ? text("out/joints.txt") : "none";
  }
};

// Capture systems write SUBJECT:MARKER. A release held the name of the person whose motion came first.
TEST_F(MotionRelease, JointsDoNotSayWhoseTheyAre) {
  EXPECT_EQ(released(motions({{"Ann:Head", "Ann:LKnee"}, {"Bob:Head", "Bob:LKnee"}})), "Head\nLKnee\n");
  EXPECT_EQ(released(motions({{"s1:a:Head", "s1:a:LKnee"}, {"Head", "LKnee"}})), "Head\nLKnee\n");
  EXPECT_EQ(released(motions({{"Head", "LKnee"}, {"Head", "LKnee"}})), "Head\nLKnee\n");
  // What is left differs, so that it may say whose it is, too.
  EXPECT_EQ(released(motions({{"Ann_Head", "Ann_LKnee"}, {"Bob_Head", "Bob_LKnee"}})), "none");
}

// They stood under names of before the release, and one camera may be one person's.
TEST_F(MotionRelease, FramesPerSecondAreThoseOfAllOrOfNone) {
  const std::vector<std::string> joints = {"Head", "LKnee"};
  const Dataset data = motions({joints, joints, joints, joints}, {}, {"0.01", "0.01", "0.01", "0.01"});
  std::ofstream(folder / "clear/1.csv") << "damaged";
  (void)released(data);
  EXPECT_EQ(text("out/rates.csv"), "file,rate\n000001.npy,100\n000002.npy,100\n000003.npy,100\n");
  (void)released(motions({joints, joints}, {}, {"0.01", "0.02"}));
  EXPECT_FALSE(fs::exists(folder / "out/rates.csv"));
}

TEST_F(MotionRelease, JointsThatNameSomebodyAreRefused) {
  const auto refused = [&](const std::vector<std::string>& joints, const std::vector<std::string>& people) {
    const std::string text = finding([&] { (void)released(motions({joints, joints}, people)); });
    EXPECT_EQ(text.find("Ann"), std::string::npos) << text;
    return text;
  };
  for (const char* name : {"Ann Smith", "ann_smith", "ANNSMITH"}) {
    const std::string said = refused({"Ann_SmithHead", "LKnee"}, {name, "Bob"});
    EXPECT_NE(said.find("hold 1 of the values of 'identity'"), std::string::npos) << said;
  }
  (void)refused({"p7_Head", "p7_LKnee"}, {"p7", "p8"});  // in all of them
  // By chance in one.
  EXPECT_EQ(released(motions({{"T10", "LKnee"}, {"T10", "LKnee"}}, {"t10", "t11"})), "T10\nLKnee\n");
  // Two people in one motion.
  const std::string two = refused({"Annabel:Head", "Bobby:Head"}, {"p1", "p2"});
  EXPECT_NE(two.find("before a colon"), std::string::npos) << two;
}

TEST_F(Release, CopiesOfOriginalsAreRefused) {
  Dataset data = test::moody_people(30, 2, 10);
  Matrix<float> zeros(60, 10);
  for (std::size_t i = 0; i < 60; ++i) {
    for (std::size_t j = 0; j < 10; ++j) zeros(i, j) = j < 3 ? -0.0F : data.templates.floats()(i, j);
  }
  EXPECT_NE(finding([&] { (void)release("g=1", data, "a"); }).find("60 of 60 records"), std::string::npos);
  EXPECT_NE(finding([&] { (void)release("g=4,w=1e12,rp=1", data, "b"); }).find("60 of 60 records"), std::string::npos);
  data.templates = Templates(std::move(zeros));
  EXPECT_NE(finding([&] { (void)release("g=1", data, "c"); }).find("60 of 60 records"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "c/templates.npy"));
}

TEST_F(Release, NamesOfPeopleAreNoAttribute) {
  const Dataset data = test::moody_people(30, 2, 10);
  EXPECT_NE(finding([&] { (void)release("g=4,keep=identity=0.1", data, "a"); }).find("who somebody is"),
            std::string::npos);
}

// Whatever the technique, and whether it keeps, permutes or codes: ids, what was asked for, and nothing else.
TEST_F(Release, EveryTechniqueLeavesNamesColumnsAndOrderAtHome) {
  const Dataset data = test::moody_people(60, 2, 16);
  std::vector<std::size_t> order(120);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const std::string technique : {"csn", "pe-miu:block=1", "biohash", "iom-grp"}) {
    const Released released = release_of(technique, data, {.columns = {"mouth"}}, technique.substr(0, 3));
    const Dataset out = read(technique.substr(0, 3));
    EXPECT_EQ(out.labels.names(), (std::vector<std::string>{"id", "mouth"})) << technique;
    EXPECT_EQ(out.size(), 120U);
    EXPECT_EQ(out.templates.rows(), 120U);
    EXPECT_EQ(out.labels.column("id")[119], "000120");
    EXPECT_NE(released.place, order) << technique;
    for (std::size_t i = 0; i < 120; ++i) {
      EXPECT_EQ(out.labels.column("mouth")[released.place[i]], data.labels.column("mouth")[i]) << technique;
    }
    EXPECT_FALSE(fs::exists(folder / technique.substr(0, 3) / "probes.npy"));
  }
  // What is released of a shuffle is the shuffled record of its row: the same numbers in another order.
  const Released released = release_of("pe-miu:block=1", data, {}, "shuffled");
  const Dataset out = read("shuffled");
  EXPECT_EQ(out.labels.names(), (std::vector<std::string>{"id"}));
  for (std::size_t i = 0; i < 120; ++i) {
    const auto before = data.templates.floats().row(i), after = out.templates.floats().row(released.place[i]);
    EXPECT_TRUE(std::is_permutation(before.begin(), before.end(), after.begin())) << i;
  }
  // Nothing is released as it was, whether a technique or a setting leaves it so; nor in another length.
  for (const char* const technique : {"none", "esn:distance=0", "pe-miu:block=16", "csn:s=1"}) {
    const std::string name = std::string("plain-") + technique[0];
    EXPECT_NE(finding([&] { (void)release_of(technique, data, {}, name); }).find("120 of 120 records"),
              std::string::npos)
        << technique;
  }
  EXPECT_NE(finding([&] { (void)release_of("csn", data, {.columns = {"identity"}}, "named"); }).find("who somebody is"),
            std::string::npos);
}

/// Rows that did not fail, in their order.
ReleasedLabels labels_of(const Dataset& data, const std::vector<std::string>& columns, const ReleaseRule& rule) {
  std::vector<std::size_t> rows(data.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return released_labels(data, columns, rows, rule);
}

Dataset labelled(const std::vector<std::string>& identities, const std::vector<std::string>& first,
                 const std::vector<std::string>& second) {
  Dataset data;
  data.identity_column = "identity";
  data.labels = LabelTable("labels", identities.size());
  data.labels.add_column("identity", identities);
  data.labels.add_column("first", first);
  data.labels.add_column("second", second);
  return data;
}

// By hand: (a, x) is of three people, (b, x) of two with one of them twice, (a, y) of one person in two records.
const Dataset hand = labelled({"1", "2", "3", "4", "5", "5", "6", "6"}, {"a", "a", "a", "b", "b", "b", "a", "a"},
                              {"x", "x", "x", "x", "x", "x", "y", "y"});

TEST(ReleasedLabels, PeopleAreCountedNotRecords) {
  const ReleasedLabels both = labels_of(hand, {"first", "second"}, {.k = 2, .rare = Rare::suppress});
  EXPECT_EQ(both.risk.rare_combinations, 1U);  // (a, y), although there are two records of it
  EXPECT_EQ(both.risk.rare_people, 1U);
  EXPECT_EQ(both.risk.left_out, 2U);  // without labels they would still be one person's
  EXPECT_EQ(both.risk.suppressed, 0U);
  EXPECT_EQ(both.risk.combinations, 2U);
  EXPECT_EQ(both.risk.smallest, 2U);
  EXPECT_EQ(both.rows, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(labels_of(hand, {"first"}, {.k = 2}).risk.smallest, 2U);  // b: 4 and 5
  EXPECT_EQ(labels_of(hand, {}, {}).risk.rare_combinations, 0U);
}

// Three people, each written in two ways, were six: in capitals or not, with blanks, with letters that are two or one.
TEST(ReleasedLabels, ManySpellingsAreOnePerson) {
  const Dataset data = labelled({"ann", "Ann", "J\xc3\xb6rg", "Jo\xcc\x88rg ", "wei\xc3\x9f", "WEISS"},
                                {"x", "x", "x", "x", "x", "x"}, {"y", "y", "y", "y", "y", "y"});
  EXPECT_EQ(labels_of(data, {"first"}, {.k = 3}).risk.smallest, 3U);
  EXPECT_THROW((void)labels_of(data, {"first"}, {.k = 4}), Error);
  // Nor are they six for whoever says that each sample is another person's.
  Dataset each = data;
  each.identity_column.clear();
  EXPECT_THROW((void)labels_of(each, {"first"}, {.k = 2, .one_sample_each = true}), Error);
}

TEST(ReleasedLabels, FewWithoutLabelsAreManyTogether) {
  // At k = 3 (b, x) and (a, y) are rare: 4, 5 and 6, who are three without their labels.
  const ReleasedLabels three = labels_of(hand, {"first", "second"}, {.k = 3, .rare = Rare::suppress});
  EXPECT_EQ(three.risk.rare_combinations, 2U);
  EXPECT_EQ(three.risk.rare_people, 3U);
  EXPECT_EQ(three.risk.suppressed, 5U);
  EXPECT_EQ(three.risk.left_out, 0U);
  EXPECT_EQ(three.values.column("first"), (std::vector<std::string>{"a", "a", "a", "", "", "", "", ""}));
  EXPECT_EQ(three.values.column("second"), (std::vector<std::string>{"x", "x", "x", "", "", "", "", ""}));
  EXPECT_EQ(three.risk.smallest, 3U);
}

TEST(ReleasedLabels, ARefusalCountsAndNamesNobody) {
  try {
    (void)labels_of(hand, {"first", "second"}, {.k = 3});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.fault), static_cast<int>(Fault::usage));
    EXPECT_EQ(error.where, "kept labels 'first', 'second'");
    EXPECT_EQ(error.finding,
              "2 of 3 combinations of their values belong to fewer than 3 people each, 3 people in all; alone: 1 of 2 "
              "values of 'first', 1 of 2 values of 'second': whoever knows these labels of somebody would find them");
  }
}

// A column of names has a value per person: none passes at any k, and nothing of it is left when it is generalised.
TEST(ReleasedLabels, NamesNeverPass) {
  std::vector<std::string> identities, names, mood;
  for (int person = 0; person < 12; ++person) {
    for (int sample = 0; sample < 3; ++sample) {
      identities.push_back(std::to_string(person));
      names.push_back("Ann Smith " + std::to_string(person));
      mood.emplace_back(person % 2 == 0 ? "glad" : "sad");
    }
  }
  const Dataset data = labelled(identities, names, mood);
  for (const std::size_t k : {2U, 5U}) {
    EXPECT_THROW((void)labels_of(data, {"second", "first"}, {.k = k}), Error);
    const ReleasedLabels general = labels_of(data, {"second", "first"}, {.k = k, .rare = Rare::generalise});
    EXPECT_EQ(general.values.categorical("first").classes, std::vector<std::string>{"other"});
    EXPECT_EQ(general.values.column("second"), mood);
    EXPECT_EQ(general.risk.generalised, 36U);
    EXPECT_EQ(general.risk.suppressed + general.risk.left_out, 0U);
    EXPECT_EQ(general.risk.smallest, 6U);
    const ReleasedLabels blank = labels_of(data, {"second", "first"}, {.k = k, .rare = Rare::suppress});
    EXPECT_TRUE(blank.values.categorical("first").classes.empty());
    EXPECT_EQ(blank.risk.suppressed, 36U);
  }
}

// 80 people of ages 20, 21, ..., 99, by hand: eight bands of ten people, cut at the 10th, 20th ... of the sorted ages.
// With two classes of 40 beside them five people of each are left in every band.
TEST(ReleasedLabels, NumbersBecomeBands) {
  std::vector<std::string> identities, age, mood;
  for (int person = 0; person < 80; ++person) {
    identities.push_back(std::to_string(person));
    age.push_back(std::to_string(20 + person));
    mood.emplace_back(person % 2 == 0 ? "glad" : "sad");
  }
  const Dataset data = labelled(identities, age, mood);
  EXPECT_THROW((void)labels_of(data, {"first"}, {}), Error);
  const ReleasedLabels bands = labels_of(data, {"first", "second"}, {.rare = Rare::generalise});
  EXPECT_EQ(bands.values.column("first")[0], "1: below 30");
  EXPECT_EQ(bands.values.column("first")[79], "8: 90 and above");
  EXPECT_EQ(bands.risk.combinations, 16U);
  EXPECT_EQ(bands.risk.smallest, 5U);
  EXPECT_EQ(bands.risk.generalised, 80U);
  EXPECT_EQ(bands.risk.suppressed, 0U);
  // At k = 6 four bands of twenty people are the finest that hold.
  const ReleasedLabels four = labels_of(data, {"first", "second"}, {.k = 6, .rare = Rare::generalise});
  EXPECT_EQ(four.risk.combinations, 8U);
  EXPECT_EQ(four.risk.smallest, 10U);
}

// 120 people of ages 20, 20, 21, 21, ..., 79, by hand: eight bands of 14 to 16. Whoever is 9999 instead is in the last
// one, and so are ten who are, each with another number.
TEST(ReleasedLabels, BandsFollowTheBulkOfTheNumbers) {
  const auto ages = [](int outliers) {
    std::vector<std::string> identities, age, mood;
    for (int person = 0; person < 120; ++person) {
      identities.push_back(std::to_string(person));
      age.push_back(std::to_string(person < 7 || person >= 7 + outliers ? 20 + person / 2 : 9999 - person));
      mood.emplace_back("glad");
    }
    return labels_of(labelled(identities, age, mood), {"first"}, {.rare = Rare::generalise});
  };
  const ReleasedLabels one = ages(1);
  EXPECT_EQ(one.values.column("first")[0], "1: below 28");
  EXPECT_EQ(one.values.column("first")[16], "2: 28 to below 35");
  EXPECT_EQ(one.values.column("first")[7], "8: 73 and above");
  EXPECT_EQ(one.risk.combinations, 8U);
  EXPECT_EQ(one.risk.smallest, 14U);
  EXPECT_EQ(one.risk.suppressed + one.risk.left_out, 0U);
  const ReleasedLabels ten = ages(10);
  EXPECT_EQ(ten.risk.combinations, 8U);
  EXPECT_GE(ten.risk.smallest, 5U);
  EXPECT_EQ(ten.values.column("first")[7], ten.values.column("first")[119]);
}

// Many samples of one person must not count as many people: whoever is not named may be anybody.
TEST(ReleasedLabels, SamplesThatNameNobodyAreOnePersons) {
  Dataset data = hand;
  data.identity_column.clear();
  EXPECT_THROW((void)labels_of(data, {"first"}, {.k = 2}), Error);
  EXPECT_THROW((void)labels_of(data, {"first"}, {.k = 2, .one_sample_each = true}), Error);  // `identity` names fewer
  data = labelled({"1", "2", "", "", "", ""}, {"a", "a", "b", "b", "b", "b"}, {"x", "x", "x", "x", "x", "x"});
  EXPECT_THROW((void)labels_of(data, {"first"}, {.k = 2}), Error);
  EXPECT_EQ(labels_of(data, {"second"}, {.k = 3}).risk.smallest, 3U);
}

TEST_F(Release, WhatIsLeftOutIsNeitherWrittenNorJudged) {
  SKIP_WITHOUT_TRAINING();
  Dataset data = test::moody_people(40, 8, 16);
  std::vector<std::string> mouth = data.labels.column("mouth");
  for (std::size_t row = 0; row < 8; ++row) mouth[row] = "bitten";  // of the first person alone
  data.labels.replace_column("mouth", mouth);
  const ResolvedProtection protection = test::fitted_to_mood("g=8,keep=mouth=10%", data);
  fs::create_directory(folder / "public");
  EXPECT_NE(finding([&] { (void)release_to_folder(protection, data, {}, folder / "public"); }).find("1 people in all"),
            std::string::npos);
  const Released released = release_to_folder(protection, data, {.rare = Rare::suppress}, folder / "public");
  EXPECT_EQ(released.records, 312U);
  EXPECT_EQ(released.labels.left_out, 8U);
  EXPECT_EQ(released.place[3], Released::nowhere);
  EXPECT_EQ(read("public").size(), 312U);
  EXPECT_EQ(text("public/labels.csv").find("bitten"), std::string::npos);
  const Json results = release_evidence(protection, data, released, folder / "public", {.seed = 1, .bootstrap = 100});
  EXPECT_EQ(results["release"]["candidates"], 312);
  EXPECT_EQ(results["release"]["labels"]["left_out"], 8);
  EXPECT_EQ(results["release"]["rare"], "suppress");
  EXPECT_EQ(results["release"]["failures"], 0);
}

class Evidence : public Release {
 protected:
  [[nodiscard]] Json judged(const std::string& parameters, const Dataset& data) const {
    fs::create_directory(folder / "public");
    const ResolvedProtection protection = test::fitted_to_mood(parameters, data);
    const Released released = release_to_folder(protection, data, {}, folder / "public");
    return release_evidence(protection, data, released, folder / "public", {.seed = 1, .bootstrap = 100});
  }
  /// What a question said about the released data.
  static const Json& values(const Json& results, const std::string& question, const std::string& adversary = {}) {
    for (const Json& cell : results["cells"]) {
      const Json& key = cell["key"];
      if (key["question"] != question || key["technique"] == "none") continue;
      if (adversary.empty() || key.value("adversary", "") == adversary) return cell["values"];
    }
    throw std::runtime_error(question + " was not asked");
  }
  static const Json& attacker(const Json& results, const std::string& name) {
    for (const Json& one : values(results, "linkage")["attackers"]) {
      if (one["attacker"] == name) return one;
    }
    throw std::runtime_error("no attacker " + name);
  }
};

// Planted: every feature is held within 1/1000 of its own value, so that everybody finds everything.
TEST_F(Evidence, RecordsThatAreHeldInPlaceAreAllFound) {
  SKIP_WITHOUT_TRAINING();
  const Json results = judged("g=8,w=1000,rp=1", test::moody_people(40, 8, 16));
  for (const char* name : {"nearest", "retained", "likelihood"}) {
    EXPECT_EQ(attacker(results, name)["mixture"], 0.0) << name;
  }
  // Where another record of the class counts as the right one, there is nothing to find.
  EXPECT_GT(attacker(results, "likelihood")["null"]["mixture"].get<double>(), 0.9);
  EXPECT_EQ(results["release"]["traceable"], true);
  EXPECT_EQ(results["headline"]["strongest"]["value"], 1.0);
}

// Four features, sets of 64: what a record leaves of itself in the mean (1/64 of it) lies far below what the others
// vary by (1/8 of a deviation), and nobody finds much more than guessing would.
TEST_F(Evidence, RecordsThatAreLostInTheMeanAreNotFound) {
  SKIP_WITHOUT_TRAINING();
  const Json results = judged("g=64,w=1", test::moody_people(100, 4, 4));
  EXPECT_EQ(results["release"]["traceable"], false) << results["headline"];
  EXPECT_GT(attacker(results, "likelihood")["mixture"].get<double>(), 0.95);
}

TEST_F(Evidence, SaysWhatItMust) {
  SKIP_WITHOUT_TRAINING();
  const Dataset data = test::moody_people(40, 8, 16);
  const Json results = judged("g=8,keep=mouth=10%", data);
  const Json& parameters = values(results, "linkage")["parameters"];
  const Json& release = results["release"];
  EXPECT_EQ(release["records"], 320);
  EXPECT_EQ(release["judged"], 80);
  EXPECT_EQ(release["candidates"], 320);
  EXPECT_EQ(release["exact_copies"], 0);
  EXPECT_EQ(release["columns"], Json({"mood", "mouth"}));
  EXPECT_EQ(release["labels"]["combinations"], 4);
  EXPECT_EQ(release["one_record_per_identity"], false);
  EXPECT_EQ(parameters["g"], 8);
  EXPECT_EQ(parameters["purity"], 0.625);  // round(0.6 * 8) / 8
  EXPECT_EQ(parameters["retained_for"]["mood"], 1);
  EXPECT_EQ(parameters["retained_for"]["mouth"], 2);  // round(0.1 * 16)
  EXPECT_EQ(values(results, "utility")["attributes"].size(), 2U);
  for (const Json& one : values(results, "utility")["attributes"]) {
    for (const char* name : {"accuracy", "chance"}) {
      EXPECT_GE(one[name].get<double>(), 0.0);
      EXPECT_LE(one[name].get<double>(), 1.0);
    }
    EXPECT_LE(one["ci"][0].get<double>(), one["accuracy"].get<double>());
    EXPECT_GT(one["clear"]["accuracy"].get<double>(), 0.9);  // the best possible reaches 97.7 %: classes lie 4 apart
  }
  // Records are looked for among all 320, by those who see classes among those of the record's.
  EXPECT_EQ(attacker(results, "nearest")["candidates"], 320);
  EXPECT_NEAR(attacker(results, "nearest")["chance"].get<double>(), 1 - 1 / 320.0, 1e-12);
  // Who names people has clear samples of all 40, or released ones; two recognisers on clear data beside that.
  for (const char* adversary : {"naive", "parrot"}) {
    EXPECT_EQ(values(results, "identification", adversary)["identities"], 40) << adversary;
  }
  EXPECT_EQ(results["cells"].size(), 2U + 4 + 2 * 2);
  EXPECT_FALSE(results["ranking"].empty());
}

}  // namespace
}  // namespace bauta
