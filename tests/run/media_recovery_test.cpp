// Masked media that attackers undo before anybody looks at them.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "../captured.hpp"
#include "../data/scratch.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/synth_media.hpp"
#include "bauta/protect/media.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/recovering.hpp"
#include "bauta/run/evaluate.hpp"
#include "stored_views.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;
using test::Scratch;

Dataset part_of(const fs::path& folder, const std::string& only) {
  ReadOptions options;
  options.templates_required = false;
  options.only = only;
  return read_dataset(folder, options);
}

bool same_rows(const Templates& a, const Templates& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    if (a.row_bytes(i) != b.row_bytes(i)) return false;
  }
  return true;
}

constexpr const char* eyes = "pixels:size=8";

/// Known people with dark hair, others with light hair.
class UndoneViews : public testing::Test {
 protected:
  UndoneViews() {
    fs::create_directories(scratch / "faces");
    (void)synthesize_faces(scratch / "faces", {.identities = 8, .samples = 6});
    data.target.data = part_of(scratch / "faces", "hair=dark");
    data.background = Source{part_of(scratch / "faces", "hair=light"), ""};
    data.target.digest = digest(data.target.data);
    data.background->digest = digest(data.background->data);
  }

  [[nodiscard]] std::unique_ptr<StoredViews> views(const std::string& out) const {
    EvaluateOptions options;
    options.out = scratch / out;
    return std::make_unique<StoredViews>(data, closed_set(data.sources(), {}, 0.25, 1, 1), std::vector<std::string>(),
                                         options);
  }
  /// By hand: the samples of a role, whose data set was masked once.
  [[nodiscard]] Dataset masked(StoredViews& all, Role role, const std::string& technique) const {
    const Rows& rows = all.arrangement().rotations[0].at(role);
    const Dataset& clear = role == Role::background ? data.background->data : data.target.data;
    return protect_media(make_protection(technique), clear, protect_context(clear, 1)).select(rows.rows);
  }
  [[nodiscard]] static Dataset seen(const Dataset& media) { return extract_dataset(make_extractor(eyes), media); }

  const Scratch scratch;
  ExperimentData data;
};

TEST_F(UndoneViews, AreWhatTheRecoveryGivesByHand) {
  const auto all = views("run");
  for (const Role role : {Role::enrol, Role::probe}) {
    const Dataset hidden = masked(*all, role, "dp-snow:d=0.1");
    const Dataset view = all->view({role, {"dp-snow:d=0.1", "interpolate"}, {eyes}}, 0);
    EXPECT_TRUE(same_rows(view.templates, seen(run_recovery(hidden, {.recovery = "interpolate"})).templates));
    EXPECT_FALSE(same_rows(view.templates, all->view({role, {"dp-snow:d=0.1"}, {eyes}}, 0).templates));
    EXPECT_TRUE(same_rows(seen(hidden).templates, all->view({role, {"dp-snow:d=0.1"}, {eyes}}, 0).templates));
    EXPECT_EQ(view.provenance->properties.at("recovered_by"), "interpolate:fill=-1");
    EXPECT_EQ(view.labels.column("identity"), hidden.labels.column("identity"));
  }
}

TEST_F(UndoneViews, ALearnedOneIsLearnedFromOtherPeople) {
  const auto all = views("run");
  const Form form{"gaussian-blur:kernel=5", "subtract-overlay"};
  const Dataset others = all->clear(Role::background, 0), blurred = masked(*all, Role::background, form.technique);
  const Dataset back = run_recovery(masked(*all, Role::probe, form.technique),
                                    {.recovery = form.recovery, .clear = &others, .protected_clear = &blurred});
  EXPECT_TRUE(same_rows(all->view({Role::probe, form, {eyes}}, 0).templates, seen(back).templates));
  // They know the answer for those whom they learned from: these are undone by what the other half taught.
  const ResolvedRecovery everybody = make_recovery(form.recovery);
  fit_recovery(everybody, {.clear = &others, .protected_clear = &blurred});
  const Dataset own = all->view({Role::background, form, {eyes}}, 0);
  EXPECT_EQ(own.size(), others.size());
  EXPECT_FALSE(same_rows(own.templates, seen(recover_dataset(everybody, blurred)).templates));
  // What was learned is found again.
  const auto again = views("run");
  testing::internal::CaptureStderr();
  EXPECT_TRUE(same_rows(again->view({Role::probe, form, {"pixels:size=4"}}, 0).templates,
                        extract_dataset(make_extractor("pixels:size=4"), back).templates));
  EXPECT_EQ(testing::internal::GetCapturedStderr().find("learns from"), std::string::npos);
}

