// The chapter about inversion: how near the original came back, whom and what it gives away.
#include <fmt/format.h>

#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

// "gender 80.0 % (clear 95.0 %, chance 50.0 %)"
std::string attributes_text(const Json& attributes) {
  Names out;
  for (const Json& item : attributes) {
    out.push_back(fmt::format("{} {} (clear {}, chance {})", text(item, "attribute"),
                              percent(number(field(item, "recovered"), "balanced")),
                              percent(number(field(item, "clear"), "balanced")), percent(number(item, "chance"))));
  }
  return joined(out, "; ");
}

std::string beside(const char* what, Number level) {
  return level ? fmt::format("{} {}", what, percent(level)) : std::string();
}

class RecoveryChapter : public Chapter {
 public:
  [[nodiscard]] Names questions() const override { return {"recovery"}; }

  void read(const Cell& cell, const RunResults& run, Shared& /*shared*/) override {
    const Values& values = cell.values;
    const Json& cosine = field(field(values, "cosine"), "centred");
    const Json& recovered = field(field(values, "recognition"), "recovered");
    const Json& rank1 = field(recovered, "rank1");
    const Number clear_eer = number(field(field(values, "recognition"), "clear"), "eer");
    // The recovery has a column of its own; it is no variant of the technique.
    Row(table_)
        .series(series_without(cell, run, {"recovery"}))
        .text("Recovery", "recovery", text(cell.key, "recovery"))
        .decimal("Cosine to the original", "cosine", Measured{number(cosine, "mean"), interval(cosine)}, 3)
        .rate("EER against clear samples", "eer", Measured{number(recovered, "eer"), interval(recovered, "eer_ci")})
        .detail(beside("clear", clear_eer))
        .field("clear_eer", clear_eer)
        .rate("Identified at rank 1", "rank1", Measured{number(rank1, "rate"), interval(rank1)})
        .detail(beside("chance", number(rank1, "chance")))
        .field("rank1_chance", number(rank1, "chance"))
        .text("Attribute", "attributes", attributes_text(values.at("attributes")))
        .text("The technique's claim", "claim", text(values, "claim"));
    for (const char* known : {"samples", "technique"}) (void)values.at(known);
  }

  [[nodiscard]] std::vector<Section> write(const Shared& /*shared*/) const override {
    Section out{"recovery", "Inversion", "Can it be undone?",
                "An attacker who knows the technique, holds pairs or stole the key tries to get the clear template "
                "back; what came back is then recognised and read like clear data."};
    out.add(table_);
    return {out};
  }

 private:
  Table table_{"recovery", "What inversion brings back, 95 % intervals in brackets",
               "Cosine: less the mean template, so that 0 is what somebody reaches who never saw the target. "
               "Recognition compares what came back with clear templates of other samples; behind the interval stands "
               "what clear data (EER) or guessing (rank 1) gives."};
};

}  // namespace

std::unique_ptr<Chapter> recovery_chapter() {
  return std::make_unique<RecoveryChapter>();
}

}  // namespace bauta::report
