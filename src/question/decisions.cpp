#include "bauta/question/decisions.hpp"

#include "bauta/compare/engine.hpp"
#include "bauta/measure/classification.hpp"
#include "bauta/protocol/attacker_database.hpp"
#include "bauta/protocol/leak_guard.hpp"
#include "bauta/question/attribute_classes.hpp"
#include "bauta/question/comparing.hpp"
#include "decision_pool.hpp"

namespace bauta {

Answer run_decision_attack(const AttackData& data, const DecisionRun& run) {
  DecisionPool pool(run.bootstrap, run.seed);
  AttributeClasses cut;
  TaughtClasses taught(run.attribute);
  for (std::size_t r = 0; r < data.rotations; ++r) {
    const Dataset train = data.attacked(r).train;
    if (r == 0) cut = attribute_classes(train, run.attribute, run.edges);
    taught.add(with_classes(train, cut));
  }
  Presented presented{{}, taught.names()};
  std::size_t people = 0;
  ComparatorChoice choice;
  for (std::size_t r = 0; r < data.rotations; ++r) {
    AttackSplit split = data.under_attack(r);
    require_attackable(split.train, split.test, data.same_mask);
    split.train = with_classes(std::move(split.train), cut);
    split.test = with_classes(std::move(split.test), cut);
    require_attribute(split.train, split.test, run.attribute, data.rotations);
    require_disjoint(split.train, split.test);
    choice = choose_comparator(data.same_mask ? split.test : split.train, run.comparator);
    const auto comparator = make_comparator(choice.specification);
    const AttackerDatabase database = attacker_database(split.train, run.attribute, run.seed);
    presented.classes = presented_codes(database, presented.class_names);
    people = database.identities;
    const AttackTarget targets = attack_target(split.test, run.attribute, presented.class_names, split.left_out);
    const Templates& faces = split.train.probe_templates.empty() ? split.train.templates : split.train.probe_templates;
    const auto references = comparator->prepare(faces.select(database.rows), Side::probe, split.train.origin);
    const auto stored =
        comparator->prepare(split.test.templates.select(targets.met()), Side::reference, split.test.origin);
    pool.begin_rotation(targets, split.test);
    for (const Threshold& threshold : system_thresholds(*comparator, split.test, run.fmr, run.seed)) {
      Decisions seen(targets.present.size(), database.rows.size(), threshold.value);
      TileConsumer* const consumers[] = {&seen};
      compare_all(*comparator, *stored, *references, Pairs::all, consumers, "decisions");
      pool.add(seen.placed(targets.present, targets.rows.size()), threshold, presented, {database.rows.size()},
               Refusal::message);
    }
  }
  require_two_classes(pool.targets(), run.attribute);
  const std::vector<std::int32_t>& truth = pool.targets().truth;
  return {{{"attribute", run.attribute},
           {"classes", presented.class_names},
           {"chance", classify_result(truth, truth, presented.class_names.size()).chance},
           {"rotations", data.rotations},
           {"comparator", choice.specification},
           {"attacker", {{"samples", presented.classes.size()}, {"identities", people}}},
           {"target", {{"samples", pool.targets().truth.size()}, {"identities", pool.identities()}}},
           {"results", pool.rows(presented.class_names)},
           {"remarks", pool.remarks(choice.remarks, taught)}},
          pool.findings(presented.class_names, "decisions")};
}

namespace {

class DecisionsQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "decisions",
            .paper = "Osorio-Roig et al. 2022 (S0), Table X",
            .doc = "what does match / no match tell, where scores are not seen?",
            .keys = {rates_key("attack", "decision", Json::array(), "false match rates that the system is set to"),
                     bootstrap_key()}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    const Json values = parameters(setting);
    if (values["decision"].empty()) return {};
    return attack_cells(setting, views, technique, "decisions", values, "attack.decision");
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    const DecisionRun run{.attribute = asked.key["attribute"],
                          .fmr = asked.parameters["decision"].get<std::vector<double>>(),
                          .edges = asked.parameters["edges"].get<std::vector<double>>(),
                          .bootstrap = asked.parameters["bootstrap"],
                          .seed = views.seed()};
    return run_decision_attack(attack_data(views, AttackCell::of(asked.key)), run);
  }
};

}  // namespace

std::unique_ptr<Question> decisions_question() {
  return std::make_unique<DecisionsQuestion>();
}

}  // namespace bauta
