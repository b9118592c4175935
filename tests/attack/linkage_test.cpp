#include "bauta/attack/linkage.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/identification.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {
namespace {

/// Independent standard normal features, in two classes that differ in the first of them.
struct Records {
  Dataset data;
  std::vector<std::int32_t> classes;

  Records(std::size_t rows, std::size_t cols, std::uint64_t seed, double distance = 0) {
    Matrix<float> x(rows, cols);
    std::vector<std::string> names;
    Stream stream(seed, "records");
    for (std::size_t i = 0; i < rows; ++i) {
      classes.push_back(static_cast<std::int32_t>(i % 2));
      names.push_back(i % 2 == 0 ? "a" : "b");
      stream.normals(x.row(i));
      if (i % 2 == 1) x(i, 0) += static_cast<float>(distance);
    }
    data.origin = "records";
    data.templates = Templates(std::move(x));
    data.labels = LabelTable("records", rows);
    data.labels.add_column("class", std::move(names));
  }
};

struct Anonymised {
  Templates records;
  Blend blend;
};

Anonymised anonymise(const Records& records, const std::string& parameters, std::uint64_t seed = 1) {
  ResolvedProtection protection = make_protection("utility-preserving:ranking=fisher," + parameters);
  const ProtectContext context{.randomness = Randomness::seeded(seed)};
  fit_protection(protection, records.data, {"class"}, context);
  return {protect_dataset(protection, records.data, context).templates, *protection->blend()};
}

double mixture(const std::vector<Standing>& standings) {
  std::vector<std::uint32_t> subjects(standings.size());
  for (std::size_t i = 0; i < subjects.size(); ++i) subjects[i] = static_cast<std::uint32_t>(i);
  return mixture_at(1, standings, subjects).value;
}

double share_above(const std::vector<Standing>& standings) {
  double sum = 0;
  for (const Standing& standing : standings) {
    sum += (standing.above + (standing.tied - 1) / 2.0) / (standing.candidates - 1.0) /
           static_cast<double>(standings.size());
  }
  return sum;
}

TEST(Linkage, StandingsAreThoseOfSortedScores) {
  const Records records(40, 6, 1);
  const Records probes(40, 6, 2);
  std::vector<std::size_t> truth(40);
  for (std::size_t i = 0; i < 40; ++i) truth[i] = (i * 7) % 40;
  const auto standings = link_records(*make_comparator("cosine"), probes.data.templates, records.data.templates, truth,
                                      {ScoreWeight::softmax, 0.5}, "test");
  const auto cosine = [&](std::size_t p, std::size_t r) {
    const auto a = probes.data.templates.floats().row(p), b = records.data.templates.floats().row(r);
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t j = 0; j < 6; ++j) {
      ab += double{a[j]} * b[j];
      aa += double{a[j]} * a[j];
      bb += double{b[j]} * b[j];
    }
    return ab / std::sqrt(aa * bb);
  };
  for (std::size_t p = 0; p < 40; ++p) {
    std::uint32_t above = 0;
    double sum = 0;
    for (std::size_t r = 0; r < 40; ++r) {
      above += cosine(p, r) > cosine(p, truth[p]) && r != truth[p];
      sum += std::exp(cosine(p, r) / 0.5);
    }
    EXPECT_EQ(standings[p].above, above);
    EXPECT_EQ(standings[p].tied, 1U);
    EXPECT_EQ(standings[p].candidates, 40U);
    EXPECT_NEAR(standings[p].posterior, std::exp(cosine(p, truth[p]) / 0.5) / sum, 1e-5);
  }
}

// With w = 1 and sets of the own class, the record has a share of its set's mean and the others are noise of known
// size: the right candidate beats another one at distance d with probability Phi(share d / (2 deviation)), which no
// attacker can better.
TEST(Linkage, LikelihoodReachesTheOptimumInClosedForm) {
  const std::size_t rows = 800, cols = 24, size = 9;
  const Records records(rows, cols, 3);
  const Anonymised anonymised = anonymise(records, "g=9,t=1,w=1");
  const auto standings =
      link_by_likelihood(anonymised.blend, {anonymised.records, records.data.templates, records.classes}, "test");
  const double members = rows / 2.0, companions = size - 1.0;
  const double share = (1 - companions / (members - 1)) / size;
  const double deviation = std::sqrt(companions * (members - 1 - companions) / (members - 2)) / size;
  double optimum = 0, pairs = 0;
  const auto x = records.data.templates.floats();
  for (std::size_t i = 0; i < rows; i += 7) {
    for (std::size_t k = i % 2; k < rows; k += 2) {
      if (k == i) continue;
      double square = 0;
      for (std::size_t j = 0; j < cols; ++j) square += std::pow(double{x(i, j)} - x(k, j), 2);
      optimum += normal_cdf(-share * std::sqrt(square) / (2 * deviation));
      ++pairs;
    }
  }
  optimum /= pairs;
  ASSERT_GT(optimum, 0.01);  // neither trivial nor hopeless
  ASSERT_LT(optimum, 0.4);
  // 800 records; a record's share of those above it deviates by no more than 0.15 here: four standard errors are 0.02.
  EXPECT_NEAR(share_above(standings), optimum, 0.02);
  // The plain cosine does worse.
  std::vector<std::size_t> own(rows);
  for (std::size_t i = 0; i < rows; ++i) own[i] = i;
  const auto plain =
      link_records(*make_comparator("cosine"), anonymised.records, records.data.templates, own, {}, "test");
  EXPECT_GT(mixture(plain), mixture(standings));
}

