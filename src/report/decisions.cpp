// The chapter about attackers who see match or no match only: on stolen templates, or through the system itself.
#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

class DecisionsChapter : public Chapter {
 public:
  [[nodiscard]] Names questions() const override { return {"decisions", "online"}; }

  void read(const Cell& cell, const RunResults& /*run*/, Shared& /*shared*/) override {
    const Values& values = cell.values;
    const Json& rows = field(values, field(values, "results").is_array() ? "results" : "decisions");
    for (const char* known : {"best", "classes", "technique", "comparator", "attacker", "target"})
      (void)values.at(known);
    const std::string attribute = text(values, "attribute");
    const Number chance = number(values, "chance");
    for (const Json& item : rows) {
      const Number fmr = number(item, "fmr");
      Row(table_)
          .series(cell.series)
          .text("Attribute", "attribute", attribute.empty() ? cell.attribute : attribute)
          .show("System set to FMR", {fmr ? percent_name(*fmr) : "–"})
          .field("fmr", fmr)
          .text("Answer to a non-match", "refusal", text(item, "refusal"))
          .count("Queries", "queries", number(item, "queries"))
          .rate("Targets decided", "decided", number(item, "decided"))
          .rate("Balanced", "balanced", Measured{number(item, "balanced"), interval(item)})
          .field("chance", chance);
    }
  }

  [[nodiscard]] std::vector<Section> write(const Shared& /*shared*/) const override {
    Section out{"decisions", "Decisions", "What do a system's answers tell?",
                "Attackers present faces of their own and are told no more than match or no match; with secret keys, "
                "the system applies the victim's."};
    out.add(table_);
    return {out};
  }

 private:
  Table table_{"decisions", "Attackers who see match or no match only, 95 % intervals in brackets",
               "Decided: the answers told the attackers something; otherwise they draw lots. Random key: a "
               "cryptosystem that returns some key on failure, so that only a key that comes back is known to be the "
               "right one."};
};

}  // namespace

std::unique_ptr<Chapter> decisions_chapter() {
  return std::make_unique<DecisionsChapter>();
}

}  // namespace bauta::report
