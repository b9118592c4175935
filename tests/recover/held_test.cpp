// What every recovery brings back of a small data set, as it was on 2026-11-16.
#include "../held.hpp"

#include "fixtures.hpp"

namespace bauta {
namespace {

constexpr std::size_t width = 12;

/// Features of different means and deviations, which depend on each other.
Templates correlated(std::size_t rows, std::uint64_t seed) {
  double last = 0;
  return templates_of(rows, width, seed, [&](std::size_t, std::size_t j, Stream& stream) {
    const auto place = static_cast<double>(j);
    last = 0.6 * last + (1 + 0.2 * place) * stream.normal();
    return 0.3 * place + last;
  });
}

std::vector<float> values_of(const Dataset& recovered) {
  std::vector<float> values;
  for (std::size_t i = 0; i < recovered.size(); ++i) {
    for (std::size_t j = 0; j < recovered.templates.cols(); ++j) {
      values.push_back(recovered.templates.kind() == ElementKind::float32
                           ? recovered.templates.floats()(i, j)
                           : static_cast<float>(recovered.templates.codes()(i, j)));
    }
  }
  return values;
}

/// "RECOVERY of TECHNIQUE".
std::pair<std::string, std::string> parts_of(const std::string& what) {
  const std::size_t middle = what.find(" of ");
  return {what.substr(0, middle), what.substr(middle + 4)};
}

TEST(HeldRecoveries, FromRepeatedEnrolments) {
  test::expect_held(
      {
          {"average of csn:s=0.6", -0.140676627},
          {"average of csn:s=-0.5", 0.20435066},
          {"average:scale=none of csn:s=0.6", -0.206955552},
          {"average of esn", -0.800073972},
          {"average:scale=unit of esn", 0.0115015096},
      },
      [](const std::string& what) {
        const auto [recovery, technique] = parts_of(what);
        return values_of(recover(recovery, protect(technique, enrolled(dataset_of(correlated(8, 2)), 3))));
      });
  test::expect_held({{"intersect of nfr", 1.15933137}}, [](const std::string&) {
    Dataset repeated = enrolled(dataset_of(correlated(8, 2)), 4);
    Matrix<std::uint8_t> codes(repeated.size(), width);
    Stream stream(4, "held");
    for (std::uint8_t& code : std::span(codes.data(), codes.size())) code = static_cast<std::uint8_t>(stream.below(5));
    repeated.templates = Templates(std::move(codes));
    return values_of(recover("intersect:bins=6", repeated));
  });
}

TEST(HeldRecoveries, FromOtherPeopleAndPairs) {
  test::expect_held(
      {
          {"align-mean of pe-miu:block=3", -2.67871912},
          {"align-mean:cost=l2sq of pe-miu:block=2", -3.11875645},
          {"ridge of random-projection:length=8", -0.246120552},
          {"ridge:penalty=3 of csn:s=0.7", -0.60097636},
          {"ridge:scale=unit of esn", -0.259448228},
          {"ridge of biohash", -0.906799752},
          {"ridge of iom-grp:m=10,q=8", 0.290059777},
          {"ridge:pairs=40 of iom-grp:m=300,q=8", -0.78320361},
      },
      [](const std::string& what) {
        const auto [recovery, technique] = parts_of(what);
        const Dataset clear = dataset_of(correlated(60, 1), "clear");
        const Dataset pairs = protect(technique, clear);
        return values_of(recover(recovery, protect(technique, dataset_of(correlated(8, 2))),
                                 {.clear = &clear, .protected_clear = &pairs}));
      });
}

TEST(HeldRecoveries, WithAStolenKey) {
  test::expect_held(
      {
          {"pre-image of random-projection:length=8", -0.246195597},
          {"pre-image of random-projection:length=12,matrix=orthonormal", -0.836640394},
          {"pre-image:pairs=100,rounds=6,proposals=8 of biohash:length=10", -1.11343828},
          {"pre-image:pairs=100,rounds=5,proposals=7,step=0.3 of biohash:entries=gaussian,regime=secret", -0.102417462},
          {"pre-image:pairs=100,rounds=4,proposals=6 of mlp-hash:length=16", -1.00612303},
          {"pre-image:pairs=100,rounds=4,proposals=6 of iom-grp:m=20,q=6", 0.812233155},
          {"pre-image:pairs=100,rounds=30,proposals=10,step=0.3 of iom-grp:m=200,q=6", -0.475868101},
          {"pre-image:pairs=100,rounds=0 of iom-urp:m=20,k=8", -1.70544105},
      },
      [](const std::string& what) {
        const auto [recovery, technique] = parts_of(what);
        const Dataset clear = dataset_of(correlated(60, 1), "clear");
        const Dataset target = protect(technique, dataset_of(correlated(8, 2)));
        const ResolvedProtection stolen = stolen_technique(target, {}, {});
        return values_of(recover(recovery, target, {.clear = &clear, .technique = &stolen}));
      });
}

}  // namespace
}  // namespace bauta
