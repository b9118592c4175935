// Media of a run: decoded once, masked once, seen once, and batches that are done stay done.
#include <atomic>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "../captured.hpp"
#include "../data/scratch.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/synth_media.hpp"
#include "bauta/question/adversary.hpp"
#include "bauta/run/evaluate.hpp"
#include "bauta/run/reading.hpp"
#include "media_walk.hpp"
#include "step_store.hpp"
#include "stored_views.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;
using test::Scratch;

/// Images of one pixel, as dark as the number of their row, that count how often they are asked for.
class Counted : public MediaSource {
 public:
  explicit Counted(std::size_t size) : counts(size) {}

  [[nodiscard]] std::size_t size() const override { return counts.size(); }
  [[nodiscard]] std::string_view kind(std::size_t) const override { return "image"; }
  [[nodiscard]] Medium load(std::size_t row) const override {
    if (row >= readable) throw_environment("test", "the power is gone");
    ++counts[row];
    if (row == damaged) throw_input("test", "is damaged");
    return Image{1, 1, 1, {static_cast<std::uint8_t>(row % 251)}};
  }

  mutable std::vector<std::atomic<int>> counts;
  std::size_t readable = std::size_t(-1);
  std::size_t damaged = std::size_t(-1);
};

std::vector<std::size_t> every(std::size_t step, std::size_t size) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < size; row += step) rows.push_back(row);
  return rows;
}

class MediaWalk : public testing::Test {
 protected:
  MediaWalk() {
    data.origin = "test";
    data.labels = LabelTable("test", size);
    data.media = media;
  }

  [[nodiscard]] fs::path folder(const std::string& name) const {
    fs::create_directories(scratch / name);
    return scratch / name;
  }
  /// All rows as they are seen by two, every third masked and seen by one.
  [[nodiscard]] std::vector<Showing> showings() const {
    std::vector<Showing> all(2);
    all[0].rows = every(1, size);
    all[0].onlookers.push_back({&one, TemplateBatches(folder("one"))});
    all[0].onlookers.push_back({&four, TemplateBatches(folder("four"))});
    all[1].rows = every(3, size);
    all[1].mask = media_mask(technique, data.select(all[1].rows), {});
    all[1].folder = folder("masked");
    all[1].onlookers.push_back({&one, TemplateBatches(folder("masked-one"))});
    return all;
  }
  [[nodiscard]] StoredTemplates joined(const std::string& name) const {
    TemplateBatches(scratch / name).join("test");
    return read_templates(scratch / name);
  }

  static constexpr std::size_t size = 600;
  const Scratch scratch;
  const ResolvedExtractor one = make_extractor("pixels:size=1"), four = make_extractor("pixels:size=2");
  const ResolvedProtection technique = make_protection("pixelate");
  const std::shared_ptr<Counted> media = std::make_shared<Counted>(size);
  Dataset data;
};

TEST_F(MediaWalk, DecodesEachMediumOnceWhoeverSeesIt) {
  media->damaged = 9;
  std::vector<Showing> all = showings();
  walk_media(data, all);
  for (std::size_t row = 0; row < size; ++row) EXPECT_EQ(media->counts[row], 1) << row;
  const StoredTemplates seen = joined("four"), hidden = joined("masked-one");
  ASSERT_EQ(seen.templates.rows(), size);
  ASSERT_EQ(seen.templates.cols(), 4U);
  ASSERT_EQ(hidden.templates.rows(), size / 3);
  // Pixel value over 255; a mosaic of one pixel is that pixel.
  EXPECT_EQ(seen.templates.floats()(250, 3), 250 / 255.0F);
  EXPECT_EQ(hidden.templates.floats()(100, 0), 300 % 251 / 255.0F);
  EXPECT_EQ(seen.reasons[9], "is damaged");
  EXPECT_EQ(hidden.reasons[3], "is damaged");
  EXPECT_EQ(seen.templates.floats()(9, 0), 0);
  EXPECT_EQ(std::ranges::count(seen.reasons, ""), size - 1);
}

