// The chapter about privacy against recognition.
#include "privacy.hpp"

#include <cmath>

#include <fmt/format.h>

#include "text.hpp"

namespace bauta::report {
namespace {

std::string other_on_clear(const Strongest& entry) {
  const auto& clear = entry.gain.on_clear;
  return !clear || clear->attacker.empty() || clear->attacker == entry.strongest.attacker
             ? std::string()
             : "on clear data " + clear->attacker;
}

std::string with_sign(const Table::Cell& cell, Number value) {
  return (value && *value > 0 ? "+" : "") + cell.text;
}

Table::Cell pic_cell(const Measured& pic, const std::string& undefined) {
  if (!pic.value) return {"undefined", undefined};
  Table::Cell out = decimal_cell(pic, 2);
  out.text = with_sign(out, pic.value);
  return out;
}

void add_pic(Row& row, const std::optional<PicGain>& gain) {
  const Measured pic = gain ? Measured{gain->coefficient.value, gain->ci} : Measured{};
  const std::string undefined = gain && !pic.value ? gain->coefficient.undefined : "";
  row.show("PIC (errors)", gain ? pic_cell(pic, undefined) : Table::Cell{"–"})
      .field("pic", pic)
      .field("pic_undefined", Json(undefined));
}

void add_pic_auc(Row& row, const std::optional<AucGains>& gains) {
  const AucGain gain = gains ? gains->leak_aware : AucGain{};
  const Number printed = gains ? gains->printed : Number();
  Table::Cell cell = decimal_cell({gain.pic}, 3);
  cell.text = with_sign(cell, gain.pic);
  if (gains) cell.detail = to_text(AucForm::leak_aware);
  if (printed) cell.detail += fmt::format("; as printed {}", decimal(printed, 3));
  row.show("PIC (AUC)", cell)
      .field("auc_suppression", gain.suppression)
      .field("auc_identity_loss", gain.identity_loss)
      .field("auc_pic", gain.pic)
      .field("auc_pic_printed", printed)
      .field("auc_form", Json(gains ? to_text(AucForm::leak_aware) : ""));
}

/// "in pixels, clear in eigenface"; empty where templates were given.
std::string seen_in(const RecognitionLoss& loss) {
  if (loss.protected_representation.empty()) return {};
  std::string out = "in " + loss.protected_representation;
  const bool other = !loss.clear_representation.empty() && loss.clear_representation != loss.protected_representation;
  return other ? out + ", clear in " + loss.clear_representation : out;
}

void add_error(Row& row, const char* head, const std::string& name, Number after, Number before) {
  row.rate(head, name, after).detail(before ? "clear " + percent(before) : "").field(name + "_clear", before);
}

Table privacy_table(const Runs& runs) {
  Table table{"privacy", "Privacy against recognition, 95 % intervals in brackets"};
  Names measures;
  for (const RunResults& run : runs) {
    for (const Strongest& entry : run.ranking) {
      if (entry.unprotected || (!entry.gain.suppression && !entry.gain.pic)) continue;
      const auto& pic = entry.gain.pic;
      const auto& suppression = entry.gain.suppression;
      const RecognitionLoss loss = pic ? pic->recognition : RecognitionLoss{};
      if (!loss.measure.empty()) add_once(measures, loss.measure);
      Row row(table);
      row.series(entry.series)
          .text("Target", "target", target_name(entry.about, entry.attribute))
          .text("Strongest attacker", "attacker", entry.healthy ? entry.strongest.attacker : "none is healthy",
                other_on_clear(entry))
          .field("attacker_clear", Json(entry.gain.on_clear ? entry.gain.on_clear->attacker : ""));
      add_error(row, "Attribute error", "attribute_error", attacker_error(entry), attacker_error_on_clear(entry));
      row.field("recognition_measure", Json(loss.measure));
      add_error(row, "Recognition error", "recognition_error", pic ? Number(loss.protected_) : Number(), loss.clear);
      row.detail(seen_in(loss))
          .field("recognition_representation", Json(loss.protected_representation))
          .field("recognition_clear_representation", Json(loss.clear_representation));
      row.suppression(suppression ? Measured{suppression->value, suppression->ci} : Measured{},
                      suppression ? Number(suppression->reachable) : Number());
      add_pic(row, pic);
      add_pic_auc(row, entry.gain.pic_auc);
    }
  }
  table.note = fmt::format(
      "Attribute error: one less the balanced accuracy. {}Suppression: share of the accuracy on clear data that "
      "protection takes; behind \"of\" stands what chance would leave. PIC above 0: the attacker lost more than "
      "recognition did, each relative to its error (or AUC) on clear data.",
      measures.empty() ? "" : "Recognition error: " + joined(measures) + ". ");
  return table;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"tradeoff", "Trade-off", "Is the privacy worth its price?",
              "The best place is the upper left, where the attacker is wrong and recognition is right; PIC sums up "
              "both, and above 0 privacy gained more than recognition lost."};
  out.definitions = {
      {"Suppression",
       "(A − A′) / A with balanced accuracy A on clear and A′ on protected data; reachable is A′ at chance."},
      {"PIC (errors)",
       "Privacy gain less identity loss: (AE′ − AE) / AE − (RE′ − RE) / RE with the attacker's error AE and the "
       "recognition error RE, dashed for protected data. Undefined where an error on clear data is 0."},
      {"PIC (AUC)", "The same idea from areas under curves: suppression of the attribute less loss of identity."}};
  out.add(tradeoff_figures(shared.runs, shared.style));
  out.add_long(privacy_table(shared.runs), "Privacy against recognition in numbers");
  return {out};
}

}  // namespace

double attacker_error(const Strongest& entry) {
  return std::abs(entry.strongest.certainty - entry.strongest.value);
}

Number attacker_error_on_clear(const Strongest& entry) {
  const Number clear = entry.on_clear().value;
  return clear ? Number(std::abs(entry.strongest.certainty - *clear)) : std::nullopt;
}

Chapter privacy_chapter() {
  return {.write = write};
}

}  // namespace bauta::report
