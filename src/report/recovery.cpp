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

Table recovery_table(const Runs& runs) {
  Table table{"recovery", "What inversion brings back, 95 % intervals in brackets",
              "Cosine: less the mean template, so that 0 is what somebody reaches who never saw the target. "
              "Recognition compares what came back with clear templates of other samples; behind the interval stands "
              "what clear data (EER) or guessing (rank 1) gives."};
  for (const Cell* cell : cells_of(runs, {"recovery"}, {"samples", "technique"})) {
    const Values& values = cell->values;
    const Json& cosine = field(field(values, "cosine"), "centred");
    const Json& recovered = field(field(values, "recognition"), "recovered");
    const Json& rank1 = field(recovered, "rank1");
    const Number clear_eer = number(field(field(values, "recognition"), "clear"), "eer");
    // The recovery has a column of its own; it is no variant of the technique.
    Row(table)
        .series(cell->series_without({"recovery"}))
        .text("Recovery", "recovery", text(cell->key, "recovery"))
        .decimal("Cosine to the original", "cosine", measured(cosine, "mean"), 3)
        .rate("EER against clear samples", "eer", measured(recovered, "eer", "eer_ci"))
        .detail(beside("clear", clear_eer))
        .field("clear_eer", clear_eer)
        .rate("Identified at rank 1", "rank1", measured(rank1, "rate"))
        .detail(beside("chance", number(rank1, "chance")))
        .field("rank1_chance", number(rank1, "chance"))
        .text("Attribute", "attributes", attributes_text(values.at("attributes")))
        .text("The technique's claim", "claim", text(values, "claim"));
  }
  return table;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"recovery", "Inversion", "Can it be undone?",
              "An attacker who knows the technique, holds pairs or stole the key tries to get the clear template "
              "back; what came back is then recognised and read like clear data."};
  out.add(recovery_table(shared.runs));
  return {out};
}

void tell(const RunResults& run, Card& card) {
  const Cell* cell = card.about(cells_of(run, {"recovery"}));
  if (!cell) return;
  card.threat_model.push_back(fmt::format(
      "The attacker knows the technique, brings back what it masked by {} ({} samples), and {} from what came back.",
      text(cell->key, "recovery"), grouped(number(cell->values, "samples")),
      target_verb(card.headline->about, card.headline->attribute)));
}

}  // namespace

Chapter recovery_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
