// The ladder of adversaries, and keys that questions declare.
#include <cmath>

#include <gtest/gtest.h>

#include "bauta/core/error.hpp"
#include "bauta/question/adversary.hpp"
#include "bauta/question/question.hpp"

namespace bauta {
namespace {

TEST(Adversaries, AreChoicesOfForms) {
  const Adversary& naive = find_adversary("naive");
  EXPECT_TRUE(naive.learns("csn", "").clear());
  EXPECT_EQ(naive.meets("csn", "").technique, "csn");
  EXPECT_EQ(find_adversary("parrot").learns("csn", "").technique, "csn");
  EXPECT_EQ(find_adversary("parrot-25").learns("csn", "").share, 0.25);
  const Adversary& recover = find_adversary("recover");
  EXPECT_TRUE(recover.learns("csn", "average").clear());
  EXPECT_EQ(recover.meets("csn", "average").recovery, "average");
  EXPECT_EQ(find_adversary("recover+parrot").learns("csn", "average").recovery, "average");
}

TEST(Adversaries, DifferInWhatTheirRepresentationIsLearnedFrom) {
  const auto seen = [](const char* who, const char* extractor, const char* technique) {
    return find_adversary(who).sees(extractor, technique, Role::enrol);
  };
  for (const char* who : {"naive", "lazy", "recover", "recover+parrot", "invert"}) {
    const Representation clear = seen(who, "eigenface", "pixelate");
    EXPECT_TRUE(clear.fitted_in.clear()) << who;
    EXPECT_FALSE(clear.fitted_on) << who;
  }
  const Representation retrained = seen("retrained", "eigenface", "pixelate");
  EXPECT_EQ(retrained.fitted_in.technique, "pixelate");
  EXPECT_FALSE(retrained.fitted_on);  // other people
  const Representation half = seen("parrot-50", "eigenface", "pixelate");
  EXPECT_EQ(half.fitted_in.technique, "pixelate");
  EXPECT_EQ(half.fitted_in.share, 0.5);
  EXPECT_EQ(half.fitted_on, Role::enrol);
  // The same attackers learn theirs from the same samples where nothing is protected.
  const Representation clear = find_adversary("parrot").sees_clear("eigenface", "pixelate", Role::enrol);
  EXPECT_TRUE(clear.fitted_in.clear());
  EXPECT_EQ(clear.fitted_on, Role::enrol);
  // What learns nothing is one for all, and what masks templates comes after the representation.
  EXPECT_FALSE(seen("parrot", "pixels", "pixelate").fitted_on);
  for (const char* who : {"parrot", "retrained"}) {
    EXPECT_TRUE(seen(who, "eigenface", "csn").fitted_in.clear()) << who;
    EXPECT_FALSE(seen(who, "eigenface", "csn").fitted_on) << who;
  }
}

// By their own description: who learns from clear samples and meets masked ones knows nothing of the mask.
TEST(Adversaries, AreInformedUnlessTheyAreNaive) {
  for (const Adversary& one : adversaries()) EXPECT_EQ(one.informed(), one.name != "naive") << one.name;
}

TEST(Adversaries, HaveNamesInOtherCommunities) {
  EXPECT_EQ(find_adversary("ignorant").name, "naive");
  EXPECT_EQ(find_adversary("semi-informed").name, "parrot");
  EXPECT_THROW((void)find_adversary("parot"), Error);
}

TEST(Keys, AreCheckedByWhoDeclaresThem) {
  const Key rates = rates_key("measure", "fmr", {0.1}, "");
  EXPECT_EQ(rates.check(0.5, "x"), (Json{0.5}));
  EXPECT_THROW(rates.check(Json{1.5}, "x"), Error);
  EXPECT_THROW(rates.check(Json::array(), "x"), Error);
  const Key counts = counts_key("attack", "n", {1}, "", 1);
  EXPECT_THROW(counts.check(0, "x"), Error);
  EXPECT_THROW(counts.check(1.5, "x"), Error);
  const Key table =
      table_key("attack", "tuning", "", {text_key("", "search", "random", ""), count_key("", "trials", 20, "", 1)});
  EXPECT_EQ(table.check(Json{{"trials", 3}}, "x"), (Json{{"search", "random"}, {"trials", 3}}));
  EXPECT_THROW(table.check(Json{{"trails", 3}}, "x"), Error);
  EXPECT_THROW(table.check("random", "x"), Error);
}

TEST(Keys, EndOfWhatTheyTake) {
  const Key counts = counts_key("attack", "n", {1}, "", 1), count = count_key("attack", "n", 1, "");
  EXPECT_EQ(counts.check(Json{3, 1, 3}, "x"), (Json{3, 1}));  // each once
  EXPECT_EQ(counts.check(10'000'000, "x"), (Json{10'000'000}));
  EXPECT_THROW(counts.check(10'000'001, "x"), Error);
  EXPECT_EQ(count.check(0, "x"), 0);
  EXPECT_THROW(count.check(-1, "x"), Error);
  EXPECT_THROW(count.check(Json{1}, "x"), Error);
  const Key rates = rates_key("measure", "fmr", {0.1}, ""), real = real_key("measure", "temperature", 1, "");
  for (const double end : {0.0, 1.0, -0.5}) EXPECT_THROW(rates.check(end, "x"), Error) << end;
  EXPECT_THROW(rates.check("0.1", "x"), Error);
  EXPECT_EQ(real.check(2.5, "x"), 2.5);
  for (const double wrong : {0.0, -1.0, HUGE_VAL}) EXPECT_THROW(real.check(wrong, "x"), Error) << wrong;
  EXPECT_THROW(real.check(true, "x"), Error);
  const Key either = switch_key("attack", "controls", true, "");
  EXPECT_EQ(either.check(false, "x"), false);
  EXPECT_THROW(either.check(0, "x"), Error);
  EXPECT_THROW(estimator_key().check("svm-quadratic", "x"), Error);
  EXPECT_THROW(estimator_key().check(7, "x"), Error);
}

TEST(Keys, OfTheirOwnTakeWhatTheirQuestionsCanAnswer) {
  const auto key_of = [](const std::string& name) {
    for (const auto& question : questions()) {
      for (const Key& key : question->declaration().keys) {
        if (key.name == name) return key;
      }
    }
    throw_usage(name, "no question reads it");
  };
  const Key share = key_of("open_set"), form = key_of("reference");
  for (const Json& one : {Json(0), Json(0.01), Json(0.99)}) EXPECT_EQ(share.check(one, "x"), one);
  for (const Json& none : {Json(1), Json(-0.01), Json("half"), Json{0.5}}) EXPECT_THROW(share.check(none, "x"), Error);
  EXPECT_EQ(form.check(Json{"clear", "masked"}, "x"), (Json{"clear", "masked"}));
  EXPECT_THROW(form.check("plain", "x"), Error);
}

/// Two questions that share a key mean the same by it.
TEST(Keys, SharedOnesAgree) {
  std::map<std::string, Json> fallbacks;
  for (const auto& question : questions()) {
    for (const Key& key : question->declaration().keys) {
      const auto [place, fresh] = fallbacks.try_emplace(key.section + "." + key.name, key.fallback);
      EXPECT_EQ(place->second, key.fallback) << key.name;
    }
  }
  EXPECT_GT(fallbacks.size(), 10U);
}

}  // namespace
}  // namespace bauta
