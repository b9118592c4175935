// The chapter about who is in which role, by class (S0, Fig. 4).
#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

struct Group {
  std::string run, attribute, role, name;
  Number samples, identities;
};

Figure composition_figure(const std::vector<Group>& groups, const std::string& attribute) {
  Json rows = Json::array();
  Names roles, classes;
  for (const Group& group : groups) {
    if (group.attribute != attribute) continue;
    rows.push_back({{"role", group.role}, {"class", group.name}, {"count", group.samples.value_or(0)}});
    add_once(roles, group.role);
    add_once(classes, group.name);
  }
  Figure out{"composition-" + slug(attribute), "Who is in which role, by " + attribute,
             "Samples of each class of " + attribute + " in each role.",
             "Samples per role; of a protocol its first rotation. What was measured holds for such people."};
  const Json tooltip = tooltip_of({{"role"}, {"class"}, {"count", "samples", ",d"}});
  out.spec = base_spec(out.title, std::move(rows));
  out.spec["mark"] = {{"type", "bar"}, {"opacity", 0.85}};
  out.spec["encoding"] = {{"y", {{"field", "role"}, {"type", "nominal"}, {"sort", roles}, {"title", nullptr}}},
                          {"x", {{"field", "count"}, {"type", "quantitative"}, {"title", "Samples"}}},
                          {"color", {{"field", "class"}, {"type", "nominal"}, {"sort", classes}, {"title", attribute}}},
                          {"tooltip", tooltip}};
  return out;
}

class CompositionChapter : public Chapter {
 public:
  [[nodiscard]] Names questions() const override { return {"composition"}; }

  void read(const Cell& cell, const RunResults& run, Shared& /*shared*/) override {
    const Values& values = cell.values;
    (void)values.at("rotations");
    for (const Json& role : field(values, "roles")) {
      for (const Json& item : field(role, "classes")) {
        groups_.push_back({run.name, text(values, "attribute"), text(role, "role"), text(item, "class"),
                           number(item, "samples"), number(item, "identities")});
      }
    }
  }

  [[nodiscard]] std::vector<Section> write(const Shared& /*shared*/) const override {
    Section out{"composition", "Who is in it", "Who is in which role?",
                "Results hold for people like these; a class with few people says little."};
    Table table{"composition", "People and samples per role and class"};
    Names attributes;
    for (const Group& group : groups_) {
      Row(table)
          .text("Attribute", "attribute", group.attribute)
          .text("Role", "role", group.role)
          .text("Class", "class", group.name)
          .count("People", "identities", group.identities)
          .count("Samples", "samples", group.samples)
          .field("run", Json(group.run));
      add_once(attributes, group.attribute);
    }
    std::vector<Figure> figures;
    for (const std::string& attribute : attributes) figures.push_back(composition_figure(groups_, attribute));
    out.add(figures);
    out.add_long(table, "Who is in which role in numbers");
    return {out};
  }

 private:
  std::vector<Group> groups_;
};

}  // namespace

std::unique_ptr<Chapter> composition_chapter() {
  return std::make_unique<CompositionChapter>();
}

}  // namespace bauta::report