TEST_F(MediaWalk, GoesOnAfterTheLastBatchThatWasDone) {
  std::vector<Showing> all = showings();
  walk_media(data, all);
  const StoredTemplates whole = joined("one");
  for (const char* name : {"one", "four", "masked", "masked-one"}) fs::remove_all(scratch / name);

  media->readable = 300;  // in the second batch of 256
  all = showings();
  walk_media(data, all);
  EXPECT_TRUE(all[0].onlookers[0].broken);
  EXPECT_TRUE(all[1].onlookers[0].broken);
  media->readable = size;
  for (auto& count : media->counts) count = 0;
  all = showings();
  walk_media(data, all);
  EXPECT_FALSE(all[0].onlookers[0].broken);
  for (std::size_t row = 0; row < size; ++row) EXPECT_EQ(media->counts[row], row < 256 ? 0 : 1) << row;
  const StoredTemplates again = joined("one");
  EXPECT_EQ(again.reasons, whole.reasons);
  for (std::size_t row = 0; row < size; ++row) {
    EXPECT_EQ(again.templates.row_bytes(row), whole.templates.row_bytes(row));
  }
}

TEST_F(MediaWalk, WhatIsMaskedIsNotMaskedAgain) {
  std::vector<Showing> all = showings();
  walk_media(data, all);
  fs::remove_all(scratch / "masked-one");
  for (auto& count : media->counts) count = 0;
  all = showings();
  walk_media(data, all);
  for (std::size_t row = 0; row < size; ++row) EXPECT_EQ(media->counts[row], 0) << row;
  EXPECT_EQ(joined("masked-one").templates.floats()(10, 0), 30 / 255.0F);
}

// Once there is no room, masked media lie nowhere, and are seen all the same.
TEST_F(MediaWalk, WithoutRoomMaskedMediaDoNotStay) {
  std::vector<Showing> all = showings();
  EXPECT_TRUE(walk_media(data, all, [] { return true; }));
  const StoredTemplates whole = joined("masked-one");
  EXPECT_FALSE(fs::is_empty(scratch / "masked"));
  for (const char* name : {"one", "four", "masked", "masked-one"}) fs::remove_all(scratch / name);
  for (auto& count : media->counts) count = 0;
  all = showings();
  int batches = 0;
  std::size_t most = 0;
  EXPECT_FALSE(walk_media(data, all, [&] {
    if (fs::exists(scratch / "masked")) {
      const fs::directory_iterator there(scratch / "masked");
      most = std::max<std::size_t>(most, static_cast<std::size_t>(std::distance(begin(there), end(there))));
    }
    return ++batches < 2;
  }));
  EXPECT_EQ(batches, 2);  // nobody is asked again
  EXPECT_EQ(most, 171U);  // every third of 512; the other 29 are not written
  EXPECT_TRUE(fs::is_empty(scratch / "masked"));
  EXPECT_TRUE(all[1].folder.empty());
  for (std::size_t row = 0; row < size; ++row) EXPECT_EQ(media->counts[row], 1) << row;
  const StoredTemplates again = joined("masked-one");
  for (std::size_t row = 0; row < whole.templates.rows(); ++row) {
    EXPECT_EQ(again.templates.row_bytes(row), whole.templates.row_bytes(row));
  }
}

TEST_F(MediaWalk, OneWhoCannotTakeTheMediaStopsNobodyElse) {
  const ResolvedExtractor voices = make_extractor("cepstra");
  std::vector<Showing> all = showings();
  all[0].onlookers.push_back({&voices, TemplateBatches(folder("voices"))});
  walk_media(data, all);
  ASSERT_TRUE(all[0].onlookers[2].broken);
  test::expect_contains(all[0].onlookers[2].broken->what(), "test row 1: cepstra: takes recordings, this is an image");
  EXPECT_EQ(joined("one").templates.rows(), size);
}

