// The chapter about the protocol: which data served for what.
#include "protocol.hpp"

#include <algorithm>

#include "text.hpp"

namespace bauta::report {
namespace {

Table protocol_table(const Runs& runs) {
  Names names, classes;
  for (const RunResults& run : runs) {
    const std::optional<Protocol> protocol = read_protocol(run.protocol);
    if (!protocol) continue;
    add_once(names, protocol->text);
    for (const Protocol::Fold& fold : protocol->balance) {
      for (const auto& [name, count] : fold.classes) add_once(classes, name);
    }
  }
  Table table{"protocol", "What is in the folds of " + joined(names),
              "Nobody stands in two folds. The more alike the folds, the less a result depends on the split."};
  for (const RunResults& run : runs) {
    const std::optional<Protocol> protocol = read_protocol(run.protocol);
    if (!protocol) continue;
    for (const Protocol::Fold& fold : protocol->balance) {
      Row row(table);
      row.field("run", Json(run.name))
          .field("protocol", Json(protocol->text))
          .show("Fold", {run.prefixed("Fold " + grouped(fold.fold))}, Table::Align::left)
          .field("fold", fold.fold)
          .count("Identities", "identities", fold.identities)
          .count("Samples", "samples", fold.samples);
      for (const std::string& name : classes) {
        const auto found = std::find_if(fold.classes.begin(), fold.classes.end(),
                                        [&](const auto& entry) { return entry.first == name; });
        row.count(name, name.c_str(), found == fold.classes.end() ? Number() : Number(found->second));
      }
    }
  }
  return table;
}

class ProtocolChapter : public Chapter {
 public:
  [[nodiscard]] std::vector<Section> write(const Shared& shared) const override {
    Section out{"protocol", "Protocol", "Which data served for what?",
                "Follow the data from left to right: what a protection or an attacker has learned from is never what "
                "it is judged on.",
                true};
    std::vector<Figure> figures;
    for (const RunResults& run : shared.runs) {
      if (const auto protocol = read_protocol(run.protocol)) figures.push_back(data_flow_figure(*protocol, run));
    }
    out.add(std::move(figures));
    out.add(protocol_table(shared.runs));
    return {out};
  }

  void tell(const RunResults& run, Card& card) const override {
    const std::optional<Protocol> protocol = read_protocol(run.protocol);
    const std::string kind = protocol ? protocol->text : text(field(run.experiment, "protocol"), "kind");
    if (!kind.empty() && card.headline) card.threat_model.push_back("Protocol: " + kind + ".");
  }
};

}  // namespace

std::optional<Protocol> read_protocol(const Json& values) {
  if (text(values, "kind").empty()) return std::nullopt;
  Protocol out;
  out.kind = text(values, "kind");
  out.text = text(values, "text");
  if (out.text.empty()) out.text = out.kind;
  out.train = number(values, "train");
  out.dev = number(values, "dev");
  out.test = number(values, "test");
  out.rotations = number(values, "rotations");
  for (const Json& item : field(values, "balance")) {
    if (!item.is_object()) continue;
    out.balance.push_back({number(item, "fold"), number(item, "identities"), number(item, "samples"),
                           named_numbers_of(field(item, "classes"))});
  }
  return out;
}

std::unique_ptr<Chapter> protocol_chapter() {
  return std::make_unique<ProtocolChapter>();
}

}  // namespace bauta::report
