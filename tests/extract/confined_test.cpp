// What becomes of whatever the other process says or does: scripts stand in for it.
#include "confined.hpp"

#include <cerrno>
#include <csignal>
#include <string>

#include <fmt/format.h>

#include "../data/scratch.hpp"
#include "bauta/core/version.hpp"
#include "media.hpp"
#include "message.hpp"

namespace bauta {
namespace {

using test::expect_contains;
using test::Scratch;
using test::Setting;

std::string framed(const MessageWriter& message) {
  MessageWriter size;
  size.number(message.bytes().size());
  return size.bytes() + message.bytes();
}

std::string model(std::string_view name) {
  MessageWriter message;
  message.number(static_cast<std::uint64_t>(Answer::model));
  message.text(name);
  return framed(message);
}

std::string features(const std::vector<float>& values) {
  MessageWriter message;
  message.number(static_cast<std::uint64_t>(Answer::features));
  message.floats(values);
  return framed(message);
}

std::string nothing() {
  MessageWriter message;
  message.number(static_cast<std::uint64_t>(Answer::nothing));
  return framed(message);
}

std::string refusal(std::uint64_t fault, std::string_view finding = "finding") {
  MessageWriter message;
  message.number(static_cast<std::uint64_t>(Answer::error));
  message.number(fault);
  for (const std::string_view text : {std::string_view("where"), finding, std::string_view("hint")}) message.text(text);
  return framed(message);
}

/// A program that hears what to load (8 bytes of size, 20 of message), says all it ever will at once, and then does as
/// told.
class Script {
 public:
  explicit Script(const std::string& answers, const std::string& then = "exec sleep 60") {
    says(answers);
    const auto file = scratch_.write("program", "#!/bin/sh\necho \"$$ $*\" > '" + (scratch_ / "started").string() +
                                                    "'\nhead -c 28 > /dev/null\ncat '" +
                                                    (scratch_ / "answers").string() + "' >&0\n" + then + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  void says(const std::string& answers) const { scratch_.write("answers", answers); }
  [[nodiscard]] std::unique_ptr<Extractor> start() const {
    return confined_extractor("spec", {scratch_ / "absent", scratch_ / "program"});
  }
  /// Number of the process and its arguments.
  [[nodiscard]] std::string started() const { return test::read_bytes(scratch_ / "started"); }

 private:
  Scratch scratch_;
};

const Medium medium = Image{1, 1, 1, {7}};
/// Before it ends, the program hears that medium (8 bytes of size, 49 of message): nobody writes to one that is gone.
const std::string heard = "head -c 57 > /dev/null\n";

TEST(Confined, AnswersAreTaken) {
  const Script script(model("abc") + features({1, -2.5F}) + nothing() + features({}) + refusal(0) + model("x") +
                      features({3}));
  const auto extractor = script.start();
  EXPECT_EQ(extractor->model(), "abc");
  EXPECT_EQ(extractor->extract(medium), (std::vector<float>{1, -2.5F}));
  EXPECT_EQ(extractor->extract(medium), std::nullopt);
  EXPECT_EQ(extractor->extract(medium), std::vector<float>());
  // Whatever it says of a medium is no fault of the user's.
  EXPECT_EQ(test::input_error([&] { (void)extractor->extract(medium); }), "where: finding (hint)");
  expect_contains(test::input_error([&] { (void)extractor->extract(medium); }), "what was not asked");
  EXPECT_EQ(extractor->extract(medium), std::vector<float>{3});
}

/// For printf of a shell.
std::string octal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("\\{:03o}", static_cast<unsigned char>(byte));
  return text;
}

// In two parts, the second of them one byte: of the size, and of the message.
TEST(Confined, AnswersMayComeInParts) {
  const std::string answer = features({5, -6});
  for (const std::size_t first : {std::size_t{7}, answer.size() - 1}) {
    const Script script(model("m") + answer.substr(0, first),
                        heard + "sleep 0.2\nprintf '" + octal(answer.substr(first)) + "' >&0\nexec sleep 60");
    EXPECT_EQ(script.start()->extract(medium), (std::vector<float>{5, -6})) << first;
  }
}

TEST(Confined, WhatItRefusesToLoadIsRefused) {
  for (const Fault fault : {Fault::usage, Fault::input, Fault::environment}) {
    const Script script(refusal(static_cast<std::uint64_t>(fault)));
    EXPECT_EQ(test::error_of(fault, [&] { (void)script.start(); }), "where: finding (hint)");
  }
  EXPECT_EQ(test::input_error([] { (void)Script(refusal(3)).start(); }), "where: finding (hint)");
  expect_contains(test::input_error([] { (void)Script(features({1})).start(); }), "what was not asked");
}

TEST(Confined, ItsWordsAreOneLineOfText) {
  EXPECT_EQ(Script(model("a\x1f"
                         "b\n ~\x7f"
                         "c\xff"))
                .start()
                ->model(),
            "a b  ~ c\xef\xbf\xbd");
  EXPECT_EQ(Script(model(std::string(400, 'x') + "y")).start()->model(), std::string(400, 'x'));
  EXPECT_EQ(test::input_error([] { (void)Script(refusal(1, "two\nlines")).start(); }), "where: two lines (hint)");
}

TEST(Confined, HowItEndedIsSaid) {
  const auto said = [](const std::string& then) {
    const auto extractor = Script(model("m"), then).start();
    return test::input_error([&] { (void)extractor->extract(medium); });
  };
  expect_contains(said(heard + "exit 3"), "ended its process with status 3");
  expect_contains(said(heard + "kill -SEGV $$"), "killed by signal 11 (SEGV)");
  expect_contains(said(heard + "kill -XCPU $$"), "took longer than 120 s");
  const std::string early = test::input_error([] { (void)Script("", "exit 4").start(); });
  expect_contains(early, "spec");
  expect_contains(early, "status 4");
}

TEST(Confined, ItsTimeIsBounded) {
  const Setting limit("BAUTA_MODEL_SECONDS", "1");
  const auto extractor = Script(model("m")).start();
  expect_contains(test::input_error([&] { (void)extractor->extract(medium); }), "took longer than 1 s");
}

TEST(Confined, OneThatIsLateThreeTimesInARowIsGivenUp) {
  const Script script(model("m"), heard + "kill -XCPU $$");
  const auto extractor = script.start();
  const auto late_twice = [&] {
    for (int time = 0; time < 2; ++time) {
      expect_contains(test::input_error([&] { (void)extractor->extract(medium); }), "took longer than 120 s");
    }
  };
  late_twice();
  script.says(model("m") + features({1}));
  EXPECT_EQ(extractor->extract(medium), std::vector<float>{1});
  script.says(model("m"));
  late_twice();
  expect_contains(test::error_of(Fault::environment, [&] { (void)extractor->extract(medium); }),
                  "took longer than 120 s (BAUTA_MODEL_SECONDS), for 3 media in a row");
}

TEST(Confined, AnswersHaveSixtyFourMebibytesAtMost) {
  MessageWriter most, more;
  most.number(64 << 20);
  more.number((64 << 20) + 1);
  const std::string zeros = "head -c 67108865 /dev/zero >&0";
  expect_contains(test::input_error([&] { (void)Script(most.bytes(), zeros).start(); }), "what was not asked");
  expect_contains(test::input_error([&] { (void)Script(more.bytes(), zeros).start(); }), "more than 64 MiB");
}

// One that closes its end and lives on is not waited for; none outlives the extractor.
TEST(Confined, NoProcessIsLeft) {
  for (const char* then : {"exec sleep 60", "exec sleep 60 <&-"}) {
    const Script script(model("m"), then);
    auto extractor = script.start();
    const auto process = static_cast<pid_t>(std::stoi(script.started()));
    EXPECT_EQ(::kill(process, 0), 0);
    if (std::string_view(then).ends_with("-")) {
      expect_contains(test::input_error([&] { (void)extractor->extract(medium); }), "does not answer any more");
    }
    extractor.reset();
    EXPECT_EQ(::kill(process, 0), -1) << then;
    EXPECT_EQ(errno, ESRCH) << then;
  }
}

TEST(Confined, ANewProcessHasTheSameModel) {
  const Script script(model("first"), heard + "exit 3");
  const auto extractor = script.start();
  EXPECT_THROW((void)extractor->extract(medium), Error);
  script.says(model("first") + features({5}));
  EXPECT_EQ(extractor->extract(medium), std::vector<float>{5});
  EXPECT_THROW((void)extractor->extract(medium), Error);
  script.says(model("second"));
  expect_contains(test::error_of(Fault::environment, [&] { (void)extractor->extract(medium); }), "changed");
}

TEST(Confined, ItsLimitsAreToldAndChecked) {
  const std::string known = std::string(version) + " ";
  const auto told = [] {
    const Script script(model("m"));
    (void)script.start();
    const std::string started = script.started();
    return started.substr(started.find(' ') + 1);
  };
  EXPECT_EQ(told(), known + "8192 120\n");
  const Setting memory("BAUTA_MODEL_MEMORY", "77");
  for (const char* good : {"1", "2000000"}) {
    const Setting seconds("BAUTA_MODEL_SECONDS", good);
    EXPECT_EQ(told(), known + "77 " + good + "\n");
  }
  for (const char* bad : {"0", "x", "1x", "-1", "2000001", "99999999999999999999"}) {
    const Setting seconds("BAUTA_MODEL_SECONDS", bad);
    expect_contains(test::error_of(Fault::usage, [&] { (void)told(); }), "BAUTA_MODEL_SECONDS");
  }
  const Setting empty("BAUTA_MODEL_SECONDS", "");
  EXPECT_EQ(told(), known + "77 120\n");
}

TEST(Confined, WithoutTheProgramThereIsNoOne) {
  expect_contains(test::error_of(Fault::environment, [] { (void)confined_extractor("spec", {"/no/such/program"}); }),
                  "bauta-model");
  const Scratch scratch;
  const auto file = scratch.write("no program",
                                  "\x7f"
                                  "ELF");
  expect_contains(test::error_of(Fault::environment, [&] { (void)confined_extractor("spec", {file}); }), "started");
}

TEST(Confined, FilesOfUsersAreThoseThatTheyName) {
  const auto runs = [](const std::string& specification) {
    const Specification parsed = Specification::parse(specification);
    return runs_files_of_users(Parameters(find_entry(extractors(), "extractor", parsed.name).declaration, parsed));
  };
  EXPECT_TRUE(runs("onnx:path=/network"));
  const test::Scratch folder;  // of its own: whatever else lies in the system's would be looked through
  EXPECT_TRUE(runs("face-graph:models=" + folder.path().string()));
  EXPECT_FALSE(runs("onnx"));
  EXPECT_FALSE(runs("face-graph"));
  EXPECT_FALSE(runs("pixels"));
}

}  // namespace
}  // namespace bauta