// Blocks of whole pixels in another order are columns in another order: what is learned from them tells people apart as
// what is learned from clear images does.
TEST_F(UndoneViews, WhoLearnsFromPermutedBlocksSeesWhatTheOthersSee) {
  const auto all = views("run");
  const Form permuted{"block-permute:block=8"};
  const std::string faces = "eigenface:size=16,components=6";
  const Dataset clear = all->view({Role::probe, {}, {faces}}, 0);
  const Dataset own = all->view({Role::probe, permuted, {faces, permuted}}, 0);
  ASSERT_EQ(own.templates.cols(), clear.templates.cols());
  const auto distance = [](const Dataset& of, std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < of.templates.cols(); ++k) {
      sum += std::pow(of.templates.floats()(i, k) - of.templates.floats()(j, k), 2);
    }
    return std::sqrt(sum);
  };
  double largest = 0, astray = 0;  // seen by who learned from clear images
  const Dataset naive = all->view({Role::probe, permuted, {faces}}, 0);
  for (std::size_t i = 1; i < clear.size(); ++i) {
    const double truth = distance(clear, i - 1, i);
    EXPECT_NEAR(distance(own, i - 1, i), truth, 1e-4 * truth + 1e-5);
    astray = std::max(astray, std::abs(distance(naive, i - 1, i) - truth));
    largest = std::max(largest, truth);
  }
  EXPECT_GT(astray, 0.05 * largest);
}

// Images of a person are put together within a role, never across: probes do not know who is enrolled.
TEST_F(UndoneViews, OneThatMixesStaysWithinItsRole) {
  const auto all = views("run");
  for (const Role role : {Role::enrol, Role::probe}) {
    const Dataset back = run_recovery(masked(*all, role, "dp-snow:d=0.1"), {.recovery = "average-media"});
    EXPECT_TRUE(
        same_rows(all->view({role, {"dp-snow:d=0.1", "average-media"}, {eyes}}, 0).templates, seen(back).templates));
  }
}

class UndoneRun : public testing::Test {
 protected:
  UndoneRun() {
    fs::create_directories(scratch / "faces");
    (void)synthesize_faces(scratch / "faces", {.identities = 10, .samples = 8});
    scratch.write("e.toml",
                  "[data]\ntarget = { path = \"faces\", only = \"hair=dark\" }\n"
                  "background = { path = \"faces\", only = \"hair=light\" }\n"
                  "[protect]\ntechnique = [\"dp-snow:d=0.1\", \"gaussian-blur:kernel=9\"]\n"
                  "[protocol]\nkind = \"closed-set\"\nadversary = [\"naive\", \"recover\", \"recover+parrot\"]\n"
                  "[extract]\nrepresentation = \"pixels:size=16\"\n"
                  "[attack]\nrecogniser = \"nearest\"\nrecovery = [\"interpolate\", \"deblur\"]\n"
                  "[measure]\nbootstrap = 10\n");
  }
  EvaluateSummary run(const std::string& out, const std::vector<std::string>& overrides = {}, bool keep = false,
                      std::uint64_t memory = 1 << 30) {
    return test::captured(log, [&] {
      return evaluate(read_experiment(scratch / "e.toml", overrides),
                      {.out = scratch / out, .memory = memory, .keep_steps = keep});
    });
  }
  [[nodiscard]] Json results(const std::string& out) const {
    return Json::parse(std::ifstream(scratch / out / "results.json"));
  }
  /// Rank 1 of the one cell of this technique and adversary that names people.
  [[nodiscard]] static double rank1(const Json& all, const std::string& technique, const std::string& adversary) {
    for (const Json& cell : all["cells"]) {
      const Json& key = cell["key"];
      if (key["question"] == "identification" && key["technique"] == technique &&
          key.value("adversary", "") == adversary) {
        return cell["values"]["results"][0]["rank1"];
      }
    }
    return -1;
  }
  [[nodiscard]] std::size_t said(const std::string& part) const {
    std::size_t count = 0;
    for (std::size_t at = log.find(part); at != std::string::npos; at = log.find(part, at + 1)) ++count;
    return count;
  }

  const Scratch scratch;
  std::string log;
};

TEST_F(UndoneRun, DecodesMasksAndUndoesOnce) {
  const EvaluateSummary summary = run("run");
  EXPECT_EQ(summary.failed, 0U);
  // 2 techniques x (naive and 2 who undo), by the recovery of each, whether the inversion comes near, and which image
  // it was.
  EXPECT_EQ(summary.cells, 2U * 3U + 2U + 2U);
  EXPECT_EQ(summary.decoded, 10U * 8U);
  EXPECT_EQ(said("masked by dp-snow:d=0.1, undone by interpolate: 40 media"), 1U) << log;
  EXPECT_EQ(said("masked by gaussian-blur:kernel=9, undone by deblur: 40 media"), 1U) << log;
  EXPECT_EQ(said("undone by deblur, seen by"), 1U) << log;
  const Json all = results("run");
  // A tenth of the pixels is enough for who looks between them: five people, by chance 20 %.
  EXPECT_GT(rank1(all, "dp-snow:d=0.1", "recover"), rank1(all, "dp-snow:d=0.1", "naive"));
  EXPECT_GT(rank1(all, "dp-snow:d=0.1", "recover"), 0.5);
  EXPECT_FALSE(fs::exists(scratch / "run/steps"));
}

