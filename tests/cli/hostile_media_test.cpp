// Folders of images as people have them: some are damaged, none at all, too large, or show nobody. What can be read is
// judged, what cannot is counted and named, and where nothing is left the program says so with status 2.
#include <map>

#include <fmt/format.h>
#include <zlib.h>

#include "../data/media_fixtures.hpp"
#include "../training.hpp"
#include "program.hpp"

namespace bauta {
namespace {

class HostileMedia : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    for (int person = 0; person < 4; ++person) {
      for (int sample = 0; sample < 4; ++sample) {
        write("media/p" + std::to_string(person) + "/" + std::to_string(sample) + ".pgm", image(person, sample));
      }
    }
    write("media/p0/broken.jpg", std::string("\xff\xd8\xff\xe0\0\x10JFIF\0\1", 13));
    write("media/p1/text.png", "I am no image\n");
    write("media/p2/one.pgm", "P5 1 1 255\nx");
    write("media/p3/huge.png", huge_png());
    write("media/p3/zero.jpg", "");
    write("media/p3/grey.pgm", "P5 20 20 255\n" + std::string(400, 'x'));
    write("media/p3/zz_half.jpg", half_jpeg());
    std::filesystem::create_directories(folder / "media/empty");
    std::filesystem::create_directories(folder / "nothing");
    write("lost/a/1.png", "no image");
    write("lost/b/2.png", "no image either");
  }

  static std::string image(int person, int sample) {
    std::string text = "P5 20 16 255\n";
    for (int i = 0; i < 320; ++i) {
      text.push_back(static_cast<char>(40 + person * 45 + (i * (person + 2)) % 30 + (sample * 7 + i) % 5));
    }
    return text;
  }
  /// Its lower half is missing: by the header there are 16 rows of pixels, of which blocks for 8 follow.
  static std::string half_jpeg() {
    std::string file = test::jpeg_grey;
    file[file.find("\xff\xc0") + 6] = 16;
    return file.substr(0, file.size() - 2);  // nor is there an end
  }
  /// A valid image of 20,000 x 20,000 pixels, black and of a bit each.
  static std::string huge_png() {
    const auto number = [](std::uint32_t value) {
      std::string bytes;
      for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift));
      return bytes;
    };
    const auto chunk = [&](const std::string& name, const std::string& content) {
      const std::string body = name + content;
      const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
      return number(static_cast<std::uint32_t>(content.size())) + body + number(static_cast<std::uint32_t>(checksum));
    };
    const std::string rows(std::size_t{20000} * (1 + 20000 / 8), '\0');
    std::string packed(compressBound(rows.size()), '\0');
    uLongf size = packed.size();
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()), rows.size(),
              1);
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", number(20000) + number(20000) + std::string("\1\0\0\0\0", 5)) +
           chunk("IDAT", packed.substr(0, size)) + chunk("IEND", "");
  }
  /// Four people of eight images each, as they are and masked by a program; what it left for itself is looked for.
  [[nodiscard]] CommandResult evaluate_own(const std::string& technique) const {
    for (int person = 0; person < 4; ++person) {
      for (int sample = 0; sample < 8; ++sample) {
        write("clean/p" + std::to_string(person) + "/" + std::to_string(sample) + ".pgm", image(person, sample));
      }
    }
    write("own.toml", "[data]\ntarget = \"clean\"\n[protect]\ntechnique = [\"none\", \"" + technique +
                          "\"]\n[extract]\nrepresentation = \"pixels:size=4\"\n[protocol]\nkind = \"closed-set\"\n"
                          "[attack]\nrecogniser = \"nearest\"\n[measure]\nbootstrap = 10\n");
    const std::filesystem::path temporary = folder / "temporary";
    std::filesystem::create_directories(temporary);
    const char* const before = std::getenv("TMPDIR");
    const std::string kept = before == nullptr ? "" : before;
    ::setenv("TMPDIR", temporary.c_str(), 1);
    CommandResult done = run("evaluate own.toml --out run");
    before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
    EXPECT_TRUE(std::filesystem::is_empty(temporary));
    EXPECT_FALSE(std::filesystem::exists(folder / "run/steps"));
    return done;
  }
  static void expect_said(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
};