TEST(StepStore, KeepsWithinItsBudgetAtTheCostOfTheOldest) {
  const Scratch scratch;
  const StepStore steps(scratch / "steps", 2500);
  for (const char* name : {"a", "b", "c"}) {
    std::ofstream(steps.open(name) / "content") << std::string(1000, 'x');
    steps.finish(name);
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(scratch / "steps" / name, now + std::chrono::seconds(name[0] - 'f'));
  }
  (void)steps.open("a");  // used
  std::ofstream(steps.open("d") / "content") << std::string(1000, 'x');
  steps.trim("c");  // unfinished ones are left alone
  EXPECT_TRUE(steps.finished("a"));
  EXPECT_FALSE(steps.finished("b"));
  EXPECT_TRUE(steps.finished("c"));
  EXPECT_TRUE(fs::exists(scratch / "steps/d/content"));
}

TEST(StepStore, KnowsHowMuchRoomIsLeftForWhatIsUnfinished) {
  const Scratch scratch;
  const StepStore steps(scratch / "steps", 2500);
  EXPECT_EQ(steps.room(), 2500);
  for (const char* name : {"a", "b"}) {
    std::ofstream(steps.open(name) / "content") << std::string(1000, 'x');
    steps.finish(name);
  }
  const std::int64_t marks = 500 - steps.room();  // of the two that are finished
  EXPECT_GT(marks, 0);
  EXPECT_LT(marks, 200);
  std::ofstream(steps.open("c") / "content") << std::string(1000, 'x');
  EXPECT_EQ(steps.room(), 500 - marks / 2);  // one of them went
  EXPECT_NE(steps.finished("a"), steps.finished("b"));
  std::ofstream(steps.open("c") / "more") << std::string(3000, 'x');
  EXPECT_EQ(steps.room(), -1500);
  EXPECT_FALSE(steps.finished("a") || steps.finished("b"));
  EXPECT_TRUE(fs::exists(scratch / "steps/c/more"));
}

TEST(StepStore, AStepThatSomebodyChangedIsMadeAgain) {
  const Scratch scratch;
  const auto content = scratch / "steps/a/content";
  {
    const StepStore steps(scratch / "steps", 2500);
    std::ofstream(steps.open("a") / "content") << "made";
    steps.finish("a");
  }
  EXPECT_TRUE(StepStore(scratch / "steps", 2500).finished("a"));
  std::ofstream(content) << "edited";
  EXPECT_FALSE(StepStore(scratch / "steps", 2500).finished("a"));
  EXPECT_FALSE(fs::exists(content));
  EXPECT_TRUE(fs::is_directory(scratch / "steps/a"));
}

// Nobody waits for a pipe in it, follows a link out of it, or stumbles over a file in its place.
TEST(StepStore, AStepThatHoldsMoreThanFilesIsMadeAgain) {
  const auto pipe = [](const fs::path& place) { ASSERT_EQ(::mkfifo(place.c_str(), 0600), 0); };
  const auto link = [](const fs::path& place) { fs::create_symlink("/dev/zero", place); };
  const auto file = [](const fs::path& place) { std::ofstream(place) << "x"; };
  const auto tried = [&](const char* name, const std::function<void(const fs::path&)>& put, bool finished) {
    const Scratch scratch;
    const fs::path step = scratch / "steps/a";
    {
      const StepStore steps(scratch / "steps", 2500);
      std::ofstream(steps.open("a") / "content") << "made";
      if (finished) steps.finish("a");
    }
    const fs::path place = *name == '\0' ? step : step / name;
    fs::remove_all(place);
    put(place);
    testing::internal::CaptureStderr();
    const StepStore steps(scratch / "steps", 2500);
    EXPECT_GE(steps.room(), 0);
    EXPECT_EQ(steps.open("a"), step);
    EXPECT_FALSE(steps.finished("a"));
    test::expect_contains(testing::internal::GetCapturedStderr(), "was changed from outside: it is made again");
    EXPECT_TRUE(fs::is_empty(step));
  };
  for (const bool finished : {true, false}) {
    for (const char* name : {"content", "finished", "more", ""}) {
      tried(name, pipe, finished);
      tried(name, link, finished);
    }
    tried("", file, finished);
  }
  const Scratch scratch;
  scratch.write("steps/file", "x");
  EXPECT_EQ(StepStore(scratch / "steps", 2500).room(), 2500);
}

