// Expected values are calculated by hand from what write_scripts.cpp writes.
#include "bauta/deep/script.hpp"

#include <cstdlib>
#include <fstream>

#include "../data/scratch.hpp"
#include "bauta/core/parallel.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::input_error;

class Script : public testing::Test {
 protected:
  void SetUp() override {
    const std::string command = "'" BAUTA_WRITE_SCRIPTS "' '" + scratch.path().string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  [[nodiscard]] std::unique_ptr<ScriptModel> load(const char* name) const { return load_script(scratch / name); }

  test::Scratch scratch;
};

TEST_F(Script, RunsWithItsWeights) {
  // (1, 10) times ((1 2 3), (4 5 6)).
  const ScriptTensor output = load("linear.pt")->run({1, 2}, std::vector<float>{1, 10});
  EXPECT_EQ(output.shape, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(output.values, (std::vector<float>{41, 52, 63}));
}

TEST_F(Script, OfSeveralResultsTheFirstIsTaken) {
  EXPECT_EQ(load("tuple.pt")->run({1, 3}, std::vector<float>{1, 2, 3}).values, std::vector<float>{6});
}

TEST_F(Script, WhatItRefusesIsSaid) {
  const std::string text = input_error([&] { (void)load("linear.pt")->run({1, 5}, std::vector<float>(5)); });
  expect_contains(text, "linear.pt");
  expect_contains(text, "refuses its input");
  expect_contains(input_error([&] { (void)load("text.pt")->run({1, 1}, std::vector<float>(1)); }), "expected a tensor");
}

TEST_F(Script, WhatIsNoNetworkIsRefused) {
  expect_contains(input_error([&] { (void)load("none.pt"); }), "cannot be opened");
  std::ofstream(scratch / "none.pt") << "hello";
  expect_contains(input_error([&] { (void)load("none.pt"); }), "no network in TorchScript");
}

TEST_F(Script, ManyThreadsGetWhatOneGets) {
  const auto model = load("frames.pt");
  std::vector<ScriptTensor> outputs(200);
  const auto input = [](std::size_t i) { return std::vector<float>{1.5F * static_cast<float>(i), 1, 2, 3}; };
  parallel_for(outputs.size(), [&](std::size_t i, int) { outputs[i] = model->run({1, 4}, input(i)); });
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const float first = input(i)[0];
    EXPECT_EQ(outputs[i].shape, (std::vector<std::size_t>{1, 2, 2}));
    EXPECT_EQ(outputs[i].values, (std::vector<float>{first + 1, first - 1, 5, -1}));
  }
}

}  // namespace
}  // namespace bauta
