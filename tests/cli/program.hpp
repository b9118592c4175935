// Runs the program as a user would and looks at what it says, what it leaves and how it ends.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "bauta/core/json.hpp"

namespace bauta {

struct CommandResult {
  int status = 0;
  std::string out;
  std::string err;

  [[nodiscard]] Json json() const { return Json::parse(out); }
};

/// A folder of its own per test, with the program run inside it.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::path(testing::TempDir()) /
             (std::string("bauta_") + info->test_suite_name() + "_" + info->name());
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  static std::string read(const std::filesystem::path& path) {
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  /// The .npy file of a C-ordered little-endian array with this dtype and shape and these bytes.
  static std::string npy(const std::string& dtype, const std::string& shape, const std::string& bytes) {
    std::string header = "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    return file + header + bytes;
  }
  static std::string floats(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
  }

  [[nodiscard]] CommandResult run(const std::string& arguments) const {
    const std::filesystem::path out = std::filesystem::path(folder.string() + ".out");
    const std::filesystem::path err = std::filesystem::path(folder.string() + ".err");
    const std::string command = "cd '" + folder.string() + "' && '" BAUTA_PROGRAM "' " + arguments + " > '" +
                                out.string() + "' 2> '" + err.string() + "'";
    const int status = std::system(command.c_str());
    CommandResult outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(out), read(err)};
    std::filesystem::remove(out);
    std::filesystem::remove(err);
    return outcome;
  }

  std::filesystem::path folder;
};

}  // namespace bauta
