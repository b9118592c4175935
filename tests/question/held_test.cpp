// What every question answers about a small population in every arrangement, as it was on 2026-11-16.
#include "../held.hpp"

#include <map>

#include "bauta/core/error.hpp"
#include "bauta/data/synth_templates.hpp"
#include "bauta/measure/finding_json.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/question.hpp"
#include "bauta/question/recovering.hpp"
#include "bauta/question/recovery.hpp"

namespace bauta {
namespace {

/// Stored templates that are masked and undone as they are asked for.
class World : public Views {
 public:
  World(const Sources& sources, Arrangement arrangement)
      : sources_(sources.given()), arrangement_(std::move(arrangement)) {}
  [[nodiscard]] const Arrangement& arrangement() const override { return arrangement_; }
  [[nodiscard]] Dataset clear(Role role, std::size_t rotation) const override {
    const Rows& rows = arrangement_.rotations[rotation].at(role);
    return sources_[rows.source]->select(rows.rows);
  }
  [[nodiscard]] Dataset view(const Recipe& recipe, std::size_t rotation) override {
    const auto& [role, form, seen] = recipe;
    const Dataset own = clear(role, rotation);
    if (form.clear()) return own;
    const Dataset base = form.enrolments > 1 ? repeated_enrolments(own, form.enrolments) : own;
    const ResolvedProtection& protection = technique(form.technique, rotation, seen);
    const Dataset hidden = protect_dataset(protection, base, protect_context(base, seed()));
    if (form.recovery.empty()) return hidden;
    const Role others = arrangement_.has(Role::attacker) ? Role::attacker : Role::background;
    const Dataset known = clear(others, rotation), masked = view({others, {form.technique}, seen}, rotation);
    const RecoveryRun run{
        .recovery = form.recovery, .clear = &known, .protected_clear = &masked, .technique = &protection};
    return role == others ? recover_own(known, hidden, run) : run_recovery(hidden, run);
  }
  [[nodiscard]] std::string digest(const Recipe& recipe) const override { return to_text(recipe); }
  [[nodiscard]] const ResolvedProtection& technique(const std::string& name, std::size_t rotation,
                                                    const Representation&) override {
    const auto [place, fresh] = ready_.try_emplace(name + " " + std::to_string(rotation), make_protection(name));
    if (fresh && place->second.declaration->learns) {
      const Dataset train = clear(Role::enrol, rotation);
      fit_protection(place->second, train, {"gender"}, protect_context(train, seed()));
    }
    return place->second;
  }
  [[nodiscard]] Json remember(const Json& key, const std::vector<Recipe>& views,
                              const std::function<Json()>& compute) override {
    Json address = Json::array({key});
    for (const Recipe& recipe : views) address.push_back(digest(recipe));
    const auto [place, fresh] = remembered_.try_emplace(address.dump());
    if (fresh) place->second = compute();
    return place->second;
  }
  [[nodiscard]] std::uint64_t seed() const override { return 3; }
  [[nodiscard]] std::uint64_t memory() const override { return 1 << 20; }

