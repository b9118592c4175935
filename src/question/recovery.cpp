#include "bauta/question/recovery.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/question/adversary.hpp"
#include "bauta/question/attack_data.hpp"
#include "bauta/question/estimate.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/recovering.hpp"
#include "cells.hpp"

namespace bauta {

namespace {

class RecoveryQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "recovery",
            .paper = "",
            .doc = "how near do inversions come to the originals, and whom and what do they give away?",
            .keys = {texts_key("attack", "recovery", Json::array(), "inversions, as bauta list recoveries has them",
                               [](const std::string& text) { (void)make_recovery(text); }),
                     count_key("attack", "enrolments", 10, "of each sample, for inversions that need several", 1),
                     estimator_key(), preparation_key(), bootstrap_key()}};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    Json values = parameters(setting);
    if (values["recovery"].empty()) return {};
    // Recoveries may be named for adversaries alone, whose recognisers bring their own representation.
    if (setting.medium != "template" && setting.representations.empty()) return {};
    const Arrangement& arrangement = views.arrangement();
    const std::optional<Role> attackers = attackers_of(arrangement);
    if (!attackers) {
      if (std::ranges::none_of(values["recovery"], [](const Json& name) { return needs_other_people(name); })) {
        return {};  // they are for adversaries
      }
      throw_usage(arrangement.has(Role::enrol) ? "data.background" : "data.attacker",
                  "is missing: attack.recovery learns from other people");
    }
    const Role target = attacked_of(arrangement);
    std::vector<Asked> cells;
    for (const Json& name : values["recovery"]) {
      const std::string recovery = name;
      if (!undoes(recovery, technique, setting.medium)) continue;
      Json own = values;
      own.erase("recovery");
      own["attributes"] = attributes_read(setting, views, *attackers, recovery);
      own["classes"] = setting.classes;
      own["preparation"] = preparation_in(arrangement, values["preparation"]);
      if (!needs_repeated_enrolments(recovery)) own["enrolments"] = 1;
      const std::size_t times = own["enrolments"];
      for (const std::string& seen : representations_of(setting)) {
        Json key = cell_key("recovery", technique, seen);
        key["recovery"] = recovery;
        cells.push_back({std::move(key),
                         own,
                         {{*attackers, {}, {seen}},
                          {*attackers, {technique}, {seen}},
                          {target, {}, {seen}},
                          {target, {.technique = technique, .enrolments = times}, {seen}},
                          {target, {.technique = technique, .recovery = recovery, .enrolments = times}, {seen}}}});
      }
    }
    return cells;
  }

  /// What is read of what comes back. Where somebody on the ladder of adversaries undoes first and then reads, they do
  /// that, unless it takes several enrolments, which they do not have.
  static std::vector<std::string> attributes_read(const Setting& setting, const Views& views, Role attackers,
                                                  const std::string& recovery) {
    const bool others_read = !setting.keys["attack"]["estimator"].empty() && !views.arrangement().has(Role::enrol) &&
                             !needs_repeated_enrolments(recovery);
    const auto undoes_first = [](const std::string& name) {
      const Adversary& who = find_adversary(name);
      return who.undoes && !who.undoes_learned && !who.from_pairs;
    };
    if (others_read && std::ranges::any_of(setting.adversaries, undoes_first)) return {};
    std::vector<std::string> attributes = setting.attributes;
    const Dataset known = views.clear(attackers, 0);
    std::erase_if(attributes, [&](const std::string& name) { return !known.labels.has(name); });
    return attributes;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    std::vector<Dataset> clear, masked, original, enrolled, recovered;
    for (const std::size_t r : rotations_of(views.arrangement())) {
      clear.push_back(views.view(asked.views[0], r));
      masked.push_back(views.view(asked.views[1], r));
      original.push_back(views.view(asked.views[2], r));
      enrolled.push_back(views.view(asked.views[3], r));
      recovered.push_back(views.view(asked.views[4], r));
    }
    std::vector<RecoveryRotation> rotations;
    for (std::size_t r = 0; r < recovered.size(); ++r) {
      rotations.push_back({&recovered[r], &original[r], &clear[r], &enrolled[r], &masked[r]});
    }
    const RecoveryCheck check{.attributes = asked.parameters["attributes"].get<std::vector<std::string>>(),
                              .estimators = asked.parameters["estimator"].get<std::vector<std::string>>(),
                              .preparation = asked.parameters["preparation"],
                              .classes = asked.parameters["classes"].get<std::map<std::string, std::vector<double>>>(),
                              .bootstrap = asked.parameters["bootstrap"],
                              .seed = views.seed(),
                              .memory = views.memory()};
    return run_recovery_check(rotations, check);
  }

  /// A recovery that was named and is tried on nothing is no proof that nothing can be undone.
  [[nodiscard]] std::vector<std::string> remarks(const Setting& setting,
                                                 const Arrangement& /*arrangement*/) const override {
    const Json values = parameters(setting);
    std::vector<std::string> remarks;
    for (const std::string recovery : values["recovery"]) {
      const bool tried = std::ranges::any_of(setting.techniques, [&](const std::string& technique) {
        return masks(technique) && undoes(recovery, technique, setting.medium);
      });
      if (!tried) remarks.push_back(fmt::format("attack.recovery: {} undoes none of the techniques", recovery));
    }
    return remarks;
  }
};

}  // namespace

std::unique_ptr<Question> recovery_question() {
  return std::make_unique<RecoveryQuestion>();
}

}  // namespace bauta
