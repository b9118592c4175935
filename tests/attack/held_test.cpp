// What attackers draw, plant and believe of small data, as it was on 2026-11-16.
#include "../held.hpp"

#include "bauta/attack/decisions.hpp"
#include "bauta/attack/planted_leak.hpp"
#include "bauta/attack/recogniser.hpp"
#include "bauta/attack/similarity.hpp"
#include "bauta/core/random.hpp"
#include "bauta/learn/preparation.hpp"

namespace bauta {
namespace {

Templates correlated(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Matrix<float> values(rows, cols);
  Stream stream(seed, "held");
  for (std::size_t i = 0; i < rows; ++i) {
    double last = 0;
    for (float& value : values.row(i)) value = static_cast<float>(last = 0.5 * last + stream.normal());
  }
  return Templates(std::move(values));
}

std::vector<std::int32_t> alternating(std::size_t count, std::size_t classes) {
  std::vector<std::int32_t> codes(count);
  for (std::size_t i = 0; i < count; ++i) codes[i] = static_cast<std::int32_t>(i * 7 / 3 % classes);
  return codes;
}

TEST(HeldAttacks, PlantedLeaks) {
  test::expect_held({{"floats", 0.308662002},
                     {"floats, repeated", 0.320125383},
                     {"codes", -1.62311137},
                     {"codes, avoided", -2.19571288},
                     {"bits", -0.0661091022},
                     {"bits, avoided", -0.185974344},
                     {"bits of many", 0.675124735}},
                    [](const std::string& what) {
                      const std::size_t rows = what.ends_with("many") ? 1500 : 60, cols = 12;
                      Matrix<std::uint8_t> codes(rows, cols);
                      Matrix<std::uint64_t> words(rows, 1);
                      Stream stream(2, "held");
                      for (std::size_t i = 0; i < rows; ++i) {
                        for (std::uint8_t& code : codes.row(i)) code = static_cast<std::uint8_t>(stream.below(5));
                        words(i, 0) = stream.next64() >> (64 - cols);
                      }
                      const Templates data = what.starts_with("floats")  ? correlated(rows, cols, 1)
                                             : what.starts_with("codes") ? Templates(std::move(codes))
                                                                         : Templates(std::move(words), cols);
                      const PlantedLeak leak(data, 3, what.ends_with("repeated") ? 4 : 0, 7);
                      const Matrix<float> planted =
                          to_features(leak.plant(data, alternating(rows, 3), 0.8, what.ends_with("avoided")));
                      return std::vector<float>(planted.data(), planted.data() + planted.size());
                    });
}

TEST(HeldAttacks, Recognisers) {
  test::expect_held({{"nearest", -0.00157721502},
                     {"centroid", 0.22830506},
                     {"centroid:comparator=euclidean", 0.20953317},
                     {"face-network-centroid", 0.20953317},
                     {"lda", 0.11545475}},
                    [](const std::string& recogniser) {
                      const ResolvedRecogniser resolved = make_recogniser(recogniser);
                      resolved->fit(correlated(24, 6, 3), alternating(24, 5), 5, {.temperature = 0.3, .seed = 4});
                      const Matrix<double> p = resolved->likelihoods(correlated(9, 6, 4)).probabilities;
                      return std::vector<double>(p.data(), p.data() + p.size());
                    });
}

TEST(HeldAttacks, GuessesFromScoresAndDecisions) {
  test::expect_held(
      {{"scores", -0.0763273097}, {"message", 2.14684952}, {"random-key", 2.318679}}, [](const std::string& what) {
        const auto comparator = make_comparator("dot");
        const auto attacker = comparator->prepare(correlated(30, 4, 5), Side::reference, "attacker");
        const auto target = comparator->prepare(correlated(40, 4, 6), Side::probe, "target");
        const std::vector<std::int32_t> classes = alternating(30, 2);
        std::vector<double> values;
        if (what == "scores") {
          for (const auto& guess : similarity_attack(*comparator, *attacker, classes, 2, *target, {})) {
            values.insert(values.end(), guess.predicted.begin(), guess.predicted.end());
          }
          return values;
        }
        Decisions decisions(40, 30, 3.0);
        TileConsumer* const consumers[] = {&decisions};
        compare_all(*comparator, *target, *attacker, Pairs::all, consumers);
        for (const auto& guess : online_attack(decisions, classes, 2, {20, 3, 99}, parse_refusal(what), 8)) {
          values.push_back(static_cast<double>(guess.queries));
          values.insert(values.end(), guess.predicted.begin(), guess.predicted.end());
          values.insert(values.end(), guess.decided.begin(), guess.decided.end());
        }
        return values;
      });
}

}  // namespace
}  // namespace bauta
