#include "bauta/attack/recogniser.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../data/scratch.hpp"
#include "bauta/core/random.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/synth_media.hpp"
#include "bauta/extract/extractor.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/preparation.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::Scratch;

Templates rows_of(std::vector<std::vector<float>> rows) {
  Matrix<float> values(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], values.row(i).begin());
  return Templates(std::move(values));
}

std::vector<std::int32_t> guesses(const std::string& recogniser, const Templates& enrolled,
                                  const std::vector<std::int32_t>& people, const Templates& probes) {
  const ResolvedRecogniser resolved = make_recogniser(recogniser);
  resolved->fit(enrolled, people, static_cast<std::size_t>(*std::ranges::max_element(people)) + 1, {});
  const Matrix<double> probabilities = resolved->likelihoods(probes).probabilities;
  for (std::size_t i = 0; i < probabilities.rows(); ++i) {
    const auto row = probabilities.row(i);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-9);
  }
  return likeliest(probabilities.view());
}

TEST(Recogniser, NearestAndCentroidDifferWhereAnOutlierStands) {
  // Person 0 at angles 0 and 80 degrees (mean direction 40), person 1 at 50; a probe at 70 is nearest to 80, which is
  // person 0's, but nearer to person 1's mean (20 degrees) than to person 0's (30).
  const auto at = [](double degrees) {
    const double angle = degrees * 3.14159265358979 / 180;
    return std::vector<float>{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  };
  const Templates enrolled = rows_of({at(0), at(80), at(50)});
  const Templates probe = rows_of({at(70)});
  EXPECT_EQ(guesses("nearest", enrolled, {0, 0, 1}, probe), std::vector<std::int32_t>{0});
  EXPECT_EQ(guesses("centroid", enrolled, {0, 0, 1}, probe), std::vector<std::int32_t>{1});
}

TEST(Recogniser, CentroidsFollowTheirComparator) {
  // By angle the probe is person 0's, by distance person 1's.
  const Templates enrolled = rows_of({{10, 0}, {0, 1}});
  const Templates probe = rows_of({{1.2F, 1}});
  EXPECT_EQ(guesses("centroid", enrolled, {0, 1}, probe), std::vector<std::int32_t>{0});
  EXPECT_EQ(guesses("centroid:comparator=euclidean", enrolled, {0, 1}, probe), std::vector<std::int32_t>{1});
  EXPECT_EQ(guesses("face-network-centroid", enrolled, {0, 1}, probe), std::vector<std::int32_t>{1});
}

TEST(Recogniser, TheTemperatureSoftensProbabilities) {
  // Cosines 1 and 0: e / (e + 1) at temperature 1, e^2 / (e^2 + 1) at a half.
  const auto resolved = make_recogniser("nearest");
  const Templates enrolled = rows_of({{1, 0}, {0, 1}});
  for (const double temperature : {1.0, 0.5}) {
    resolved->fit(enrolled, std::vector<std::int32_t>{0, 1}, 2, {.temperature = temperature});
    EXPECT_NEAR(resolved->likelihoods(rows_of({{1, 0}})).probabilities(0, 0), 1 / (1 + std::exp(-1 / temperature)),
                1e-6);
  }
  // Cosines 1 and -1 at a thousandth: exp(2000) is no number, and the probability of the first is 1 all the same.
  resolved->fit(rows_of({{1, 0}, {-1, 0}}), std::vector<std::int32_t>{0, 1}, 2, {.temperature = 0.001});
  const Matrix<double> sure = resolved->likelihoods(rows_of({{1, 0}})).probabilities;
  EXPECT_EQ(sure(0, 0), 1);
  EXPECT_EQ(sure(0, 1), 0);
}

// Features a thousand times as large, or a temperature, change probabilities and nobody's place: all but the nearest
// have probability 0 in doubles, and still a rank.
TEST(Recogniser, PlacesAreNotRoundedAway) {
  const Templates enrolled = rows_of({{0, 0}, {3000, 0}, {7000, 0}, {12000, 0}});
  const std::vector<std::int32_t> people = {0, 1, 2, 3};
  for (const double temperature : {1e-4, 1.0, 1e20}) {
    const auto resolved = make_recogniser("nearest");
    resolved->fit(enrolled, people, 4, {.comparator = "euclidean", .temperature = temperature});
    const Likelihoods said = resolved->likelihoods(rows_of({{4000, 0}}));
    const auto order = said.order().row(0);  // distances 4000, 1000, 3000, 8000
    EXPECT_TRUE(order[1] > order[2] && order[2] > order[0] && order[0] > order[3]) << temperature;
  }
  // Two samples of each, a deviation of 1 apart: a thousand deviations away from everybody else.
  const Templates pairs = rows_of({{0, 0}, {1, 1}, {3000, 0}, {3001, 1}, {7000, 0}, {7001, 1}});
  for (const char* const name : {"lda:preparation=none", "logistic:preparation=none", "svm-linear:preparation=none"}) {
    const auto resolved = make_recogniser(name);
    resolved->fit(pairs, std::vector<std::int32_t>{0, 0, 1, 1, 2, 2}, 3, {});
    const Likelihoods said = resolved->likelihoods(rows_of({{6000, 0}}));
    const auto order = said.order().row(0);
    EXPECT_TRUE(order[2] > order[1] && order[1] > order[0]) << name;
  }
}

// With one sample of each nothing varies within a person; lda takes the variation between people, and finds the
// nearest.
TEST(Recogniser, LdaKnowsPeopleByOneSample) {
  EXPECT_EQ(guesses("lda", rows_of({{0, 0}, {10, 1}, {2, 9}}), {0, 1, 2}, rows_of({{1, 1}, {9, 0}, {3, 8}})),
            (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(Recogniser, AnEstimatorIsOneAsItIs) {
  const Templates enrolled = rows_of({{0, 5}, {1, 4}, {8, 5}, {9, 4}, {4, 30}, {5, 31}});
  const std::vector<std::int32_t> people = {0, 0, 1, 1, 2, 2};
  const Templates probes = rows_of({{0.4F, 4.4F}, {4.6F, 29}});
  const auto resolved = make_recogniser("lda");
  resolved->fit(enrolled, people, 3, {.seed = 3});
  Preparation steps("zscore");
  steps.fit(enrolled.floats());
  const auto estimator = make_estimator("lda");
  estimator->fit(steps.apply(enrolled.floats()).view(), people, 3, {.seed = 3});
  const Matrix<double> expected = estimator->predict_proba(steps.apply(probes.floats()).view());
  const Matrix<double> found = resolved->likelihoods(probes).probabilities;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(found(i, c), expected(i, c));
  }
  EXPECT_EQ(representation_of(resolved), "");
}

TEST(Recogniser, EveryRepresentationIsAnExtractor) {
  for (const auto& entry : recognisers()) {
    const ResolvedRecogniser resolved = make_recogniser(entry.declaration.name);
    const std::string representation = representation_of(resolved);
    EXPECT_EQ(representation.empty(), entry.declaration.medium == "template") << entry.declaration.name;
    if (representation.empty()) continue;
    const Specification parsed = Specification::parse(representation);
    const auto& extractor = find_entry(extractors(), "extractor", parsed.name);
    EXPECT_EQ(extractor.declaration.medium, entry.declaration.medium);
    EXPECT_NO_THROW(Parameters(extractor.declaration, parsed)) << representation;
  }
  EXPECT_EQ(representation_of(make_recogniser("eigenface-svm:size=32,components=9")),
            "eigenface:size=32,components=9,standardise=yes,whiten=yes");
}

// Three samples at 1, 1.1 and 4 from the probe; person 0 has the nearest, person 1 the two after it.
TEST(Recogniser, NeighboursVoteAndDistancesOrderTheRest) {
  const Templates enrolled = rows_of({{1, 0}, {0, 1.1F}, {0, -1.1F}, {4, 0}, {0, 9}});
  const auto resolved = make_recogniser("face-network-knn:k=3");
  resolved->fit(enrolled, std::vector<std::int32_t>{0, 1, 1, 2, 3}, 4, {});
  const Likelihoods said = resolved->likelihoods(rows_of({{0, 0}}));
  const auto order = said.order().row(0);
  EXPECT_TRUE(order[1] > order[0] && order[0] > order[2] && order[2] > order[3]);
  // Two votes and 1 / (2 (1 + 1.1)) against one and a quarter, and what is left to those without: 0.1 and 0.05.
  const double two = 2 + 0.5 / 2.1;
  EXPECT_NEAR(said.probabilities(0, 1), two / (two + 1.25 + 0.1 + 0.05), 1e-6);
  EXPECT_EQ(guesses("face-network-knn:k=1", enrolled, {0, 1, 1, 2, 3}, rows_of({{0, 0}})),
            std::vector<std::int32_t>{0});
}

TEST(Recogniser, LbphComparesHistogramsWhateverTheOptionsSay) {
  // By hand: 2 (0.1^2 / 1.3 + 0.1^2 / 0.7) and 2 (0.3^2 / 1.7 + 0.3^2 / 0.3).
  const auto resolved = make_recogniser("lbph");
  const Templates enrolled = rows_of({{0.6F, 0.4F}, {1, 0}}), probe = rows_of({{0.7F, 0.3F}});
  resolved->fit(enrolled, std::vector<std::int32_t>{0, 1}, 2, {.comparator = "hamming"});
  const Likelihoods said = resolved->likelihoods(probe);
  EXPECT_NEAR(said.logs(0, 0), -2 * (0.01 / 1.3 + 0.01 / 0.7), 1e-6);
  EXPECT_NEAR(said.logs(0, 1), -2 * (0.09 / 1.7 + 0.3), 1e-6);
}

/// Ten people, five samples of each, who differ in one of 20 features. The others vary little, and say nothing.
struct OnePlace {
  Templates enrolled, probes;
  std::vector<std::int32_t> people;

  OnePlace() {
    Stream stream(5, "one place");
    std::vector<std::vector<float>> known, asked;
    for (std::int32_t p = 0; p < 10; ++p) {
      for (int s = 0; s < 6; ++s) {
        std::vector<float> row;
        for (int j = 0; j < 20; ++j) row.push_back(static_cast<float>(0.05 * stream.normal()));
        row[7] = static_cast<float>(p) + row[7];
        (s < 5 ? known : asked).push_back(row);
        if (s < 5) people.push_back(p);
      }
    }
    enrolled = rows_of(known);
    probes = rows_of(asked);
  }
};

/// How many of the ten are named.
int named_right(const std::string& recogniser, const OnePlace& data) {
  std::vector<std::int32_t> truth(10);
  std::iota(truth.begin(), truth.end(), 0);
  const auto said = guesses(recogniser, data.enrolled, data.people, data.probes);
  return std::inner_product(said.begin(), said.end(), truth.begin(), 0, std::plus<>(), std::equal_to<>());
}

// Where all features have one unit, z-scores make as much of those that only carry noise.
TEST(Recogniser, EstimatorsSayWhatIsDoneBeforeTheyLearn) {
  const OnePlace data;
  EXPECT_EQ(named_right("knn:k=3,preparation=none", data), 10);
  EXPECT_LT(named_right("knn:k=3", data), 10);
  EXPECT_EQ(named_right("knn:k=3", data), named_right("knn:k=3,preparation=zscore", data));
  EXPECT_EQ(named_right("knn:k=3,preparation=minmax+zscore", data), named_right("knn:k=3", data));  // any scale
  EXPECT_EQ(make_recogniser("knn:k=3,preparation=zscore").parameters.brief(), "knn:k=3");
  expect_contains(test::error_of(Fault::usage, [] { (void)make_recogniser("knn:preparation=zcore"); }), "zscore");
}

TEST(Recogniser, TunedChoosesOnEnrolledSamplesAlone) {
  const OnePlace data;
  const auto right = [&](const std::string& name) { return named_right(name, data); };
  // Among all 50 neighbours everybody is as likely, and features of one scale drown the one that tells people apart:
  // fewer neighbours are tried, and features as they are.
  EXPECT_EQ(right("tuned:estimator=knn,search=grid"), 10);
  EXPECT_LT(right("knn:k=50"), 8);
  EXPECT_LT(right("tuned:estimator=knn,search=grid,preparation=zscore"), 10);
  const auto tuned = make_recogniser("tuned:estimator=lda,search=grid,folds=5,preparation=zscore");
  tuned->fit(data.enrolled, data.people, 10, {.seed = 3});
  const Matrix<double> said = tuned->likelihoods(data.probes).probabilities;
  bool one_of_them = false;
  for (const char* const shrinkage : {"0.001", "0.01", "0.1", "0.3", "1"}) {
    const auto plain = make_recogniser(std::string("lda:shrinkage=") + shrinkage);
    plain->fit(data.enrolled, data.people, 10, {.seed = 3});
    const Matrix<double> other = plain->likelihoods(data.probes).probabilities;
    one_of_them = one_of_them || std::equal(said.data(), said.data() + said.size(), other.data());
  }
  EXPECT_TRUE(one_of_them);
  // The first of all people alone has more samples than one, and is enough to choose by: among five neighbours, the
  // default, four would speak for them wherever a probe stands.
  EXPECT_EQ(
      guesses("tuned:estimator=knn,search=grid,preparation=none",
              rows_of({{0, 0}, {1, 0}, {0, 1}, {1, 1}, {30, 0}, {0, 30}}), {0, 0, 0, 0, 1, 2}, rows_of({{29, 0}})),
      std::vector<std::int32_t>{1});
  // Nobody has a second sample: the defaults.
  EXPECT_EQ(guesses("tuned:estimator=lda", rows_of({{0, 0}, {10, 1}, {2, 9}}), {0, 1, 2}, rows_of({{1, 1}})),
            std::vector<std::int32_t>{0});
  expect_contains(test::error_of(Fault::usage, [] { (void)make_recogniser("tuned:estimator=svm-rfb"); }), "svm-rbf");
  expect_contains(test::error_of(Fault::usage, [] { (void)make_recogniser("tuned:preparation=none/zcore"); }),
                  "zscore");
}

TEST(Recogniser, AnUnknownNameSuggestsTheNearest) {
  expect_contains(test::error_of(Fault::usage, [] { (void)make_recogniser("eigenfaces-svm"); }), "eigenface-svm");
  expect_contains(test::error_of(Fault::usage, [] { (void)make_recogniser("svm-rfb"); }), "svm-rbf");
}

Dataset drawn_faces(const Scratch& scratch, std::uint64_t seed) {
  (void)synthesize_faces(scratch.path(), {.identities = 10, .samples = 8, .seed = seed});
  ReadOptions options;
  options.templates_required = false;
  return read_dataset(scratch.path(), options);
}

TEST(EigenfaceSvm, KnowsDrawnFacesAgain) {
  const Scratch known, others;
  const Dataset people = drawn_faces(known, 1);
  const auto recogniser = make_recogniser("eigenface-svm:size=24,components=40");
  // Eigenfaces are learned from people who are nowhere else.
  const ResolvedExtractor extractor = make_extractor(representation_of(recogniser));
  fit_extractor(extractor, drawn_faces(others, 2));
  const Dataset faces = extract_dataset(extractor, people);
  std::vector<std::size_t> enrolled, asked;
  std::vector<std::int32_t> enrolled_people, truth;
  for (std::size_t row = 0; row < faces.size(); ++row) {
    const bool probe = row % 8 >= 5;
    (probe ? asked : enrolled).push_back(row);
    (probe ? truth : enrolled_people).push_back(static_cast<std::int32_t>(row / 8));
  }
  recogniser->fit(faces.templates.select(enrolled), enrolled_people, 10, {});
  const auto named = likeliest(recogniser->likelihoods(faces.templates.select(asked)).order());
  std::size_t right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += named[i] == truth[i] ? 1 : 0;
  // Chance is 3 of 30; six standard deviations above it are 13.
  EXPECT_GE(right, 13U);
}

}  // namespace
}  // namespace bauta