 private:
  std::vector<const Dataset*> sources_;
  Arrangement arrangement_;
  std::map<std::string, ResolvedProtection> ready_;
  std::map<std::string, Json> remembered_;
};

/// `holes`: a sample has failed, and of another the gender is not known. The age, a number, follows the templates.
Dataset people(std::uint64_t seed, std::size_t identities, bool holes = false) {
  SynthOptions options;
  options.seed = seed;
  options.identities = identities;
  options.samples = 4;
  options.dim = 8;
  options.attributes = {{"gender", 2.5, {"F", "M"}, {0.4, 0.6}}};
  Dataset data = synthesize_templates(options).dataset;
  std::vector<std::string> names = data.labels.column("identity"), gender = data.labels.column("gender"), age;
  for (std::size_t row = 0; row < data.size(); ++row) {
    names[row] += "-" + std::to_string(seed);
    const auto values = data.templates.floats().row(row / 4 * 4);
    age.push_back(std::to_string(40 + 6 * values[0] + 3 * values[3]));
  }
  if (holes) gender[6] = "";
  data.labels.replace_column("identity", std::move(names));
  data.labels.replace_column("gender", std::move(gender));
  data.labels.add_column("age", std::move(age));
  std::vector<std::string> failed(data.size(), "0");
  if (holes) failed[9] = "1";
  data.labels.add_column("failed", std::move(failed));
  return data;
}

/// Every number, and every word as one.
void gather(const Json& json, std::vector<double>& values) {
  if (json.is_number()) {
    values.push_back(std::asinh(json.get<double>()));  // counts of thousands must not hide rates
  } else if (json.is_string()) {
    values.push_back(test::fingerprint(json.get<std::string>()) / 100);
  } else if (json.is_structured()) {
    values.push_back(static_cast<double>(json.size()));
    for (const Json& part : json) gather(part, values);
  } else {
    values.push_back(json.is_null() ? -0.7 : json.get<bool>() ? 0.9 : -0.9);
  }
}

Setting setting_of(const Json& attack, std::vector<std::string> attributes) {
  Setting setting{.techniques = {}, .attributes = std::move(attributes)};
  for (const auto& question : questions()) {
    for (const Key& key : question->declaration().keys) setting.keys[key.section][key.name] = key.fallback;
  }
  setting.keys["attack"].update(attack);
  setting.keys["measure"].update({{"unlinkability", true},
                                  {"composition", true},
                                  {"reference", {"masked", "clear"}},
                                  {"bootstrap", 40},
                                  {"fmr", {0.1, 0.02}},
                                  {"top", {1, 2, 5}}});
  setting.adversaries = {"naive", "parrot", "recover"};
  setting.given = {"measure.reference", "protocol.adversary"};
  return setting;
}

/// All that a question answers about these techniques, by its name.
void expect_held_answers(const std::vector<test::Held>& held, World& world, Setting setting,
                         const std::vector<std::string>& techniques) {
  setting.techniques = techniques;
  test::expect_held(
      held,
      [&](const std::string& name) {
        std::vector<double> values;
        for (const auto& question : questions()) {
          if (question->declaration().name != name) continue;
          for (const std::string& technique : techniques) {
            for (const Asked& asked : question->ask(setting, world, technique)) {
              gather(asked.key, values);
              Answer answer;
              try {
                answer = question->answer(asked, world);
              } catch (const FormsDiffer& differ) {
                answer.values = differ.finding;
              }
              gather(answer.values, values);
              for (const Finding& finding : answer.findings) {
                gather(to_json(finding), values);
                values.push_back(test::fingerprint(finding.draws));
              }
            }
          }
        }
        return values;
      },
      1e-6);
}

TEST(HeldAnswers, AcrossDataSets) {
  const Dataset target = people(1, 24, true), attacker = people(2, 30);
  const Sources sources{.target = &target, .attacker = &attacker};
  World world(sources, cross_database(sources));
  Setting setting = setting_of({{"similarity", {{"rule", {"mean", "vote"}}, {"n", {3, 50}}}},
                                {"decision", {0.1, 0.01}},
                                {"estimator", {"knn:k=3", "lda"}},
                                {"tuning", {{"search", "random"}, {"trials", 3}}},
                                {"learning_curve", true},
                                {"online", {2, 30}},
                                {"recovery", {"ridge"}}},
                               {"gender", "age"});
  const std::vector<std::string> techniques = {"none", "random-projection:regime=stolen"};
  expect_held_answers({{"verification", 1.88723732},
                       {"similarity", -1.09090098},
                       {"decisions", -5.28696741},
                       {"estimate", -0.135050891},
                       {"unlinkability", 2.95914441},
                       {"recovery", 3.82488585},
                       {"composition", 0.0979605413}},
                      world, setting, techniques);
  setting.attributes = {"gender"};  // nobody asks a system for numbers
  expect_held_answers({{"online", -0.335983371}}, world, setting, techniques);
}

// One cell answers for all regimes of a technique: under which keys applications differ does not depend on them.
TEST(Unlinkability, IsAskedOnceOfTheRegimesOfATechnique) {
  const Dataset target = people(1, 24), attacker = people(2, 30);
  const Sources sources{.target = &target, .attacker = &attacker};
  const World world(sources, cross_database(sources));
  Setting setting = setting_of(Json::object(), {"gender"});
  setting.techniques = {"biohash:regime=stolen", "biohash:regime=secret", "biohash:length=8", "csn"};
  for (const auto& question : questions()) {
    if (question->declaration().name != "unlinkability") continue;
    std::vector<std::size_t> asked;
    for (const std::string& technique : setting.techniques) {
      asked.push_back(question->ask(setting, world, technique).size());
    }
    EXPECT_EQ(asked, (std::vector<std::size_t>{1, 0, 1, 0}));
  }
}

TEST(OpenSet, FalseAlarmsAreAskedAtATenthAndAHundredth) {
  const Setting setting = setting_of(Json::object(), {});
  EXPECT_EQ(setting.keys.at("measure")["fpir"], Json({0.1, 0.01}));
}

TEST(HeldAnswers, InFolds) {
  const Dataset target = people(4, 30);
  const Sources sources{.target = &target};
  World world(sources, privacy_evaluation(sources, parse_pep("PEP-TF-3-1-1"), "gender", 2, 1));
  const Setting setting = setting_of({{"similarity", {{"rule", {"linear"}}, {"n", {5}}}},
                                      {"decision", {0.05}},
                                      {"estimator", {"lda"}},
                                      {"controls", false},
                                      {"online", {20}},
                                      {"recovery", {"ridge"}}},
                                     {"gender"});
  expect_held_answers({{"verification", -7.06369287},
                       {"similarity", -0.0962439427},
                       {"decisions", 5.27862903},
                       {"online", -0.297497287},
                       {"estimate", 1.92323997},
                       {"unlinkability", 2.3560758},
                       {"recovery", -1.26854925},
                       {"composition", 0.503818289}},
                      world, setting, {"none", "random-projection:regime=secret"});
}

TEST(HeldAnswers, InAClosedSet) {
  const Dataset target = people(5, 24), background = people(6, 30);
  const Sources sources{.target = &target, .background = &background};
  World world(sources, closed_set(sources, "gender", 0.5, 2, 1));
  Setting setting =
      setting_of({{"estimator", {"lda"}}, {"recogniser", {"nearest", "lda"}}, {"recovery", {"ridge"}}}, {"gender"});
  setting.keep = {{"age", 0.5}};
  setting.hide = setting.attributes;
  expect_held_answers({{"verification", 11.7200083},
                       {"identification", 13.4003198},
                       {"linkage", 4.27785592},
                       {"utility", 1.42783342},
                       {"unlinkability", 4.82518776},
                       {"recovery", 0.569801672},
                       {"composition", 0.461503382}},
                      world, setting,
                      {"none", "random-projection:regime=stolen", "utility-preserving:ranking=fisher,g=4,w=3,rp=0.3"});
  // Who learned from clear samples cannot read codes: that is all that is said of iom-grp.
  setting.keys["measure"].update({{"open_set", 0.4}, {"fpir", {0.3, 0.1}}});
  expect_held_answers({{"open-set", 1.90149382}}, world, setting,
                      {"none", "random-projection:regime=stolen", "iom-grp:m=20,q=4"});
}

}  // namespace
}  // namespace bauta
