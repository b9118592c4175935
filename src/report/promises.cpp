// The chapter about what techniques promise, and for which sizes of images.
#include "chapter.hpp"

namespace bauta::report {
namespace {

Table promises_table(const Runs& runs) {
  Table table{"promises", "What the techniques promise"};
  for (const RunResults& run : runs) {
    for (const Json* promise : objects_of(run.techniques)) {
      const Json& guarantee = field(*promise, "guarantee");
      Row(table)
          .field("run", Json(run.name))
          .text("Technique", "technique", run.prefixed(text(*promise, "technique")))
          .field("kind", Json(text(guarantee, "kind")))
          .text("Guarantee", "guarantee", text(guarantee, "text"))
          .field("epsilon", number(guarantee, "epsilon"))
          .field("delta", number(guarantee, "delta"))
          .field("pixels", number(guarantee, "pixels"))
          .field("k", number(guarantee, "k"))
          .text("In pixels", "in_pixels", text(*promise, "in_pixels_text"));
    }
  }
  return table;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"promises",
              "Promises",
              "What do the techniques promise?",
              "A formal guarantee holds whoever attacks, and whatever else they know. Where there is none, only the "
              "attacks on this page speak for a technique.",
              true,
              {{"Epsilon and delta",
                "Differential privacy: whatever is seen is at most e^epsilon times as likely as if the image had been "
                "a neighbouring one, except with a probability of delta."},
               {"k-anonymity", "Everybody is shown as at least k people are."}}};
  out.add_long(promises_table(shared.runs), "Promises, technique by technique");
  return {out};
}

void tell(const RunResults& run, Card& card) {
  if (card.headline == nullptr || card.headline->unprotected) return;
  for (const Json* promise : objects_of(run.techniques)) {
    if (text(*promise, "technique") != card.headline->technique) continue;
    card.facts.push_back({"Formal guarantee", text(field(*promise, "guarantee"), "text")});
  }
}

}  // namespace

Chapter promises_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
