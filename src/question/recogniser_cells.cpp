#include "recogniser_cells.hpp"

#include <fmt/format.h>

#include "bauta/attack/recogniser.hpp"
#include "bauta/core/error.hpp"
#include "bauta/question/attack_data.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/recovering.hpp"
#include "cells.hpp"

namespace bauta {

namespace {

void require_media(const std::string& recogniser, const Dataset& data) {
  if (data.media != nullptr || representation_of(make_recogniser(recogniser)).empty()) return;
  throw_usage("attack.recogniser", fmt::format("'{}' looks at media, and {} holds templates", recogniser, data.origin),
              "choose one that takes templates (see: bauta list recognisers)");
}

void add(const Json& key, const std::string& technique, const std::vector<Attempt>& attempts,
         const std::string& extractor, const Json& parameters, std::vector<Asked>& cells) {
  if (!masks(technique)) {
    cells.push_back({key, parameters, {{Role::enrol, {}, {extractor}}, {Role::probe, {}, {extractor}}}});
  }
  for (const Attempt& attempt : attempts) {
    const Adversary& who = *attempt.who;
    const Representation seen = who.sees(extractor, technique, Role::enrol);
    const Representation clear = who.sees_clear(extractor, technique, Role::enrol);
    Json own = key;
    own["adversary"] = who.name;
    if (!attempt.recovery.empty()) own["recovery"] = attempt.recovery;
    cells.push_back({std::move(own),
                     parameters,
                     {{Role::enrol, who.learns(technique, attempt.recovery), seen},
                      {Role::probe, who.meets(technique, attempt.recovery), seen},
                      {Role::enrol, {}, clear},
                      {Role::probe, {}, clear}}});
  }
}

}  // namespace

bool names_people(const Setting& setting, const Views& views, const std::string& key) {
  if (views.arrangement().has(Role::enrol)) return true;
  if (setting.given.contains(key)) {
    throw_usage(key, "names people, which needs a closed set", "choose protocol.kind = \"closed-set\", or remove it");
  }
  return false;
}

std::vector<std::string> recogniser_representations(const Setting& setting, const std::string& recogniser) {
  const std::string own = representation_of(make_recogniser(recogniser));
  if (!own.empty()) return {own};
  return representations_of(setting);
}

std::vector<Asked> recogniser_cells(const Setting& setting, const Views& views, const std::string& technique,
                                    const std::string& question, const Json& parameters) {
  const Arrangement& arrangement = views.arrangement();
  if (arrangement.one_sample_each) return {};
  const std::vector<Attempt> attempts =
      masks(technique) ? attempts_on(technique, setting.adversaries, setting) : std::vector<Attempt>();
  std::vector<Asked> cells;
  for (const Json& name : parameters["recogniser"]) {
    Json own = parameters;
    own["recogniser"] = name;
    require_media(name, views.clear(Role::enrol, 0));
    for (const std::string& extractor : recogniser_representations(setting, name)) {
      for (const Attempt& attempt : attempts) require_others(attempt, technique, extractor, arrangement);
      Json key = cell_key(question, technique, extractor);
      key["recogniser"] = name;
      add(key, technique, attempts, extractor, own, cells);
    }
  }
  return cells;
}

}  // namespace bauta
