#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "bauta/core/error.hpp"
#include "bauta/deep/trainer.hpp"

namespace bauta {
namespace {

TEST(Loader, AMissingModuleNamesThePackage) {
  try {
    (void)load_trainer({"/no/such/folder/libbauta_torch.so"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::environment);
    EXPECT_NE(error.finding.find("without LibTorch"), std::string::npos) << error.finding;
    EXPECT_NE(error.hint.find("libtorch-dev"), std::string::npos) << error.hint;
  }
}

TEST(Loader, AModuleThatCannotBeLoadedSaysWhy) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("bauta-test-module-" + std::to_string(getpid()));
  std::ofstream(file) << "not a library";
  try {
    (void)load_trainer({"/no/such/file", file});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::environment);
    EXPECT_NE(error.finding.find(file.string()), std::string::npos) << error.finding;
    EXPECT_NE(error.hint.find("libtorch-dev"), std::string::npos);
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace bauta