class MediaRun : public testing::Test {
 protected:
  MediaRun() {
    fs::create_directories(scratch / "faces");
    (void)synthesize_faces(scratch / "faces", {.identities = 12, .samples = 10});
    scratch.write("e.toml",
                  "[data]\ntarget = { path = \"faces\", only = \"hair=dark\" }\n"
                  "background = { path = \"faces\", only = \"hair=light\" }\n"
                  "[protect]\ntechnique = [\"none\", \"gaussian-blur\", \"pixelate\"]\n"
                  "[protocol]\nkind = \"closed-set\"\n"
                  "adversary = [\"naive\", \"lazy\", \"parrot-50\", \"parrot\", \"retrained\"]\n"
                  "[extract]\nrepresentation = [\"pixels:size=8\", \"eigenface:size=8,components=9\"]\n"
                  "[attack]\nrecogniser = [\"nearest\", \"centroid\"]\n[measure]\nbootstrap = 10\n");
  }
  EvaluateSummary run(const std::string& out, const EvaluateOptions& how = {},
                      const std::vector<std::string>& overrides = {}) {
    EvaluateOptions options = how;
    options.out = scratch / out;
    return test::captured(log, [&] { return evaluate(read_experiment(scratch / "e.toml", overrides), options); });
  }
  [[nodiscard]] std::string results(const std::string& out) const {
    std::stringstream text;
    text << std::ifstream(scratch / out / "results.json").rdbuf();
    return text.str();
  }
  /// Lines of the log that contain a text.
  [[nodiscard]] std::multiset<std::string> steps(const std::string& part) const {
    std::multiset<std::string> found;
    std::stringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
      if (line.find(part) != std::string::npos) found.insert(line);
    }
    return found;
  }

  const Scratch scratch;
  std::string log;
};

// 2 techniques x 2 representations x 5 adversaries x 2 recognisers, and 4 cells without a technique; and which image it
// was, of 3 techniques by 2 representations.
TEST_F(MediaRun, FortyQuestionsDecodeEachImageOnce) {
  const EvaluateSummary summary = run("run");
  EXPECT_EQ(summary.cells, 50U);
  EXPECT_EQ(summary.failed, 0U);
  EXPECT_EQ(summary.decoded, 12U * 10U);  // of 6 people, and of 6 others
  const auto said = steps("step: ");
  for (const auto& line : said) EXPECT_EQ(said.count(line), 1U) << line;
  EXPECT_EQ(steps("media").size(), 4U);  // 2 techniques for the people and for the background
  // 2 data sets, clear and masked by 2 techniques; others are seen by what is learned from them alone.
  EXPECT_EQ(steps("seen by pixels").size(), 6U);
  // Clear eigenfaces see faces in 3 forms, those of others who are masked see the faces masked. Parrots learn theirs
  // from the enrolled faces: masked ones see them masked, half masked ones also clear, and clear ones clear.
  EXPECT_EQ(steps("seen by eigenface:").size(), 3U + 2U + 2U * (1U + 2U) + 1U) << log;
  EXPECT_EQ(steps("learned from the enrol part").size(), 2U * (1U + 2U) + 1U);
  EXPECT_FALSE(fs::exists(scratch / "run/steps"));
}