TEST_F(HostileMedia, InspectNamesEveryOne) {
  const CommandResult told = run("inspect media");
  EXPECT_EQ(told.status, 0) << told.err;
  expect_said(told.out, {"23 samples, image: 18, cannot be read: 5", "p0/broken.jpg) cannot be read: is a damaged JPEG",
                         "p1/text.png) cannot be read", "p3/huge.png) cannot be read: an image of 20000 x 20000 pixels",
                         "p3/zero.jpg) cannot be read", "p3/zz_half.jpg) cannot be read: is a damaged JPEG: it ends",
                         "1 sub-folders hold no media"});
  const Json json = run("inspect media --json").json();
  EXPECT_EQ(json["unreadable"].size(), 5U);
  EXPECT_EQ(json["kinds"]["image"], 18);
}

TEST_F(HostileMedia, TheOthersAreMaskedAndSeen) {
  const CommandResult masked = run("protect pixelate media --out masked --json");
  ASSERT_EQ(masked.status, 0) << masked.err;
  EXPECT_EQ(masked.json()["failures"], 5);
  expect_said(masked.json()["remarks"].dump(), {"5 of 23 media could not be read", "row 5 (is a damaged JPEG"});
  const CommandResult seen = run("extract pixels:size=4 masked --out seen --json");
  ASSERT_EQ(seen.status, 0) << seen.err;
  EXPECT_EQ(seen.json()["failures"], 5);
  const CommandResult named =
      run("identify --enrol seen --probe seen --test 0.5 --recogniser nearest --bootstrap 0 --json");
  ASSERT_EQ(named.status, 0) << named.err;
  EXPECT_EQ(named.json()["identities"], 4);
}

/// How a technique is run on a few small images, and how many of the 23 it cannot take.
struct Trial {
  std::string technique;
  int failures = 5;
  std::string undoes = {};  ///< of a recovery: the mask
};

/// Those of the catalogue that take images; what is not in `trials` is tried as it is.
std::vector<std::pair<Json, Trial>> on_images(const Json& catalogue, const std::map<std::string, Trial>& trials) {
  std::vector<std::pair<Json, Trial>> found;
  for (const Json& entry : catalogue) {
    if (entry["medium"] != "image") continue;
    const std::string name = entry["name"];
    const auto trial = trials.find(name);
    found.emplace_back(entry, trial == trials.end() ? Trial{.technique = name, .undoes = "pixelate"} : trial->second);
  }
  return found;
}

// Of the media two have another size than the others, one of these a single pixel; both are squares.
TEST_F(HostileMedia, EveryMaskGoesOnWithTheRest) {
  SKIP_WITHOUT_TRAINING();
  auto masks = on_images(run("list protections --json").json()["protections"],
                         {{"dp-samp", {"dp-samp:restarts=1"}},
                          {"k-same-pixel", {"k-same-pixel:k=2", 7}},
                          {"k-same-eigen", {"k-same-eigen:k=2", 7}},
                          {"k-same-select", {"k-same-select:k=1,by=identity", 7}},
                          {"fawkes", {"fawkes:steps=1", 22}},
                          {"face-replace", {"face-replace:points=usual", 21}}});
  ASSERT_GE(masks.size(), 13U);
  for (const char* name : {"k-same-pixel", "k-same-eigen"}) {
    masks.emplace_back(Json{{"learns", true}}, Trial{std::string(name) + ":k=3,form=partition,several=galleries", 7});
  }
  for (const auto& [entry, trial] : masks) {
    const CommandResult done = run("protect " + trial.technique + " media --out masked --json" +
                                   (entry["learns"] == true ? " --fit media" : ""));
    EXPECT_EQ(done.err.find("internal"), std::string::npos) << done.err;
    if (done.status == 1) continue;  // the weights or the library that it needs are not installed
    ASSERT_EQ(done.status, 0) << trial.technique << "\n" << done.err;
    EXPECT_EQ(done.json()["failures"], trial.failures) << trial.technique << "\n" << done.out;
    expect_said(done.out, {std::to_string(trial.failures) + " of 23 media could not be read, e.g. row "});
    std::filesystem::remove_all(folder / "masked");
  }
}

