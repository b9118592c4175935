#include "bauta/core/output.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

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

}  // namespace
}  // namespace bauta