TEST(Linkage, FindsAllWhereNothingIsHiddenAndNobodyWhereNothingIsThere) {
  const Records records(300, 12, 5, 1.0);
  for (const char* parameters : {"g=1,t=1,w=1", "g=16,t=0.5,w=1000,rp=1"}) {
    const Anonymised anonymised = anonymise(records, parameters);
    const BlendedRecords blended{anonymised.records, records.data.templates, records.classes};
    EXPECT_EQ(mixture(link_by_likelihood(anonymised.blend, blended, "test")), 0) << parameters;
    EXPECT_EQ(mixture(link_by_retained(anonymised.blend, blended, "test")), 0) << parameters;
  }
  // Records that were made of others: the originals at hand are as good as any.
  const Anonymised others = anonymise(Records(300, 12, 6, 1.0), "g=8,t=0.5,w=10,rp=0.2");
  const BlendedRecords null{others.records, records.data.templates, records.classes};
  for (const auto& standings :
       {link_by_likelihood(others.blend, null, "test"), link_by_retained(others.blend, null, "test")}) {
    // Uniform on 0..1, 300 times: 0.5 with a standard error of 0.017.
    EXPECT_NEAR(share_above(standings), 0.5, 0.06);
  }
}

// With w = 1 records and sets are mixed linearly alike, so an attacker who knows covariances finds the same in any
// coordinates, correlated ones of very different scales among them.
TEST(Linkage, LikelihoodDoesNotDependOnTheCoordinates) {
  const std::size_t rows = 400, cols = 16;
  const Records plain(rows, cols, 9, 1.0);
  Records mixed(rows, cols, 9, 1.0);
  Matrix<float> x(rows, cols, 0.0F);
  Stream stream(1, "mixing");
  Matrix<double> mixing(cols, cols);
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t k = 0; k < cols; ++k) {
      // Nearly one direction, plus little of each own.
      mixing(j, k) = 1 + 0.1 * stream.normal() + (j == k ? 0.3 : 0) * static_cast<double>(j + 1);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < cols; ++k) sum += mixing(j, k) * plain.data.templates.floats()(i, k);
      x(i, j) = static_cast<float>(sum);
    }
  }
  mixed.data.templates = Templates(std::move(x));
  const auto of = [](const Records& records) {
    const Anonymised anonymised = anonymise(records, "g=8,t=0.5,w=1");
    return link_by_likelihood(anonymised.blend, {anonymised.records, records.data.templates, records.classes}, "test");
  };
  const auto a = of(plain), b = of(mixed);
  EXPECT_NEAR(mixture(a), mixture(b), 0.01);
  EXPECT_NEAR(share_above(a), share_above(b), 0.001);
}

TEST(Linkage, TheFormAsPrintedIsUndoneToo) {
  const Records records(300, 12, 7, 1.0);
  const Anonymised prose = anonymise(records, "g=8,t=0.5,w=10,rp=0.2,form=prose");
  const Anonymised printed = anonymise(records, "g=8,t=0.5,w=10,rp=0.2,form=printed");
  const auto of = [&](const Anonymised& anonymised) {
    return link_by_likelihood(anonymised.blend, {anonymised.records, records.data.templates, records.classes}, "test");
  };
  const auto a = of(prose), b = of(printed);
  std::size_t different = 0;
  for (std::size_t i = 0; i < 300; ++i) different += a[i].above != b[i].above;
  EXPECT_LE(different, 3U);  // a scale that is known hides nothing; roundings may swap near-ties
}

TEST(Linkage, BitsDoNotDependOnThreads) {
  const Records records(700, 16, 8, 1.0);
  const Anonymised anonymised = anonymise(records, "g=8,t=0.5,w=10,rp=0.2");
  const auto run = [&](int count) {
    set_threads(count);
    return link_by_likelihood(anonymised.blend, {anonymised.records, records.data.templates, records.classes}, "test");
  };
  const auto one = run(1), three = run(3);
  set_threads(0);
  for (std::size_t i = 0; i < 700; ++i) {
    ASSERT_EQ(one[i].above, three[i].above);
    ASSERT_EQ(one[i].posterior, three[i].posterior);
    ASSERT_EQ(one[i].divergence, three[i].divergence);
  }
}

}  // namespace
}  // namespace bauta