TEST_F(HostileMedia, EveryRecoveryGoesOnWithTheRest) {
  for (const char* person : {"0", "1", "2", "3"}) {
    std::filesystem::create_directories(folder / "others");
    std::filesystem::copy(folder / "media" / ("p" + std::string(person)), folder / "others" / person);
  }
  const auto recoveries = on_images(run("list recoveries --json").json()["recoveries"],
                                    {{"interpolate", {"interpolate", 5, "dp-snow:d=0.5"}},
                                     {"deblur", {"deblur", 6, "gaussian-blur:kernel=5"}},
                                     {"subtract-overlay", {"subtract-overlay", 7, "k-rtio"}},
                                     {"reversal", {"reversal:size=8,width=1,epochs=1,validation=0", 5, "pixelate"}}});
  ASSERT_GE(recoveries.size(), 5U);
  for (const auto& [entry, trial] : recoveries) {
    for (const std::string data : {"media", "others"}) {
      ASSERT_EQ(run("protect " + trial.undoes + " " + data + " --out masked-" + data).status, 0);
    }
    const CommandResult done = run("recover " + trial.technique + " masked-media --out back --json" +
                                   (entry["learns"] == true ? " --clear others --protected masked-others" : ""));
    EXPECT_EQ(done.err.find("internal"), std::string::npos) << done.err;
    for (const char* made : {"masked-media", "masked-others"}) std::filesystem::remove_all(folder / made);
    if (done.status == 1) continue;
    ASSERT_EQ(done.status, 0) << trial.technique << "\n" << done.err;
    EXPECT_EQ(done.json()["failures"], trial.failures) << trial.technique << "\n" << done.out;
    std::filesystem::remove_all(folder / "back");
  }
}

TEST_F(HostileMedia, PicturesOfNobodyFailAlone) {
  ASSERT_EQ(run("synth faces --identities 1 --samples 2 --seed 1 --out drawn").status, 0);
  std::filesystem::create_directories(folder / "seen");
  std::filesystem::copy(folder / "drawn/p1", folder / "seen/p1");
  write("seen/p1/nobody.pgm", "P5 64 64 255\n" + std::string(4096, 'x'));
  // A detector takes drawings for nobody, and then there is nothing left.
  const CommandResult aligned = run("align seen --out aligned");
  if (aligned.status != 1) expect_said(aligned.err, {"none of 3 images could be aligned", "no face was found"});
  EXPECT_NE(aligned.status, 0);
  for (const std::string technique : {"eye-mask:place=landmarks", "face-replace"}) {
    const CommandResult done = run("protect " + technique + " seen --out masked --json");
    if (done.status == 1) GTEST_SKIP() << done.err;
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(done.json()["failures"], 1);
    expect_said(done.out, {"1 of 3 media could not be read, e.g. row 3 (no face was found"});
    std::filesystem::remove_all(folder / "masked");
  }
}

