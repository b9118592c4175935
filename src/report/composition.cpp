// The chapter about who is in which role, by class (S0, Fig. 4).
#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

Table composition_table(const Cells& cells) {
  Table table{"composition", "People and samples per role and class"};
  for (const Cell* cell : cells) {
    for (const Json* role : objects(cell->values, "roles")) {
      for (const Json* item : objects(*role, "classes")) {
        Row(table)
            .text("Attribute", "attribute", cell->attribute)
            .text("Role", "role", text(*role, "role"), cell->series.variant)
            .text("Class", "class", text(*item, "class"))
            .count("People", "identities", number(*item, "identities"))
            .count("Samples", "samples", number(*item, "samples"))
            .field("variant", Json(cell->series.variant))
            .field("run", Json(cell->series.run));
      }
    }
  }
  return table;
}

Figure composition_figure(const std::string& attribute, const Cells& cells, const SeriesStyle& /*style*/) {
  Json rows = Json::array();
  Names roles, classes;
  for (const Cell* cell : cells) {
    if (attribute_of(*cell) != attribute) continue;
    for (const Json* role : objects(cell->values, "roles")) {
      const std::string& some = cell->series.variant;
      const std::string name = cell->series.prefix + text(*role, "role") + (some.empty() ? "" : " (" + some + ")");
      add_once(roles, name);
      for (const Json* item : objects(*role, "classes")) {
        add_once(classes, text(*item, "class"));
        rows.push_back(
            {{"role", name}, {"class", text(*item, "class")}, {"count", number(*item, "samples").value_or(0)}});
      }
    }
  }
  Figure out{"composition-" + slug(attribute), "Who is in which role, by " + attribute,
             "Samples of each class of " + attribute + " in each role.",
             "Samples per role; of a protocol its first rotation. What was measured holds for such people."};
  if (rows.empty()) return out;
  const SeriesStyle style("class", classes);
  out.spec = base_spec(out.title, std::move(rows));
  out.spec["width"] = 560;
  out.spec["height"] = {{"step", 30}};
  out.spec["mark"] = {{"type", "bar"}, {"opacity", 0.85}};
  out.spec["encoding"] = {{"y", {{"field", "role"}, {"type", "nominal"}, {"sort", roles}, {"title", nullptr}}},
                          {"x", {{"field", "count"}, {"type", "quantitative"}, {"title", "Samples"}}},
                          {"color", style.color(classes)},
                          {"tooltip", tooltip_of({{"role"}, {"class"}, {"count", "samples", ",d"}})}};
  return out;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"composition", "Who is in it", "Who is in which role?",
              "Results hold for people like these; a class with few people says little."};
  const Cells cells = cells_of(shared.runs, {"composition"}, {"rotations"});
  out.add(per_attribute(cells, composition_figure, shared.style));
  out.add_long(composition_table(cells), "Who is in which role in numbers");
  return {out};
}

}  // namespace

Chapter composition_chapter() {
  return {.write = write};
}

}  // namespace bauta::report
