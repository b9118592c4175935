// Same seed, same bytes, for any number of threads.
#include "program.hpp"

namespace bauta {
namespace {

class Reproducible : public ProgramTest {
 protected:
  void expect_same(const std::string& arguments) {
    const CommandResult one = run(arguments + " --json --threads 1");
    const CommandResult two = run(arguments + " --json --threads 2");
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(one.out, two.out) << arguments;
    EXPECT_GT(one.out.size(), 2U);
  }
};

TEST_F(Reproducible, ForAnyNumberOfThreads) {
  const std::string population =
      "synth templates --identities 150 --samples 4 --dim 64 --attribute gender:leak=2,classes=F/M --seed ";
  ASSERT_EQ(run(population + "1 --out one").status, 0);
  ASSERT_EQ(run(population + "1 --threads 1 --out again").status, 0);
  EXPECT_EQ(read(folder / "one/templates.npy"), read(folder / "again/templates.npy"));
  for (const char* technique : {"pe-miu:block=8", "csn", "random-projection"}) {
    for (const char* threads : {"1", "2"}) {
      ASSERT_EQ(
          run(std::string("protect ") + technique + " one --threads " + threads + " --out masked" + threads).status, 0);
    }
    EXPECT_EQ(read(folder / "masked1/templates.npy"), read(folder / "masked2/templates.npy")) << technique;
    expect_same("verify masked1 --bootstrap 200 --attribute gender");
    expect_same("verify masked1 --bootstrap 200 --memory 1M");
    std::filesystem::remove_all(folder / "masked1");
    std::filesystem::remove_all(folder / "masked2");
  }
}

TEST_F(Reproducible, AttackForAnyNumberOfThreads) {
  ASSERT_EQ(run("demo --out demo --threads 2").status, 0);
  expect_same("attack similarity --attacker demo/attacker --target demo/target --attribute gender");
  const std::string two = read(folder / "demo/run/results.json");
  ASSERT_EQ(run("evaluate demo/experiment.toml --out single --threads 1").status, 0);
  EXPECT_EQ(read(folder / "single/results.json"), two);
}

}  // namespace
}  // namespace bauta