TEST_F(HostileMedia, AnExperimentGoesOnWithTheRest) {
  write("e.toml",
        "[data]\ntarget = \"media\"\n[protect]\ntechnique = [\"none\", \"pixelate:cells=2\"]\n"
        "[extract]\nrepresentation = \"pixels:size=4\"\n[protocol]\nkind = \"closed-set\"\n"
        "[attack]\nrecogniser = \"nearest\"\n[measure]\ncost = \"likeness\"\nbootstrap = 10\n");
  const CommandResult done = run("evaluate e.toml --out run");
  ASSERT_EQ(done.status, 0) << done.err;
  expect_said(done.err, {"5 of 23 failed, e.g. row 5 (is a damaged JPEG"});
  // By hand: folders and files in the order of their names. Masked media are lost where clear ones are.
  const Json results = Json::parse(read(folder / "run/results.json"));
  ASSERT_EQ(results["lost"].size(), 3U) << results["lost"];
  EXPECT_EQ(results["lost"][2]["extractor"], "likeness");  // which cannot judge 1 x 1 pixels either
  EXPECT_EQ(results["lost"][2]["failed"], 6);
  for (const int place : {0, 1}) {
    const Json& lost = results["lost"][place];
    EXPECT_EQ(lost["data"], "media");
    EXPECT_EQ(lost["samples"], 23);
    EXPECT_EQ(lost["failed"], 5);
    std::map<int, std::string> reason_of;
    for (const Json& reason : lost["reasons"]) {
      for (const int row : reason["rows"]) reason_of[row] = reason["reason"];
    }
    ASSERT_EQ(reason_of.size(), 5U) << lost;
    expect_said(reason_of[5], {"is a damaged JPEG"});
    expect_said(reason_of[10], {"is no image, recording or motion in a known format"});
    expect_said(reason_of[21], {"an image of 20000 x 20000 pixels"});
    expect_said(reason_of[22], {"is no image, recording or motion in a known format"});
    expect_said(reason_of[23], {"is a damaged JPEG: it ends too early"});
  }
  EXPECT_EQ(results["lost"][0]["technique"], "none");
  EXPECT_EQ(results["lost"][1]["technique"], "pixelate:cells=2");
  EXPECT_EQ(run("report run").status, 0);
  expect_said(read(folder / "run/report.html"),
              {"What does the mask cost the medium?", "Which samples could not be judged?", "is a damaged JPEG",
               "5 of 23 in media: nobody judged them"});
  // What is found finished tells the same as what is made.
  std::filesystem::remove(folder / "run/results.json");
  ASSERT_EQ(run("evaluate e.toml --out run --json").json()["computed"], 0);
  EXPECT_EQ(Json::parse(read(folder / "run/results.json"))["lost"], results["lost"]);
}

// A program of somebody else's that writes half a file, none, a text, two and one too many. In a closed set each role
// goes through it by itself: of 32 images, 24 are enrolled and 8 looked for.
TEST_F(HostileMedia, WhatAProgramLeavesOutIsSaidOfEachSample) {
  write("own.sh",
        "cp \"$1\"/*.png \"$2\"\nhead -c 60 \"$1\"/000001.png > \"$2\"/000001.png\nrm \"$2\"/000002.png\n"
        "echo text > \"$2\"/000003.png\ncp \"$2\"/000004.png \"$2\"/strange.png\n"
        "cp \"$2\"/000005.png \"$2\"/000005.bmp\n");
  const CommandResult done = evaluate_own("command:run=sh own.sh {in} {out},name=own");
  ASSERT_EQ(done.status, 0) << done.err;
  expect_said(done.err, {"1 of the files that it wrote have the name of no medium, e.g. strange.png"});
  std::map<std::string, std::map<std::string, std::size_t>> lost;  // reasons of each role, with their counts
  const Json results = Json::parse(read(folder / "run/results.json"));
  for (const Json& entry : results["lost"]) {
    EXPECT_EQ(entry["samples"], entry["role"] == "enrol" ? 24 : 8);
    for (const Json& reason : entry["reasons"]) lost[entry["role"]][reason["reason"]] = reason["rows"].size();
  }
  ASSERT_EQ(lost.size(), 2U);
  for (const char* const role : {"enrol", "probe"}) {
    EXPECT_EQ(lost[role].size(), 4U) << results["lost"];
    EXPECT_EQ(lost[role]["nothing was made of it"], 1U);
    EXPECT_EQ(lost[role]["2 files were made of it"], 1U);
    EXPECT_EQ(lost[role]["what was made of it is a damaged PNG: it ends too early"], 1U);
    EXPECT_EQ(lost[role]["what was made of it is no image, recording or motion in a known format"], 1U);
  }
}

