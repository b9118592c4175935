// Experiment files that somebody damaged: each one is read or refused with an Error. Under the sanitizers this also
// watches the TOML parser, which is not ours.
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"
#include "bauta/run/experiment.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

const std::string valid =
    "# Vergleich über Datenbanken\n"
    "[data]\ntarget = { path = \"target\", identity = 'person', key = \"X\" }\nattacker=\"attacker\"\n"
    "attribute = [\"gender\", \"ethnic origin\"] # é\n"
    "[protect]\ntechnique = [\n  \"none\",\n  \"pe-miu:block=4\",\n]\n"
    "[protocol]\nkind = \"cross-database\"\n"
    "[attack]\nsimilarity = { rule = [\"mean\", \"vote\"], n = [1, 3] }\n"
    "[measure]\nfmr = [0.1, 1e-2]\nbootstrap = 2_0\n"
    "[report]\ntitle = \"S0: \\\"é\\\" \\u00e9 ĳ\"\n";

class ExperimentFuzz : public testing::Test {
 protected:
  ExperimentFuzz()
      : path_(fs::path(testing::TempDir()) / ("bauta_experiment_fuzz_" + std::to_string(::getpid()) + ".toml")) {}
  ~ExperimentFuzz() override { fs::remove(path_); }

  [[nodiscard]] Experiment read(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    return read_experiment(path_);
  }
  /// True if it was read, false if it was refused; anything but an Error that says what and where fails the test.
  [[nodiscard]] bool survives(const std::string& text) const {
    try {
      (void)read(text).resolved().dump();
      return true;
    } catch (const Error& error) {
      EXPECT_NE(static_cast<int>(error.fault), static_cast<int>(Fault::environment)) << text;
      EXPECT_FALSE(error.where.empty()) << error.what() << "\n" << text;
      EXPECT_FALSE(error.finding.empty()) << text;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << "\n" << text;
    }
    return false;
  }

 private:
  fs::path path_;
};

std::string mutate(std::string text, Stream& stream) {
  // What the grammar is made of, and letters of every length that the parser treats in its own way.
  static const std::string tokens[] = {"\"",
                                       "'",
                                       "\"\"\"",
                                       "'''",
                                       "\\",
                                       "\\\n",
                                       "[",
                                       "]",
                                       "[[",
                                       "{",
                                       "}",
                                       "=",
                                       ".",
                                       ",",
                                       "#",
                                       "\n",
                                       "\r",
                                       " ",
                                       "-",
                                       "+",
                                       "5",
                                       "0x",
                                       "1e9",
                                       "1979-05-27",
                                       "1979-05-27 0",
                                       "07:32",
                                       "inf",
                                       "true",
                                       "\\u00e9",
                                       std::string(1, '\0'),
                                       "é",
                                       "Ĺ",
                                       "\u00a0",
                                       "\u1680",
                                       "\u2028",
                                       "\u3001",
                                       "\u3000",
                                       "\ufeff",
                                       "\ufe30",
                                       "\xc3",
                                       "\xed\xa0\x80",
                                       "😀"};
  const std::uint64_t changes = 1 + stream.below(4);
  for (std::uint64_t change = 0; change < changes && !text.empty(); ++change) {
    const std::size_t at = stream.below(text.size());
    switch (stream.below(6)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ static_cast<char>(1U << stream.below(8)));
        break;
      case 1:
        text[at] = static_cast<char>(stream.below(256));
        break;
      case 2:
        text.erase(at, 1 + stream.below(8));
        break;
      case 3:
        text.insert(at, text.substr(stream.below(text.size()), stream.below(16)));
        break;
      default:
        text.insert(at, tokens[stream.below(std::size(tokens))]);
    }
  }
  return text;
}

TEST_F(ExperimentFuzz, TheUndamagedFileIsRead) {
  const Experiment experiment = read(valid);
  EXPECT_EQ(experiment.title, "S0: \"é\" é ĳ");
  EXPECT_EQ(experiment.setting.attributes.size(), 2U);
  EXPECT_EQ(experiment.setting.keys["measure"]["bootstrap"], 20);
}

TEST_F(ExperimentFuzz, LettersThatAreNotAsciiAreReadWhereTheyMayStand) {
  const std::string data = "[data]\ntarget = \"t\"\n[report]\n";
  EXPECT_EQ(read(data + "title = \"é\"").title, "é");
  EXPECT_EQ(read(data + "title = 'é'  # é\r\n").title, "é");
  EXPECT_EQ(read(data + "title=\"\\\"é\"").title, "\"é");
  EXPECT_EQ(read("\ufeff" + data + "title = \"a\" # \"é").title, "a");
}

// Each of these made toml++ 3.3 run into code that it declares unreachable, which only the sanitizer sees.
TEST_F(ExperimentFuzz, LettersThatAreNotAsciiAreRefusedWithTheirLineElsewhere) {
  for (const std::string text : {"é = 1", "a = é", "a = 1é", "a = 5\"é\"", "a = 5='é'", "a = [é]", "[é]", "a = 1 é",
                                 "a = true\u3001", "a = 1979-05-27 0\"é\"", "a = \"\"\"\\\né\"\"\"", "a = \"b\"é"}) {
    try {
      (void)read("[data]\n" + text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(static_cast<int>(error.fault), static_cast<int>(Fault::input)) << text;
      EXPECT_NE(error.where.find(text.find('\n') == text.npos ? ".toml line 2" : ".toml line 3"), std::string::npos)
          << error.where;
      EXPECT_NE(error.finding.find("ASCII"), std::string::npos) << error.finding;
    }
  }
}

// Assertions of toml++ 3.3 would stop the whole program at these.
TEST_F(ExperimentFuzz, WhatItsParserDidNotExpectIsRefused) {
  for (const std::string text :
       {"[*]", "[[[a]]]", "[[=", "  [ .a]", "[#]", "[\n]", "[[ \n", "a = 1979-05-27 0,", "a = 1979-05-27 0 "}) {
    EXPECT_FALSE(survives("[data]\ntarget = \"t\"\n" + text)) << text;
  }
}

TEST_F(ExperimentFuzz, TruncationAtEveryByteIsSurvived) {
  for (std::size_t size = 0; size < valid.size(); ++size) (void)survives(valid.substr(0, size));
}

TEST_F(ExperimentFuzz, RandomMutationsAreSurvived) {
  const std::size_t rounds = std::getenv("BAUTA_SLOW") != nullptr ? 500000 : 10000;
  Stream stream(21, "hostile experiments");
  std::size_t read = 0;
  for (std::size_t round = 0; round < rounds && !HasFailure(); ++round)
    read += static_cast<std::size_t>(survives(mutate(valid, stream)));
  // Mutations that all fail at the first byte, or never fail, would test nothing.
  EXPECT_GT(read, rounds / 50);
  EXPECT_LT(read, rounds / 2);
}

}  // namespace
}  // namespace bauta
