// Folders of images as people have them: some are damaged, none at all, too large, or show nobody. What can be read is
// judged, what cannot is counted and named, and where nothing is left the program says so with status 2.
#include <map>

#include <zlib.h>

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
  /// 20,000 x 20,000 pixels by the header; what follows would be as much.
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
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", number(20000) + number(20000) + std::string("\x08\0\0\0\0", 5)) +
           chunk("IDAT", "what is missing here");
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
  expect_said(told.out, {"22 samples, image: 18, cannot be read: 4", "p0/broken.jpg) cannot be read: is a damaged JPEG",
                         "p1/text.png) cannot be read", "p3/huge.png) cannot be read: an image of 20000 x 20000 pixels",
                         "p3/zero.jpg) cannot be read", "1 sub-folders hold no media"});
  const Json json = run("inspect media --json").json();
  EXPECT_EQ(json["unreadable"].size(), 4U);
  EXPECT_EQ(json["kinds"]["image"], 18);
}

TEST_F(HostileMedia, TheOthersAreMaskedAndSeen) {
  const CommandResult masked = run("protect pixelate media --out masked --json");
  ASSERT_EQ(masked.status, 0) << masked.err;
  EXPECT_EQ(masked.json()["failures"], 4);
  expect_said(masked.json()["remarks"].dump(), {"4 of 22 media could not be read", "row 5 (is a damaged JPEG"});
  const CommandResult seen = run("extract pixels:size=4 masked --out seen --json");
  ASSERT_EQ(seen.status, 0) << seen.err;
  EXPECT_EQ(seen.json()["failures"], 4);
  const CommandResult named =
      run("identify --enrol seen --probe seen --test 0.5 --recogniser nearest --bootstrap 0 --json");
  ASSERT_EQ(named.status, 0) << named.err;
  EXPECT_EQ(named.json()["identities"], 4);
}

TEST_F(HostileMedia, AnExperimentGoesOnWithTheRest) {
  write("e.toml",
        "[data]\ntarget = \"media\"\n[protect]\ntechnique = [\"none\", \"pixelate:cells=2\"]\n"
        "[extract]\nrepresentation = \"pixels:size=4\"\n[protocol]\nkind = \"closed-set\"\n"
        "[attack]\nrecogniser = \"nearest\"\n[measure]\ncost = \"likeness\"\nbootstrap = 10\n");
  const CommandResult done = run("evaluate e.toml --out run");
  ASSERT_EQ(done.status, 0) << done.err;
  expect_said(done.err, {"4 of 22 failed, e.g. row 5 (is a damaged JPEG"});
  // By hand: folders and files in the order of their names. Masked media are lost where clear ones are.
  const Json results = Json::parse(read(folder / "run/results.json"));
  ASSERT_EQ(results["lost"].size(), 3U) << results["lost"];
  EXPECT_EQ(results["lost"][2]["extractor"], "likeness");  // which cannot judge 1 x 1 pixels either
  EXPECT_EQ(results["lost"][2]["failed"], 5);
  for (const int place : {0, 1}) {
    const Json& lost = results["lost"][place];
    EXPECT_EQ(lost["data"], "media");
    EXPECT_EQ(lost["samples"], 22);
    EXPECT_EQ(lost["failed"], 4);
    std::map<int, std::string> reason_of;
    for (const Json& reason : lost["reasons"]) {
      for (const int row : reason["rows"]) reason_of[row] = reason["reason"];
    }
    ASSERT_EQ(reason_of.size(), 4U) << lost;
    expect_said(reason_of[5], {"is a damaged JPEG"});
    expect_said(reason_of[10], {"is no image, recording or motion in a known format"});
    expect_said(reason_of[21], {"an image of 20000 x 20000 pixels"});
    expect_said(reason_of[22], {"is no image, recording or motion in a known format"});
  }
  EXPECT_EQ(results["lost"][0]["technique"], "none");
  EXPECT_EQ(results["lost"][1]["technique"], "pixelate:cells=2");
  EXPECT_EQ(run("report run").status, 0);
  expect_said(read(folder / "run/report.html"),
              {"What does the mask cost the medium?", "Which media could not be judged?", "is a damaged JPEG",
               "4 of 22 in media: nobody judged them"});
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
                                      {"cp \"$1\"/*.png \"$2\"; kill -9 $$", "was ended by signal 9"},
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
