// The chapter about one person under two keys.
#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

Table unlinkability_table(const Runs& runs) {
  Table table{"unlinkability", "Can templates of one person under two application keys be linked?",
              "Null level: what unlinkable templates of as many people would give by accident; whole people are "
              "exchanged, because under two given keys all comparisons of a person move together. Resampling would "
              "raise D_sys itself, so no interval stands beside it."};
  for (const Cell* cell : cells_of(runs, {"unlinkability"})) {
    const Values& values = cell->values;
    Row(table)
        .series(cell->series)
        .text("Comparator that links", "comparator", text(values, "comparator"))
        .field("mated", number(values, "mated"))
        .show("D_sys", {decimal(number(values, "d_sys"), 3)})
        .field("d_sys", number(values, "d_sys"))
        .decimal("Null level (95 %)", "d_sys_null", number(values, "d_sys_null"), 3)
        .detail("(" + decimal(number(values, "d_sys_null_high"), 3) + ")")
        .field("d_sys_null_high", number(values, "d_sys_null_high"))
        .decimal("Maximal linkability (bit)", "maximal_linkability", number(values, "maximal_linkability"), 3)
        .decimal("Null level", "maximal_linkability_null", number(values, "maximal_linkability_null"), 3)
        .rate("EER of a linker", "eer", measured(values, "eer", "eer_ci"));
  }
  return table;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"unlinkability", "Two keys", "Can two applications be linked?",
              "The same people are enrolled under two keys: unlinkable templates stay at the null level."};
  out.add(unlinkability_table(shared.runs));
  return {out};
}

}  // namespace

Chapter unlinkability_chapter() {
  return {.write = write};
}

}  // namespace bauta::report