TEST_F(HostileMedia, ProgramsThatHangOrCrashFailAloneAndLeaveNothing) {
  for (const auto& [program, said] : {std::pair<std::string, std::string>{"sleep 60; true", "took longer than 1 s"},
                                      {"kill -9 $$", "was ended by signal 9"},
                                      {"touch \"$2\"/strange.png", "wrote none of"}}) {
    write("own.sh", program + "\n");
    std::filesystem::remove_all(folder / "run");
    const CommandResult done = evaluate_own("command:run=sh own.sh {in} {out},timeout=1,name=own");
    EXPECT_EQ(done.status, 1) << done.err;
    std::size_t finished = 0, failed = 0;
    const Json results = Json::parse(read(folder / "run/results.json"));
    for (const Json& cell : results["cells"]) {
      const bool masked = cell["key"]["technique"] != "none";
      (cell["status"] == "done" ? finished : failed) += 1;
      EXPECT_EQ(cell["status"], masked ? "failed" : "done") << cell;
      if (masked) expect_said(cell["error"], {said});
    }
    EXPECT_GT(finished, 0U);
    EXPECT_GT(failed, 0U);
    EXPECT_EQ(run("report run").status, 0);
  }
}

// Of the media of each role one is half written and one is not there.
TEST_F(HostileMedia, WhatAProgramWroteBeforeItEndedBadlyIsJudged) {
  for (const auto& [program, fault] :
       {std::pair<std::string, std::string>{"exit 3", "ended with status 3"}, {"sleep 60", "took longer than 1 s"}}) {
    write("own.sh", "cp \"$1\"/*.png \"$2\"\nhead -c 60 \"$1\"/000001.png > \"$2\"/000001.png\nrm \"$2\"/000002.png\n" +
                        program + "\n");
    std::filesystem::remove_all(folder / "run");
    const CommandResult done = evaluate_own("command:run=sh own.sh {in} {out},timeout=1,name=own");
    ASSERT_EQ(done.status, 0) << done.err;
    expect_said(done.err, {"command:run=own.sh: " + fault + "; what it wrote of 23 of 24 samples is kept",
                           "command:run=own.sh: " + fault + "; what it wrote of 7 of 8 samples is kept"});
    const Json results = Json::parse(read(folder / "run/results.json"));
    ASSERT_EQ(results["lost"].size(), 2U) << results["lost"];
    for (const Json& entry : results["lost"]) {
      EXPECT_EQ(entry["failed"], 2);
      expect_said(entry.dump(), {"the program " + fault + " before it wrote this sample",
                                 "what was made of it is a damaged PNG: it ends too early"});
    }
  }
}