TEST_F(MediaRun, GoesOnFromWhatIsThereAndShowsItToNobody) {
  (void)run("run", {.out = {}, .keep_steps = true});
  for (const auto& entry : fs::recursive_directory_iterator(scratch / "run/steps")) {
    EXPECT_EQ(entry.status().permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none)
        << entry.path();
  }
  const std::string before = results("run");
  for (const char* name : {"cells", "attempts"}) {
    for (const auto& entry : fs::directory_iterator(scratch / "run" / name)) fs::remove(entry.path());
  }
  const EvaluateSummary again = run("run");
  EXPECT_EQ(again.computed, 50U);
  EXPECT_EQ(again.decoded, 0U);
  EXPECT_TRUE(steps("step: ").empty()) << log;
  EXPECT_EQ(results("run"), before);
}

TEST_F(MediaRun, WithoutRoomOnDiskItIsSlowerAndRight) {
  const std::vector<std::string> less = {
      "protect.technique=pixelate", "protocol.adversary=[\"parrot-50\", \"retrained\"]", "attack.recogniser=centroid"};
  (void)run("run", {}, less);
  const EvaluateSummary cramped = run("cramped", {.out = {}, .disk = 1}, less);
  EXPECT_EQ(cramped.cells, 6U);
  EXPECT_EQ(cramped.failed, 0U);
  EXPECT_GT(cramped.decoded, 12U * 10U);
  EXPECT_EQ(results("cramped"), results("run"));
}

// What masks templates leaves nothing to learn a representation from anew: these attackers are parrots.
TEST_F(MediaRun, WhoRetrainsAgainstATechniqueForTemplatesIsAParrot) {
  const EvaluateSummary summary =
      run("run", {},
          {"protect.technique=csn", "protocol.adversary=[\"parrot\", \"retrained\"]", "attack.recogniser=centroid",
           "extract.representation=eigenface:size=8,components=9"});
  EXPECT_EQ(summary.cells, 3U);
  EXPECT_EQ(summary.failed, 0U);
  std::vector<Json> said;
  const Json json = Json::parse(results("run"));
  for (const Json& cell : json["cells"]) {
    if (cell["key"].contains("adversary")) said.push_back(cell["values"]["results"]);
  }
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0], said[1]);
}

// What parrots see by, made by hand: eigenfaces of the very samples that they learn from, in the form in which they
// have them.
TEST_F(MediaRun, ParrotsSeeByWhatTheirOwnSamplesTaught) {
  const Experiment experiment = read_experiment(scratch / "e.toml", {"protocol.repeats=2"});
  const auto read = [&](ReadOptions options) {
    options.templates_required = false;
    return read_data((scratch / "faces").string(), options);
  };
  ExperimentData data;
  data.target = {read(experiment.target.options), "target"};
  data.background = Source{read(experiment.background.options), "background"};
  StoredViews views(data, closed_set(data.sources(), {}, 0.5, 2, 1), {}, {.out = scratch / "run"});
  const std::string eigen = "eigenface:size=8,components=9", base = make_extractor(eigen)->base();
  std::set<std::string> digests;
  for (const char* name : {"parrot", "parrot-25", "parrot-50", "lazy", "retrained"}) {
    const Adversary& who = find_adversary(name);
    const Representation seen = who.sees(eigen, "pixelate", Role::enrol);
    const Recipe probes{Role::probe, {"pixelate"}, seen};
    views.expect({probes});
    EXPECT_TRUE(digests.insert(views.digest(probes)).second) << name;
    for (std::size_t r = 0; r < 2; ++r) {
      const Role taught = who.learns_all ? Role::enrol : Role::background;
      const Form form = name == std::string("lazy") ? Form{} : who.learns("pixelate", {});
      const ResolvedExtractor by_hand = make_extractor(eigen);
      by_hand->fit(views.view({taught, form, {base}}, r));
      const Dataset raw = views.view({Role::probe, {"pixelate"}, {base}}, r), found = views.view(probes, r);
      ASSERT_EQ(found.size(), 30U);
      for (std::size_t row = 0; row < found.size(); ++row) {
        const std::vector<float> expected = by_hand->project(raw.templates.floats().row(row));
        const auto got = found.templates.floats().row(row);
        EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), expected.end())) << name << " " << row;
      }
    }
  }
  // A quarter of the enrolled is masked, the others are clear: as many rows are those of the masked faces.
  const Dataset mixed = views.view({Role::enrol, {"pixelate", {}, 0.25}, {base}}, 0);
  const Dataset clear = views.view({Role::enrol, {}, {base}}, 0);
  std::size_t masked = 0;
  for (std::size_t row = 0; row < mixed.size(); ++row) {
    masked += mixed.templates.row_bytes(row) != clear.templates.row_bytes(row);
  }
  EXPECT_EQ(masked, 8U);  // of 30
}

