// Who is in which role, by class (S0, Fig. 4): a result on people of one kind says little about others.
#include <map>
#include <set>

#include "bauta/question/attribute_classes.hpp"
#include "bauta/question/question.hpp"

namespace bauta {

namespace {

constexpr Role shown[] = {Role::target,  Role::attacker, Role::dev,   Role::fit,
                          Role::fit_dev, Role::enrol,    Role::probe, Role::background};

/// Samples and people of each class; a person counts in every class that they have samples of.
Json counted(const Dataset& data, const std::string& attribute) {
  struct Count {
    std::size_t samples = 0;
    std::set<std::string> people;
  };
  std::map<std::string, Count> classes;
  const auto& values = data.labels.column(attribute);
  for (std::size_t row = 0; row < data.size(); ++row) {
    Count& count = classes[values[row].empty() ? "unknown" : values[row]];
    ++count.samples;
    if (!data.identity_column.empty()) count.people.insert(data.labels.column(data.identity_column)[row]);
  }
  Json list = Json::array();
  for (const auto& [name, count] : classes) {
    const bool named = !data.identity_column.empty();
    list.push_back({{"class", name},
                    {"samples", count.samples},
                    {"identities", named ? Json(count.people.size()) : Json(nullptr)}});
  }
  return list;
}

class CompositionQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "composition",
            .paper = "Osorio-Roig et al. 2022 (S0), Fig. 4",
            .doc = "who is in which role, by class?",
            .keys = {switch_key("measure", "composition", false, "whether people are counted by role and class")}};
  }

  /// Nobody changes their class by being protected: it is asked once.
  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    Json values = parameters(setting);
    if (values["composition"] == false || technique != setting.techniques.front()) return {};
    // Labels are looked at, and no templates: the rows are all that an answer depends on.
    for (const Role role : shown) {
      if (views.arrangement().has(role)) values["rows"].push_back(views.digest({role}));
    }
    std::vector<Asked> cells;
    for (const auto& attribute : setting.attributes) {
      const auto edges = setting.classes.find(attribute);
      values["edges"] = edges == setting.classes.end() ? std::vector<double>() : edges->second;
      cells.push_back({{{"question", "composition"}, {"technique", technique}, {"attribute", attribute}}, values, {}});
    }
    return cells;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    const std::string attribute = asked.key["attribute"];
    AttributeClasses cut;
    Json roles = Json::array();
    for (const Role role : shown) {
      if (!views.arrangement().has(role)) continue;
      const Dataset data = views.clear(role, 0);
      if (!data.labels.has(attribute)) continue;
      if (roles.empty()) cut = attribute_classes(data, attribute, asked.parameters["edges"].get<std::vector<double>>());
      roles.push_back({{"role", to_text(role)}, {"classes", counted(with_classes(data, cut), attribute)}});
    }
    return {{{"attribute", attribute}, {"rotations", views.rotations()}, {"roles", std::move(roles)}}};
  }
};

}  // namespace

std::unique_ptr<Question> composition_question() {
  return std::make_unique<CompositionQuestion>();
}

}  // namespace bauta