TEST_F(UndoneRun, OneThreadSaysWhatTwoSayAndGoesOnFromWhatIsThere) {
  set_threads(1);
  (void)run("one");
  set_threads(2);
  (void)run("two", {}, true);
  set_threads(0);
  EXPECT_EQ(results("one")["cells"], results("two")["cells"]);
  for (const char* name : {"cells", "attempts"}) {
    for (const auto& entry : fs::directory_iterator(scratch / "two" / name)) fs::remove(entry.path());
  }
  EXPECT_EQ(run("two").decoded, 0U);
  EXPECT_EQ(said("step: "), 0U) << log;
  EXPECT_EQ(results("one")["cells"], results("two")["cells"]);
}

TEST_F(UndoneRun, WithoutOtherPeopleNothingIsLearnedAndTheRestIsUndone) {
  scratch.write("e.toml",
                "[data]\ntarget = \"faces\"\n[protect]\ntechnique = \"dp-snow:d=0.1\"\n"
                "[protocol]\nkind = \"closed-set\"\nadversary = \"recover\"\n[extract]\nrepresentation = "
                "\"pixels:size=8\"\n[attack]\nrecogniser = \"nearest\"\n[measure]\nbootstrap = 10\n");
  try {
    (void)run("all");  // ridge and others need them
    FAIL();
  } catch (const Error& error) {
    test::expect_contains(error.what(), "learns the way back from other people");
  }
  EXPECT_EQ(run("some", {"attack.recovery=interpolate"}).failed, 0U);
  EXPECT_GT(rank1(results("some"), "dp-snow:d=0.1", "recover"), 0.1);  // by chance as often
}

// In folds the attackers' own people are undone by what the other half of them taught; all roles come from one data
// set.
TEST_F(UndoneRun, FoldsAreUndoneToo) {
  scratch.write("e.toml",
                "[data]\ntarget = \"faces\"\nattribute = \"hair\"\n"
                "[protect]\ntechnique = \"dp-snow:d=0.2\"\n"
                "[protocol]\nkind = \"PEP-TF-2-1-1\"\nrepeats = 2\nadversary = [\"recover\", \"recover+parrot\"]\n"
                "[extract]\nrepresentation = \"pixels:size=8\"\n"
                "[attack]\nestimator = \"lda\"\nrecovery = [\"interpolate\", \"average-media\", \"deblur\"]\n"
                "online = [5]\n"
                "[measure]\nbootstrap = 10\nverification = false\n");
  const EvaluateSummary folds = run("folds");
  EXPECT_EQ(folds.failed, 0U) << results("folds").dump(1);
  EXPECT_EQ(said("undone by interpolate: 80 media"), 1U) << log;  // the same in every rotation
  const Json all = results("folds");
  // A working system sees masked media, too.
  EXPECT_TRUE(std::ranges::any_of(all["cells"], [](const Json& cell) { return cell["key"]["question"] == "online"; }));
  const Json remarks = all["remarks"];
  EXPECT_EQ(remarks.dump().find("interpolate undoes none"), std::string::npos);
  EXPECT_NE(remarks.dump().find("attack.recovery: deblur undoes none of the techniques"), std::string::npos);
}

// In each rotation a recovery learns from other people, from either half of them and from all: each image is decoded
// once, as far as memory allows, and what is learned does not depend on that.
TEST_F(UndoneRun, PairsAreDecodedOnceForAllRotations) {
  scratch.write("e.toml",
                "[data]\ntarget = \"faces\"\nattribute = \"hair\"\n"
                "[protect]\ntechnique = \"k-rtio\"\n"
                "[protocol]\nkind = \"PEP-TF-2-1-1\"\nrepeats = 3\nadversary = [\"recover\", \"recover+parrot\"]\n"
                "[extract]\nrepresentation = \"pixels:size=8\"\n"
                "[attack]\nestimator = \"lda\"\nrecovery = \"subtract-overlay\"\ncontrols = false\n"
                "[measure]\nbootstrap = 10\nverification = false\n");
  const EvaluateSummary once = run("once");
  EXPECT_EQ(once.failed, 0U) << results("once").dump(1);
  EXPECT_EQ(once.decoded, 10U * 8U);
  EXPECT_EQ(said("subtract-overlay learns from"), 3U * 3U) << log;
  const EvaluateSummary anew = run("anew", {}, false, 1);
  EXPECT_GT(anew.decoded, 3U * 10U * 8U);
  EXPECT_EQ(results("anew")["cells"], results("once")["cells"]);
}

}  // namespace
}  // namespace bauta
