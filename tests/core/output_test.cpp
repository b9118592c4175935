#include "bauta/core/output.hpp"

#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

class Output : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) /
             (std::string("bauta_output_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  fs::path folder;
};

TEST_F(Output, FileAppearsOnCommitWithOwnerMode) {
  {
    OutputFile file(folder / "a");
    file.write("hello");
    file.write_at(0, "J", 1);
    EXPECT_FALSE(fs::exists(folder / "a"));
    file.commit();
  }
  struct stat status {};
  ASSERT_EQ(::stat((folder / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  std::stringstream text;
  text << std::ifstream(folder / "a").rdbuf();
  EXPECT_EQ(text.str(), "Jello");
}

TEST_F(Output, NothingStaysWithoutCommit) {
  {
    OutputFile file(folder / "a");
    file.write("hello");
    OutputFolder output(folder / "b");
    std::ofstream(output.staging() / "c") << "x";
  }
  EXPECT_EQ(entries(), 0U);
}

TEST_F(Output, FolderIsRenamedIntoPlace) {
  OutputFolder output(folder / "b");
  std::ofstream(output.staging() / "c") << "x";
  output.commit();
  EXPECT_TRUE(fs::exists(folder / "b" / "c"));
  EXPECT_EQ(entries(), 1U);
  EXPECT_THROW(OutputFolder(folder / "b"), Error);
}

// Whoever knows the name beforehand puts a link there.
TEST_F(Output, StagingNamesCannotBeGuessed) {
  std::set<fs::path> names;
  for (int i = 0; i < 20; ++i) {
    const OutputFolder output(folder / "b");
    names.insert(output.staging().filename());
    EXPECT_EQ(output.staging().filename().string().size(), 15U + 32U);  // 128 random bits
  }
  EXPECT_EQ(names.size(), 20U);
}

/// In a process of its own, which ends as a killed one does.
template <class Body>
void killed(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
}

TEST_F(Output, WhatAKilledProcessLeftIsRemovedByTheNext) {
  fs::create_directories(folder / "place");
  killed([&] {
    new OutputFile(folder / "place" / "a");  // never destroyed
    const auto* output = new OutputFolder(folder / "place" / "b");
    std::ofstream(output->staging() / "c") << "x";
  });
  const auto left = [&] { return std::distance(fs::directory_iterator(folder / "place"), fs::directory_iterator()); };
  ASSERT_EQ(left(), 2);
  std::ofstream(folder / "place" / ".bauta-partial-mine") << "no name of ours";
  write_file(folder / "place" / "d", "x");
  EXPECT_EQ(left(), 2);
  EXPECT_TRUE(fs::exists(folder / "place" / ".bauta-partial-mine"));
}

TEST_F(Output, WhatALivingProcessFillsStays) {
  fs::create_directories(folder / "place");
  OutputFile file(folder / "place" / "a");
  OutputFolder output(folder / "place" / "b");
  // Under another name, because a folder is looked through once.
  killed([&] { write_file(folder / "place" / ".." / "place" / "c", "x"); });
  EXPECT_TRUE(fs::exists(folder / "place" / "c"));
  file.write("hello");
  file.commit();
  output.commit();
  EXPECT_TRUE(fs::exists(folder / "place" / "a"));
  EXPECT_TRUE(fs::exists(folder / "place" / "b"));
}

TEST_F(Output, AProvisionalFolderDoesNotOutliveItsProcess) {
  {
    OutputFolder output(folder / "b");
    output.commit_provisionally();
    EXPECT_TRUE(fs::exists(folder / "b"));
  }
  EXPECT_FALSE(fs::exists(folder / "b"));
  killed([&] {
    auto* output = new OutputFolder(folder / "b");
    output->commit_provisionally();
  });
  ASSERT_TRUE(fs::exists(folder / "b"));
  OutputFolder again(folder / "b");
  again.commit_provisionally();
  again.confirm();
  EXPECT_TRUE(fs::is_empty(folder / "b"));
}

}  // namespace
}  // namespace bauta