// 48 samples of 16 features: 36 are enrolled and 12 looked for, and of each the last row is not written.
TEST_F(HostileMedia, TemplatesThatAProgramLeftOutAreJudgedAsLost) {
  ASSERT_EQ(run("synth templates --identities 12 --samples 4 --dim 16 --out people").status, 0);
  write("own.sh",
        "cp \"$1\"/templates.npy \"$2\"\ntruncate -s -64 \"$2\"/templates.npy\n"
        "head -c 64 /dev/zero >> \"$2\"/templates.npy\nexit 3\n");
  write("own.toml",
        "[data]\ntarget = \"people\"\n[protect]\n"
        "technique = [\"none\", \"command:run=sh own.sh {in} {out},name=own\"]\n"
        "[protocol]\nkind = \"closed-set\"\n[attack]\nrecogniser = \"nearest\"\n[measure]\nbootstrap = 10\n");
  const CommandResult done = run("evaluate own.toml --out run");
  ASSERT_EQ(done.status, 0) << done.err;
  const std::string reason = "(the program ended with status 3 before it wrote this sample)";
  expect_said(done.err, {"command: 1 of 36 samples failed, e.g. row ", "command: 1 of 12 samples failed, e.g. row ",
                         reason, "what it wrote of 35 of 36 samples is kept"});
  std::size_t masked = 0;
  const Json results = Json::parse(read(folder / "run/results.json"));
  for (const Json& cell : results["cells"]) {
    EXPECT_EQ(cell["status"], "done") << cell;
    if (cell["key"]["technique"] == "none" || cell["key"]["question"] != "linkage") continue;
    expect_said(cell.dump(), {"\"masked_failures\":2"});
    ++masked;
  }
  EXPECT_EQ(masked, 1U);
  ASSERT_EQ(results["lost"].size(), 2U) << results["lost"];
  std::map<std::string, std::pair<std::size_t, std::size_t>> lost;  // of each role: how many of how many
  for (const Json& entry : results["lost"]) {
    lost[entry["role"]] = {entry["failed"], entry["samples"]};
    ASSERT_EQ(entry["reasons"].size(), 1U) << entry;
    EXPECT_EQ("(" + entry["reasons"][0]["reason"].get<std::string>() + ")", reason);
    // The row that the terminal names.
    expect_said(done.err, {fmt::format("row {} {}", entry["reasons"][0]["rows"][0].get<int>(), reason)});
  }
  EXPECT_EQ(lost["enrol"], (std::pair<std::size_t, std::size_t>{1, 36}));
  EXPECT_EQ(lost["probe"], (std::pair<std::size_t, std::size_t>{1, 12}));
  ASSERT_EQ(run("report run").status, 0);
  expect_said(read(folder / "run/report.html"), {"Which samples could not be judged?", "before it wrote this sample"});
  const CommandResult alone = run("protect 'command:run=sh own.sh {in} {out}' people --out masked --json");
  ASSERT_EQ(alone.status, 0) << alone.err;
  EXPECT_EQ(alone.json()["failures"], 1);
  const CommandResult seen = run("verify masked --bootstrap 0 --json");
  EXPECT_EQ(seen.status, 0) << seen.err;
}

TEST_F(HostileMedia, WhereNothingIsLeftItIsAnError) {
  write("e.toml",
        "[data]\ntarget = \"lost\"\n[protect]\ntechnique = \"pixelate\"\n[extract]\nrepresentation = \"pixels\"\n"
        "[protocol]\nkind = \"closed-set\"\n[attack]\nrecogniser = \"nearest\"\n");
  for (const std::string data : {"lost", "nothing"}) {
    for (const std::string& command : {"inspect " + data, "protect pixelate " + data + " --out x",
                                       "extract pixels " + data + " --out x", "align " + data + " --out x"}) {
      const CommandResult refused = run(command);
      EXPECT_EQ(refused.status, 2) << command << "\n" << refused.err;
      EXPECT_EQ(refused.out, "") << command;
      expect_said(refused.err, {"error: "});
      EXPECT_FALSE(std::filesystem::exists(folder / "x")) << command;
    }
  }
  const CommandResult refused = run("evaluate e.toml --out run");
  EXPECT_EQ(refused.status, 2) << refused.err;
  expect_said(refused.err, {"nothing could be made of the data: all cells failed"});
  const Json lost = Json::parse(read(folder / "run/results.json"))["lost"];
  ASSERT_FALSE(lost.empty());
  EXPECT_EQ(lost[0]["failed"], 2);
  EXPECT_EQ(lost[0]["samples"], 2);
}

}  // namespace
}  // namespace bauta
