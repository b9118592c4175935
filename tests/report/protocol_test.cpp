// The protocol: what its data flow shows.
#include <set>

#include "fixture.hpp"

namespace bauta::report {
namespace {

Figure flow_of(const std::string& kind) {
  return figure_of(report_of(R"({"cells":[],"protocol":{"kind":")" + kind +
                             R"(","text":"P","folds":5,"train":3,"dev":1,"test":1,"rotations":5}})"),
                   "protocol");
}

std::set<std::string> texts_of(const Figure& figure, const char* part) {
  std::set<std::string> out;
  for (const Json& row : rows_where(figure, "part", part)) out.insert(row["text"].get<std::string>());
  return out;
}

TEST(ProtocolFigure, ShowsWhatTheProtectionLearnsFrom) {
  for (const auto& [kind, dashed] : {std::pair{"PEP-TF", 0u}, {"PEP-LBL", 2u}, {"PEP-LBS", 2u}}) {
    const Figure figure = flow_of(kind);
    EXPECT_EQ(rows_where(figure, "part", "dashed").size(), dashed) << kind;
    const std::set<std::string> bold = texts_of(figure, "bold");
    for (const char* name : {"D_train", "D_dev", "D_test", "T_train", "T_dev", "T_test", "Protection", "Training",
                             "Tuning", "Evaluation"}) {
      EXPECT_TRUE(bold.contains(name)) << kind << " " << name;
    }
    const std::set<std::string> plain = texts_of(figure, "text");
    EXPECT_TRUE(plain.contains("3 folds"));
    EXPECT_EQ(plain.contains("D_test alone, split again"), std::string(kind) == "PEP-LBS");
  }
}

TEST(ProtocolFigure, EveryFoldIsForOneThingInEachRotation) {
  std::size_t folds = 0, tests = 0;
  for (const Json& row : rows_where(flow_of("PEP-TF"), "part", "box")) {
    if (row["fill"] != 0.55) continue;
    ++folds;
    tests += row["color"] == "#009E73" ? 1 : 0;
  }
  EXPECT_EQ(folds, 25u);
  EXPECT_EQ(tests, 5u);
}

TEST(ProtocolFigure, NonsenseIsDrawnWithoutHarm) {
  for (const char* text :
       {R"({"cells":[],"protocol":{"kind":"odd"}})",
        R"({"cells":[],"protocol":{"kind":"PEP-TF","train":-3,"dev":1e9,"test":0.5,"rotations":1e9}})"}) {
    EXPECT_EQ(figure_names(report_of(text), "protocol").size(), 1u);
  }
  EXPECT_TRUE(report_of(R"({"cells":[],"protocol":{"kind":"closed-set","train":300,"test":100}})").figures().empty());
  EXPECT_TRUE(report_of(R"({"cells":[],"protocol":7})").figures().empty());
}

}  // namespace
}  // namespace bauta::report