// A technique that learns is another one in each rotation, and so is what it makes of the people who teach.
TEST_F(MediaRun, WhoRetrainsLearnsBehindTheMaskOfTheirRotation) {
  ReadOptions options;
  options.templates_required = false;
  const auto faces = [&](const char* folder, std::uint64_t seed) {
    fs::create_directories(scratch / folder);
    (void)synthesize_faces(scratch / folder, {.identities = 10, .samples = 4, .seed = seed});
    Dataset read = read_data((scratch / folder).string(), options);
    std::vector<std::string> names = read.labels.column(read.identity_column);
    for (std::string& name : names) name += folder;
    read.labels.replace_column(read.identity_column, std::move(names));
    return read;
  };
  ExperimentData data;
  data.target = {faces("target", 7), "target"};
  data.background = Source{faces("others", 8), "background"};
  StoredViews views(data, privacy_evaluation(data.sources(), parse_pep("PEP-LBS-1-1-3"), "hair", 2, 1), {},
                    {.out = scratch / "run"});
  const std::string technique = "k-same-pixel:k=2", eigen = "eigenface:size=8,components=9";
  const std::string base = make_extractor(eigen)->base();
  const Representation seen = find_adversary("retrained").sees(eigen, technique, Role::attacker);
  const Recipe target{Role::target, {technique}, seen};
  views.expect({target});
  std::vector<Dataset> taught_by;
  for (std::size_t r = 0; r < 2; ++r) {
    const ResolvedExtractor by_hand = make_extractor(eigen);
    taught_by.push_back(views.view({Role::background, {technique}, {base}}, r));
    by_hand->fit(taught_by.back());
    const Dataset raw = views.view({Role::target, {technique}, {base}}, r), found = views.view(target, r);
    ASSERT_GT(found.size(), 0U);
    for (std::size_t row = 0; row < found.size(); ++row) {
      const std::vector<float> expected = by_hand->project(raw.templates.floats().row(row));
      const auto got = found.templates.floats().row(row);
      EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), expected.end())) << r << " " << row;
    }
  }
  EXPECT_NE(taught_by[0].templates.row_bytes(0), taught_by[1].templates.row_bytes(0));
}

// Whoever is fixed, or taught by somebody who sees faces unmasked, sees as before: lazy and parrot are one.
TEST_F(MediaRun, LazyAndParrotDifferWhereTheRepresentationIsLearned) {
  EXPECT_EQ(
      run("run", {},
          {"protect.technique=pixelate", "protocol.adversary=[\"lazy\", \"parrot\"]", "attack.recogniser=nearest"})
          .failed,
      0U);
  std::map<std::string, std::vector<Json>> said;
  const Json done = Json::parse(results("run"));
  for (const Json& cell : done["cells"]) {
    if (cell["key"]["question"] == "identification") {
      said[cell["key"]["representation"]].push_back(cell["values"]["results"][0]["mean_rank"]);
    }
  }
  ASSERT_EQ(said["pixels:size=8"].size(), 2U);
  EXPECT_EQ(said["pixels:size=8"][0], said["pixels:size=8"][1]);
  ASSERT_EQ(said["eigenface:size=8,components=9"].size(), 2U);
  EXPECT_NE(said["eigenface:size=8,components=9"][0], said["eigenface:size=8,components=9"][1]);
}

