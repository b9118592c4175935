// Known levels of the real data sets that BAUTA_DATA points to (default: shared/data beside the checkout). Skipped
// where absent.
#include "program.hpp"

namespace bauta {
namespace {

class RealData : public ProgramTest {
 protected:
  static std::string data(const std::string& name) {
    const char* chosen = std::getenv("BAUTA_DATA");
    const std::filesystem::path root =
        chosen != nullptr ? chosen : std::filesystem::path(BAUTA_SOURCE_DIR) / "../shared/data";
    return (root / name).string();
  }
};

// Expected values: numpy, exhaustive (BLAS product, boolean masks, sort), as stated with the data.
TEST_F(RealData, VerifyTemplatesLfw) {
  if (!std::filesystem::exists(data("templates-lfw"))) GTEST_SKIP() << "no templates-lfw in BAUTA_DATA";
  const Json result = run("verify '" + data("templates-lfw") + "' --json --bootstrap 0").json();
  EXPECT_EQ(result["mated"], 242201);
  EXPECT_EQ(result["non_mated"], 87201499);
  EXPECT_NEAR(result["eer"].get<double>(), 0.0078, 5e-5);
  EXPECT_NEAR(result["fnmr_at_fmr"][2]["fnmr"].get<double>(), 0.0512, 5e-5);
}

// The attack of the papers' S0 on unprotected templates: 86 % on gender (mean of 10), as stated with the data.
TEST_F(RealData, SimilarityAttackAcrossDatabases) {
  if (!std::filesystem::exists(data("templates-utk"))) GTEST_SKIP() << "no templates-utk in BAUTA_DATA";
  const Json result = run("attack similarity --attacker '" + data("templates-lfw") + "' --target '" +
                          data("templates-utk") + "' --attribute gender --n 10 --rule mean --json --bootstrap 200")
                          .json();
  EXPECT_NEAR(result["best"]["balanced"].get<double>(), 0.86, 0.01);
  EXPECT_EQ(result["target"]["samples"], 7990);
}

}  // namespace
}  // namespace bauta
