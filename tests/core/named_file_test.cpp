// What a command names is known by what is in it, wherever it stands in the command.
#include "bauta/core/named_file.hpp"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "../data/scratch.hpp"
#include "bauta/core/public_specification.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

class CalledCommand : public testing::Test {
 protected:
  [[nodiscard]] std::string called(const std::string& command) const { return called_command(command, folder.path()); }
  void expect_changes(const std::string& command, const std::string& file) const {
    folder.write(file, "1");
    const std::string before = called(command);
    EXPECT_EQ(before.find(folder.path().string()), std::string::npos) << before;
    EXPECT_EQ(called(command), before);
    folder.write(file, "one more byte");
    EXPECT_NE(called(command), before) << "nobody sees that " << file << " is another one";
  }

  const test::Scratch folder;
};

TEST_F(CalledCommand, FilesBehindAnEqualsSignAreLookedAt) {
  expect_changes("sh --weights cmd/w.txt {in} {out}", "cmd/w.txt");
  expect_changes("sh --weights=cmd/w.txt {in} {out}", "cmd/w.txt");
  expect_changes("sh --weights=first=cmd/w.txt {in} {out}", "cmd/w.txt");
  expect_changes("sh '--weights=cmd/my w.txt' {in} {out}", "cmd/my w.txt");
  expect_changes("sh --weights=" + (folder / "w.txt").string() + " {in} {out}", "w.txt");
  const std::string text = called("sh --weights=cmd/w.txt {in} {out}");
  EXPECT_NE(text.find(" --weights=w.txt#"), std::string::npos) << text;
  EXPECT_EQ(placed_command(text).substr(placed_command(text).find(" --")),
            " --weights=" + (folder / "cmd/w.txt").string() + " {in} {out}");
  EXPECT_EQ(called("sh --level=3 {in} {out}").find("--level=3 {in} {out}"), called("sh").size() + 1);
}

TEST_F(CalledCommand, TheProgramIsFoundAsAShellDoes) {
  fs::create_directories(folder / "bin");
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", ((folder / "bin").string() + ":" + before).c_str(), 1);
  const auto write = [&](const std::string& text) {
    folder.write("bin/bauta-test-tool", text);
    ::chmod((folder / "bin/bauta-test-tool").c_str(), 0700);
  };
  write("#!/bin/sh\n");
  const std::string first = called("bauta-test-tool {in} {out}");
  EXPECT_TRUE(first.starts_with("bauta-test-tool#")) << first;
  EXPECT_EQ(placed_command(first), (folder / "bin/bauta-test-tool").string() + " {in} {out}");
  write("#!/bin/sh\nexit 1\n");
  EXPECT_NE(called("bauta-test-tool {in} {out}"), first);
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(called("bauta-test-tool {in} {out}"), "bauta-test-tool {in} {out}");
}

TEST_F(CalledCommand, FoldersAreKnownByTheFilesInThem) {
  expect_changes("sh lib {in} {out}", "lib/a/b.py");
  expect_changes("sh lib/ {in} {out}", "lib/a/b.py");
  expect_changes("sh --lib=lib {in} {out}", "lib/c.py");
  const std::string before = called("sh lib");
  // A name counts, and what an interpreter leaves there does not; a link to nowhere hides nobody.
  folder.write("lib/a/__pycache__/b.pyc", "compiled");
  EXPECT_EQ(called("sh lib"), before);
  fs::create_symlink("nowhere", folder / "lib/a/0");
  EXPECT_EQ(called("sh lib"), before);
  fs::rename(folder / "lib/c.py", folder / "lib/d.py");
  EXPECT_NE(called("sh lib"), before);
  // Where it works is no folder that it names.
  EXPECT_EQ(called("sh . .."), called("sh") + " . ..");
}

TEST_F(CalledCommand, AFolderThatIsTooLargeIsTold) {
  fs::create_directory(folder / "disk");
  for (int i = 0; i < 10001; ++i) std::ofstream(folder / "disk" / std::to_string(i));
  testing::internal::CaptureStderr();
  const std::string text = called("sh disk");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("'disk', a folder that a command names, holds more than 10000 entries"), std::string::npos)
      << said;
  EXPECT_TRUE(text.ends_with(" disk#large")) << text;
  EXPECT_TRUE(placed_command(text).ends_with((folder / "disk").string()));
}

TEST_F(CalledCommand, RecordsNameNoPlace) {
  Declaration declaration;
  declaration.name = "command";
  declaration.parameters = {{"run", ParameterType::command, "", "the command"}};
  folder.write("mine.py", "1");
  folder.write("w.txt", "1");
  const std::string place = folder.path().string();
  const Parameters given(declaration, Specification::parse("command:run=sh " + place + "/mine.py --weights=" + place +
                                                           "/w.txt --log=" + place + "/none/ {in}/. {out}"));
  for (const std::string& text : {public_specification(declaration, given), given.resolved()}) {
    EXPECT_NE(text.find(" mine.py#"), std::string::npos) << text;
    EXPECT_NE(text.find(" --weights=w.txt#"), std::string::npos) << text;
    EXPECT_NE(text.find(" {in}/. {out}"), std::string::npos) << text;
  }
  const std::string record = public_specification(declaration, given);
  EXPECT_NE(record.find(" --log=none "), std::string::npos) << record;
  EXPECT_EQ(record.find(place), std::string::npos) << record;
  // A run that has begun calls its program as it was: the program may write into what it names.
  folder.write("w.txt", "another");
  EXPECT_EQ(Parameters(declaration, Specification::parse(given.brief())).resolved(), given.resolved());
}

}  // namespace
}  // namespace bauta