// One grey pixel is left of every image: no LBPH of it, whoever looks, and nothing that eigenfaces could be learned
// from. Each is then a guess among six people. (Who sees by clear eigenfaces takes everybody for the same person.)
TEST_F(MediaRun, BehindAMaskThatLeavesNothingEverybodyGuesses) {
  scratch.write("grey.sh", "for file in \"$1\"/*; do printf 'P5\\n1 1\\n255\\n@' > \"$2/${file##*/}\"; done\n");
  const std::string grey = "command:run=sh " + (scratch / "grey.sh").string() + " {in} {out}";
  const EvaluateSummary summary =
      run("run", {},
          {"protect.technique=[\"none\", \"" + grey + "\"]", "attack.recogniser=centroid", "measure.open_set=0.5",
           "extract.representation=[\"lbph\", \"eigenface:size=8,components=9\"]",
           "protocol.adversary=[\"naive\", \"parrot\", \"retrained\", \"recover\"]", "attack.recovery=average-media"});
  EXPECT_EQ(summary.failed, 0U);
  std::size_t guessed = 0;
  const Json json = Json::parse(results("run"));
  for (const Json& cell : json["cells"]) {
    EXPECT_EQ(cell["status"], "done") << cell["error"];
    if (!cell["key"].contains("adversary") || cell["key"]["question"] != "identification") continue;
    const Json& values = cell["values"];
    EXPECT_GT(values["clear"].get<double>(), 0.5) << cell["key"];
    const std::string seen = cell["key"]["representation"], who = cell["key"]["adversary"];
    if (seen.starts_with("eigenface") && who != "parrot" && who != "retrained") continue;
    ++guessed;
    EXPECT_NEAR(values["results"][0]["rank1"].get<double>(), 1.0 / 6, 1e-12) << cell["key"];
    EXPECT_EQ(values["remarks"].size(), 1U) << cell["key"];
  }
  EXPECT_EQ(guessed, 4U + 2U);
  // Of clear media it stays an error.
  for (const auto& file : fs::recursive_directory_iterator(scratch / "faces")) {
    if (file.path().extension() == ".png") std::ofstream(file.path()) << "P5\n1 1\n255\n@";
  }
  EXPECT_GT(run("empty", {}, {"protect.technique=pixelate", "extract.representation=lbph"}).failed, 0U);
}

// In folds attackers learn a representation from the people whom they know, in each rotation anew.
TEST_F(MediaRun, WithoutOtherPeopleRepresentationsAreLearnedFromWhoIsKnown) {
  scratch.write("e.toml",
                "[data]\ntarget = \"faces\"\nattribute = \"hair\"\n[protect]\ntechnique = [\"none\", \"pixelate\"]\n"
                "[protocol]\nkind = \"PEP-TF-2-1-1\"\nrepeats = 2\nadversary = [\"parrot\", \"parrot-50\"]\n"
                "[extract]\nrepresentation = \"eigenface:size=8,components=5\"\n"
                "[attack]\nestimator = \"lda\"\n[measure]\nbootstrap = 10\ncomposition = true\n");
  const EvaluateSummary folds = run("folds");
  EXPECT_EQ(folds.failed, 0U);
  EXPECT_EQ(folds.decoded, 12U * 10U);
  // Once per rotation: by what the attackers' clear samples taught, and what those did of which half are masked. Masked
  // ones are seen by both, by what masked samples taught, and by the rightful user, whose eigenfaces are clear.
  EXPECT_EQ(steps("(whole), seen by eigenface").size(), 4U) << log;
  EXPECT_EQ(steps("seen by eigenface").size(), 4U + 6U) << log;
  // Nobody is known: only verification is asked.
  EXPECT_THROW((void)run("nobody", {}, {"protocol.kind=cross-database", "attack.estimator=[]", "protocol.repeats=0"}),
               Error);
}

}  // namespace
}  // namespace bauta
