// The chapter about recognition: what protection cost the rightful user.
#include "verification.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "text.hpp"

namespace bauta::report {
namespace {

// Every false match rate that any cell reports, largest first: the columns of the table.
std::vector<double> reported_fmrs(const Verifications& all) {
  std::set<double, std::greater<>> rates;
  for (const Verification& item : all) {
    for (const OperatingPoint& point : item.operating_points) {
      if (point.fmr) rates.insert(*point.fmr);
    }
  }
  return {rates.begin(), rates.end()};
}

const OperatingPoint* at_fmr(const Verification& item, double fmr) {
  const auto found = std::find_if(item.operating_points.begin(), item.operating_points.end(),
                                  [&](const OperatingPoint& point) { return point.fmr == fmr; });
  return found == item.operating_points.end() ? nullptr : &*found;
}

Table recognition_table(const Verifications& all) {
  const std::vector<double> fmrs = reported_fmrs(all);
  Table table{"recognition", "Recognition performance per technique, 95 % intervals in brackets"};
  for (const Verification& item : all) {
    Row row(table);
    row.series(item.series)
        .text("Data", "data", item.series.data)
        .field("comparator", Json(item.comparator))
        .field("samples", item.samples)
        .field("identities", item.identities)
        .field("mated", item.mated)
        .field("non_mated", item.non_mated)
        .field("failures", item.failures)
        .rate("EER", "eer", item.eer)
        .field("rocch_eer", item.rocch_eer);
    for (const double fmr : fmrs) {
      const OperatingPoint* point = at_fmr(item, fmr);
      const bool unresolved = point && !point->resolvable;
      const std::string name = fmt::format("fnmr_at_fmr_{}", fmr);
      row.rate("FNMR at FMR " + percent_name(fmr), name, point ? point->fnmr : Measured{})
          .star(unresolved)
          .field(name + "_threshold", point ? point->threshold : Number())
          .field(name + "_resolvable", point ? Json(point->resolvable) : Json());
      if (unresolved) {
        table.note =
            "† Too few non-mated comparisons to resolve this false match rate: the value is not a measurement at it.";
      }
    }
    row.decimal("AUC", "auc", item.auc, 4)
        .decimal("d′", "d_prime", item.d_prime, 2)
        .decimal("D_sys (null)", "d_sys", item.d_sys, 3)
        .detail(item.d_sys_null ? "(" + decimal(item.d_sys_null, 3) + ")" : "")
        .field("d_sys_null", item.d_sys_null)
        .field("cllr", item.cllr)
        .decimal("min Cllr (bit)", "min_cllr", item.min_cllr, 3)
        .show("ZEBRA", {item.zebra_tag.empty() ? "–" : item.zebra_tag,
                        item.zebra_bits ? decimal(item.zebra_bits, 3) + " bit" : ""})
        .field("zebra_bits", item.zebra_bits)
        .field("zebra_worst_log10", item.zebra_worst)
        .field("zebra_tag", Json(item.zebra_tag));
  }
  return table;
}

Table counts_table(const Verifications& all) {
  Table table{"counts", "What was compared"};
  for (const Verification& item : all) {
    Row row(table);
    row.show("Technique", {item.series.label}, Table::Align::left)
        .show("Data", {item.series.data}, Table::Align::left)
        .show("Comparator", {item.comparator.empty() ? "–" : item.comparator}, Table::Align::left);
    for (const auto& [head, count] : {std::pair{"Samples", item.samples},
                                      {"Identities", item.identities},
                                      {"Mated pairs", item.mated},
                                      {"Non-mated pairs", item.non_mated},
                                      {"Failures", item.failures}}) {
      row.show(head, {grouped(count)});
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
const OperatingPoint* strictest(const Verification& item) {
  const OperatingPoint* out = nullptr;
  for (const OperatingPoint& point : item.operating_points) {
    if (point.fmr && point.fnmr.value && point.resolvable && (!out || *point.fmr < *out->fmr)) out = &point;
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

class VerificationChapter : public Chapter {
 public:
  [[nodiscard]] Names questions() const override { return {"verification"}; }

  void read(const Cell& cell, const RunResults& /*run*/, Shared& /*shared*/) override {
    all_.push_back(read_verification(cell));
  }

  [[nodiscard]] std::vector<Section> write(const Shared& shared) const override {
    Section recognition{"recognise", "Recognition", "How well does it still recognise?",
                        "Protection that hides everything also hides who somebody is: low error rates mean that the "
                        "data is still useful."};
    recognition.definitions = recognition_words();
    // Side by side, unless names need the whole width.
    std::size_t most = 0;
    for (const std::string& data : data_sets(all_)) most = std::max(most, verifications_on(data, all_).size());
    recognition.add(recognition_table(all_));
    recognition.add(curve_figures(all_, shared.style), "The same for the other data", most <= few_series);
    recognition.add(counts_table(all_), "What was compared");
    Section scores{"scores", "Scores", "What do the scores look like?",
                   "The less two densities overlap, the better the comparison tells what they stand for: people in "
                   "the first figure, attributes in the others.",
                   true};
    scores.add(score_figures(all_));
    return {recognition, scores};
  }

  void tell(const RunResults& run, Card& card) const override {
    if (!card.headline) return;
    // Where the target's own recognition cannot be measured (one sample per person), the attacker's data tells the
    // cost.
    for (const char* data : {"target", "test", "attacker"}) {
      const std::string cost = cost_on(data, card.headline->technique, run);
      if (cost.empty()) continue;
      card.facts.push_back({"What protection cost", cost});
      return;
    }
  }

 private:
  [[nodiscard]] std::string cost_on(const std::string& data, const std::string& technique,
                                    const RunResults& run) const {
    for (const Verification* item : verifications_on(data, all_)) {
      if (item->series.run != run.name || item->series.technique != technique) continue;
      const Verification* clear = clear_of(item->series);
      std::string out = change("Equal error rate", clear ? clear->eer.value : Number(), item->eer.value);
      if (const OperatingPoint* point = strictest(*item)) {
        const OperatingPoint* before = clear ? at_fmr(*clear, *point->fmr) : nullptr;
        out += (out.empty() ? "" : ". ") +
               change(fmt::format("False non-match rate at a false match rate of {}:", percent_name(*point->fmr)),
                      before ? before->fnmr.value : Number(), point->fnmr.value);
      }
      return out + (data == "attacker" ? " (on the attacker's data)" : "");
    }
    return {};
  }

  [[nodiscard]] const Verification* clear_of(const Series& series) const {
    for (const Verification& other : all_) {
      if (other.series.unprotected && other.series.beside(series) && other.series.data == series.data) return &other;
    }
    return nullptr;
  }

  Verifications all_;
};

}  // namespace

std::unique_ptr<Chapter> verification_chapter() {
  return std::make_unique<VerificationChapter>();
}

}  // namespace bauta::report
