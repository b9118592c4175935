// The chapter about recognition: what protection cost the rightful user.
#include "verification.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "text.hpp"

namespace bauta::report {
namespace {

// Every false match rate that any cell reports, largest first: the columns of the table.
std::vector<double> reported_fmrs(const Cells& cells) {
  std::set<double, std::greater<>> rates;
  for (const Cell* cell : cells) {
    for (const Json* point : objects(cell->values, "fnmr_at_fmr")) {
      if (const Number fmr = number(*point, "fmr")) rates.insert(*fmr);
    }
  }
  return {rates.begin(), rates.end()};
}

const Json& at_fmr(const Cell& cell, double fmr) {
  static const Json nothing;
  for (const Json* point : objects(cell.values, "fnmr_at_fmr")) {
    if (number(*point, "fmr") == fmr) return *point;
  }
  return nothing;
}

void add_operating_point(Row& row, const Json& point, double fmr) {
  const std::string name = fmt::format("fnmr_at_fmr_{}", fmr);
  row.rate("FNMR at FMR " + percent_name(fmr), name, measured(point, "fnmr"))
      .star(!is_resolvable(point))
      .field(name + "_threshold", number(point, "threshold"))
      .field(name + "_resolvable", point.is_null() ? Json() : Json(is_resolvable(point)));
}

Table recognition_table(const Cells& cells) {
  const std::vector<double> fmrs = reported_fmrs(cells);
  Table table{"recognition", "Recognition performance per technique, 95 % intervals in brackets"};
  for (const Cell* cell : cells) {
    const Values& values = cell->values;
    Row row(table);
    row.series(cell->series)
        .text("Data", "data", cell->series.data)
        .field("comparator", Json(text(values, "comparator")));
    for (const char* name : {"samples", "identities", "mated", "non_mated", "failures"}) {
      row.field(name, number(values, name));
    }
    row.rate("EER", "eer", measured(values, "eer", "eer_ci")).field("rocch_eer", number(values, "rocch_eer"));
    for (const double fmr : fmrs) {
      const Json& point = at_fmr(*cell, fmr);
      add_operating_point(row, point, fmr);
      if (is_resolvable(point)) continue;
      table.note =
          "† Too few non-mated comparisons to resolve this false match rate: the value is not a measurement at it.";
    }
    const Number null = number(values, "d_sys_null");
    const Json& zebra = field(values, "zebra");
    const std::string tag = text(zebra, "tag");
    const Number bits = number(zebra, "expected_bits");
    row.decimal("AUC", "auc", measured(values, "auc", "auc_ci"), 4)
        .decimal("d′", "d_prime", measured(values, "d_prime", "d_prime_ci"), 2)
        .decimal("D_sys (null)", "d_sys", number(values, "d_sys"), 3)
        .detail(null ? "(" + decimal(null, 3) + ")" : "")
        .field("d_sys_null", null)
        .field("cllr", number(values, "cllr"))
        .decimal("min Cllr (bit)", "min_cllr", number(values, "min_cllr"), 3)
        .show("ZEBRA", {tag.empty() ? "–" : tag, bits ? decimal(bits, 3) + " bit" : ""})
        .field("zebra_bits", bits)
        .field("zebra_worst_log10", number(zebra, "worst_case_log10"))
        .field("zebra_tag", Json(tag));
  }
  return table;
}

Table counts_table(const Cells& cells) {
  Table table{"counts", "What was compared"};
  for (const Cell* cell : cells) {
    const std::string comparator = text(cell->values, "comparator");
    Row row(table);
    row.show("Technique", {cell->series.label}, Table::Align::left)
        .show("Data", {cell->series.data}, Table::Align::left)
        .show("Comparator", {comparator.empty() ? "–" : comparator}, Table::Align::left);
    for (const auto& [head, name] : {std::pair{"Samples", "samples"},
                                     {"Identities", "identities"},
                                     {"Mated pairs", "mated"},
                                     {"Non-mated pairs", "non_mated"},
                                     {"Failures", "failures"}}) {
      row.show(head, {grouped(number(cell->values, name))});
    }
  }
  return table;
}

std::string change(const std::string& what, Number before, Number after) {
  if (!after) return {};
  if (!before) return fmt::format("{} {}", what, percent(after));
  return fmt::format("{} {} instead of {} on clear data", what, percent(after), percent(before));
}

// The strictest operating point that the data could resolve is the one that people will ask about.
const Json* strictest(const Cell& cell) {
  const Json* out = nullptr;
  for (const Json* point : objects(cell.values, "fnmr_at_fmr")) {
    const Number fmr = number(*point, "fmr");
    if (!fmr || !number(*point, "fnmr") || !is_resolvable(*point)) continue;
    if (!out || *fmr < *number(*out, "fmr")) out = point;
  }
  return out;
}

const std::vector<Definition>& recognition_words() {
  static const std::vector<Definition> words = {
      {"Match", "Two samples match if and only if their score s reaches the threshold t: s ≥ t."},
      {"FMR", "False match rate: the share of non-mated pairs (different people) that match."},
      {"FNMR", "False non-match rate: the share of mated pairs (same person) that do not match."},
      {"FNMR at FMR f",
       "FNMR at the threshold with the largest FMR not above f, without interpolation; marked † where there are fewer "
       "than 1/f non-mated pairs."},
      {"EER",
       "Equal error rate: where FMR equals FNMR; between the two thresholds around the crossing it is interpolated "
       "linearly. Equal scores are never split."},
      {"AUC", "Probability that a mated pair scores higher than a non-mated one; ties count half. 0.5 is guessing."},
      {"d′", "Distance of the two mean scores in units of their pooled standard deviation."},
      {"D_sys",
       "Linkability from 0 (none) to 1 (full). Its null level is what unlinkable data of this size would give by "
       "accident."},
      {"min Cllr", "Cost of the scores as evidence after ideal calibration, in bits: 0 is perfect, 1 is worthless."},
      {"ZEBRA",
       "Disclosure to an attacker who holds the scores: expected bits (at most 0.721) and, as a letter, the strongest "
       "single piece of evidence, from 0 and A (weak) to F (conclusive)."},
      {"Intervals",
       "95 %, by resampling people rather than samples, because comparisons of one person are not independent."}};
  return words;
}

Cells verifications(const auto& runs) {
  return cells_of(runs, {"verification"});
}

// What the technique costs the people whom the headline is about, in its representation, on this data; empty where
// that was not measured.
std::string cost_on(const std::string& data, const Strongest& headline, const RunResults& run) {
  const Cells cells = cells_on(data, verifications(run));
  for (const Cell* cell : cells) {
    if (cell->series.technique != headline.technique || cell->key.contains("reference")) continue;
    const auto same = [&](const char* axis) { return text(cell->key, axis) == headline.strongest.axis(axis); };
    const bool seen_so = headline.strongest.axis("representation").empty() || same("representation");
    if (!seen_so || !same("identities") || !same("selection") || !same("selected_on")) continue;
    const auto is_clear = [&](const Cell* other) {
      return other->series.unprotected && other->series.beside(cell->series);
    };
    const auto clear = std::find_if(cells.begin(), cells.end(), is_clear);
    const bool known = clear != cells.end();
    std::string out =
        change("Equal error rate", known ? number((*clear)->values, "eer") : Number(), number(cell->values, "eer"));
    if (const Json* point = strictest(*cell)) {
      const double fmr = *number(*point, "fmr");
      out += (out.empty() ? "" : ". ") +
             change(fmt::format("False non-match rate at a false match rate of {}:", percent_name(fmr)),
                    known ? number(at_fmr(**clear, fmr), "fnmr") : Number(), number(*point, "fnmr"));
    }
    return out + (data == "attacker" ? " (on the attacker's data)" : "");
  }
  return {};
}

std::vector<Section> write(const Shared& shared) {
  const Cells cells = verifications(shared.runs);
  Section recognition{"recognise", "Recognition", "How well does it still recognise?",
                      "Protection that hides everything also hides who somebody is: low error rates mean that the "
                      "data is still useful."};
  recognition.definitions = recognition_words();
  // Side by side, unless names need the whole width.
  std::size_t most = 0;
  for (const std::string& data : data_sets(cells)) most = std::max(most, cells_on(data, cells).size());
  recognition.add(recognition_table(cells));
  recognition.add(curve_figures(cells, shared.style), "The same for the other data", most <= few_series);
  recognition.add(counts_table(cells), "What was compared");
  Section scores{"scores", "Scores", "What do the scores look like?",
                 "The less two densities overlap, the better the comparison tells what they stand for: people in "
                 "the first figure, attributes in the others.",
                 true};
  scores.add(score_figures(cells));
  return {recognition, scores};
}

void tell(const RunResults& run, Card& card) {
  if (!card.headline) return;
  // Where the target's own recognition cannot be measured (one sample per person), the attacker's data tells the
  // cost.
  for (const char* data : {"target", "test", "attacker"}) {
    const std::string cost = cost_on(data, *card.headline, run);
    if (cost.empty()) continue;
    card.facts.push_back({"What protection cost", cost});
    return;
  }
}

}  // namespace

Names data_sets(const Cells& cells) {
  Names out;
  for (const Cell* cell : cells) add_once(out, cell->series.data);
  return out;
}

Cells cells_on(const std::string& data, const Cells& cells) {
  Cells out;
  for (const Cell* cell : cells) {
    if (cell->series.data == data) out.push_back(cell);
  }
  return out;
}

Chapter verification_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
