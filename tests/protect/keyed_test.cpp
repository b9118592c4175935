// What holds for every keyed protection: whose key it is, where it comes from, and that it is needed to link.
#include <algorithm>
#include <iterator>

#include <gtest/gtest.h>

#include "bauta/compare/comparator.hpp"
#include "bauta/core/public_specification.hpp"
#include "bauta/measure/unlinkability.hpp"
#include "bauta/protect/key_regime.hpp"
#include "fixtures.hpp"

namespace bauta {
namespace {

class EveryKeyedProtection : public ::testing::TestWithParam<std::string> {
 protected:
  /// The technique with further parameters.
  static ResolvedProtection make(const std::string& more = {}) {
    if (more.empty()) return make_protection(GetParam());
    return make_protection(GetParam() + (GetParam().find(':') == std::string::npos ? ":" : ",") + more);
  }
};

TEST_P(EveryKeyedProtection, SecretKeysBelongToSubjects) {
  const Templates one = gaussian_templates(1, 32);
  const Templates input = one.select({0, 0, 0, 0});
  const ResolvedProtection resolved = make("regime=secret");
  const Templates output = resolved->protect(input, 0, {.subjects = {"b", "a", "b", "a"}});
  EXPECT_TRUE(same_bits(output.slice(0, 1), output.slice(2, 1)));
  EXPECT_TRUE(same_bits(output.slice(1, 1), output.slice(3, 1)));
  EXPECT_FALSE(same_bits(output.slice(0, 1), output.slice(1, 1)));
  Dataset nameless = dataset_of(input, 1);
  nameless.identity_column.clear();
  EXPECT_NE(error_of([&] { protect_dataset(resolved, nameless, {}); }).find("regime=secret"), std::string::npos);
  const std::string partly = error_of([&] {
    protect_dataset(resolved, dataset_of(input, 1), {.subjects = {"b", "", "b", "a"}});
  });
  EXPECT_NE(partly.find("row 2"), std::string::npos) << partly;
}

// One place knows how techniques are told whose key they use.
TEST_P(EveryKeyedProtection, SaysWhetherKeysArePersonal) {
  EXPECT_FALSE(has_personal_keys(make()));
  for (const KeyRegime regime : {KeyRegime::secret, KeyRegime::stolen, KeyRegime::application}) {
    const ResolvedProtection resolved = make(regime_text(regime, 3));
    const bool personal = regime == KeyRegime::secret;
    EXPECT_EQ(key_regime(resolved.parameters), regime);
    EXPECT_EQ(has_personal_keys(resolved), personal);
    EXPECT_EQ(has_personal_keys(resolved.parameters.brief()), personal);
    for (const auto& [name, value] : under_regime(regime, 3)) EXPECT_EQ(resolved.parameters.text(name), value);
    EXPECT_EQ(resolved.parameters.integer("application"), regime == KeyRegime::application ? 3 : 0);
  }
  for (const char* keyless : {"pe-miu", "nobody:regime=secret", "pe-miu:regime=secret", ":,=", ""}) {
    EXPECT_FALSE(has_personal_keys(std::string(keyless))) << keyless;
  }
}

TEST_P(EveryKeyedProtection, OneKeyForAllMakesEqualTemplatesEqual) {
  const Templates input = gaussian_templates(1, 32).select({0, 0});
  for (const char* regime : {"regime=stolen", "regime=application"}) {
    const Templates output = make(regime)->protect(input, 0, {.subjects = {"a", "b"}});
    EXPECT_TRUE(same_bits(output.slice(0, 1), output.slice(1, 1))) << regime;
  }
}

TEST_P(EveryKeyedProtection, EveryApplicationHasItsKey) {
  const Templates input = gaussian_templates(4, 32);
  const auto protect = [&](const std::string& more) { return make(more)->protect(input, 0, {}); };
  const Templates one = protect("regime=application,application=1");
  EXPECT_TRUE(same_bits(one, protect("regime=application,application=1")));
  EXPECT_FALSE(same_bits(one, protect("regime=application,application=2")));
  EXPECT_FALSE(same_bits(one, protect("regime=stolen")));
}

TEST_P(EveryKeyedProtection, TwoDataSetsUnderOneSeedShareTheKey) {
  const Templates input = gaussian_templates(4, 32);
  const ResolvedProtection resolved = make();
  const Templates a = resolved->protect(input, 0, {.randomness = Randomness::seeded(3, "attacker")});
  const Templates b = resolved->protect(input, 0, {.randomness = Randomness::seeded(3, "target")});
  EXPECT_TRUE(same_bits(a, b));
  // Another seed in the same object is another key: what was kept for the first must not be used.
  const Templates c = resolved->protect(input, 0, {.randomness = Randomness::seeded(4, "attacker")});
  EXPECT_FALSE(same_bits(a, c));
}

TEST_P(EveryKeyedProtection, TheKeyComesFromTheFileAndIsNeverNamed) {
  const KeyFile file('k');
  const KeyFile other('l');
  const Dataset dataset = dataset_of(gaussian_templates(8, 32), 2);
  const Dataset first = protect_dataset(make("keyfile=" + file.path()), dataset, {});
  const Dataset again =
      protect_dataset(make("keyfile=" + file.path()), dataset, {.randomness = Randomness::operating_system()});
  EXPECT_TRUE(same_bits(first.templates, again.templates));
  EXPECT_FALSE(same_bits(first.templates, protect_dataset(make("keyfile=" + other.path()), dataset, {}).templates));
  EXPECT_EQ(first.provenance->technique, public_specification(make()));
  EXPECT_EQ(first.provenance->properties.at("key_source"), "keyfile");
  EXPECT_NE(error_of([&] { (void)make("keyfile=/no/such/key"); }), "no error");

  const auto folder = std::filesystem::temp_directory_path() / ("bauta-test-keyed-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  write_dataset(folder, first);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(content.find("klmnopqr"), std::string::npos) << entry.path();  // the key's bytes
    EXPECT_EQ(content.find("6b6c6d6e"), std::string::npos) << entry.path();  // and digits
    EXPECT_EQ(content.find(file.path()), std::string::npos) << entry.path();
  }
  std::filesystem::remove_all(folder);
}

TEST_P(EveryKeyedProtection, AKeyThatIsNotKeptIsWarnedOf) {
  const KeyFile file('k');
  const Dataset dataset = dataset_of(gaussian_templates(2, 32), 1);
  const auto warned = [&](const std::string& more, const Randomness& randomness) {
    testing::internal::CaptureStderr();
    (void)protect_dataset(make(more), dataset, {.randomness = randomness});
    return testing::internal::GetCapturedStderr().find("the key is not kept") != std::string::npos;
  };
  EXPECT_TRUE(warned("", Randomness::operating_system()));
  EXPECT_FALSE(warned("", Randomness::seeded(1)));
  EXPECT_FALSE(warned("keyfile=" + file.path(), Randomness::operating_system()));
  EXPECT_FALSE(warned("keyfile=" + file.path(), Randomness::seeded(1)));
}

// 500 templates, each under two keys of its own. Mated comparisons must look like the others: D_sys stays within what
// 1,000 exchanges of labels reach, which a linkable technique cannot (the same templates under one key give nearly 1).
TEST_P(EveryKeyedProtection, UnderDifferentKeysMatedComparisonsLookLikeOthers) {
  constexpr std::size_t n = 500;
  const Templates input = gaussian_templates(n, 24);
  const auto enrolled = [&](const std::string& service) {
    ProtectContext context;
    for (std::size_t i = 0; i < n; ++i) context.subjects.push_back(service + std::to_string(i));
    return make("regime=secret")->protect(input, 0, context);
  };
  const auto comparator = make_comparator(make().comparator);
  const auto linkability = [&](const Templates& a, const Templates& b, std::vector<double>* null) {
    const auto probes = comparator->prepare(a, Side::probe, "a");
    const auto references = comparator->prepare(b, Side::reference, "b");
    Matrix<float> scores(n, n);
    comparator->tile(*probes, {0, n}, *references, {0, n}, scores.view());
    const auto [low, high] = std::minmax_element(scores.data(), scores.data() + scores.size());
    const std::size_t bins = linkability_bins(n);
    std::vector<double> mated(bins);
    std::vector<double> non_mated(bins);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double place = double{scores(i, j) - *low} / double{*high - *low} * static_cast<double>(bins);
        (i == j ? mated : non_mated)[std::min(bins - 1, static_cast<std::size_t>(place))] += 1;
      }
    }
    if (null != nullptr) *null = null_levels(d_sys, mated, non_mated, 1000, 1);
    return d_sys(mated, non_mated);
  };
  const Templates first = enrolled("first");
  std::vector<double> null;
  const double linked = linkability(first, enrolled("second"), &null);
  EXPECT_LE(linked, *std::max_element(null.begin(), null.end()));
  EXPECT_GT(linkability(first, first, nullptr), 0.99);
}

INSTANTIATE_TEST_SUITE_P(All, EveryKeyedProtection,
                         ::testing::Values("random-projection", "random-projection:matrix=orthonormal",
                                           "biohash:entries=gaussian", "mlp-hash", "mlp-hash:output=linear",
                                           "iom-grp:m=60,q=8", "iom-urp:m=60,k=24"));

}  // namespace
}  // namespace bauta
