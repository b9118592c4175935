#include "pairs.hpp"

#include <fmt/format.h>

#include "bauta/learn/preparation.hpp"
#include "enrolments.hpp"

namespace bauta {

Parameter scale_parameter() {
  return {
      .name = "scale",
      .type = ParameterType::choice,
      .default_value = "auto",
      .doc = "of protected templates before learning; auto: unit length if the data records random lengths, else none",
      .choices = {"auto", "unit", "none"}};
}

bool wants_unit_length(const Parameters& parameters, const Dataset& protected_clear) {
  const std::string& scale = parameters.text("scale");
  if (scale != "auto") return scale == "unit";
  const std::optional<KnownNoise> known = recorded_mask(protected_clear).noise;
  return known && known->random_length;
}

Templates unit_rows(const Templates& templates) {
  if (templates.kind() != ElementKind::float32) return templates;
  Preparation unit("unit");
  unit.fit(templates.floats());
  return Templates(unit.apply(templates.floats()));
}

void require_pairs(const std::string& recovery, const Knowledge& knowledge) {
  if (knowledge.clear == nullptr || knowledge.protected_clear == nullptr) {
    throw_usage(recovery, "learns from pairs", "name them with --clear and --protected");
  }
  const Dataset& clear = *knowledge.clear;
  if (clear.templates.kind() != ElementKind::float32 || clear.size() < 2) {
    throw_input(clear.origin, fmt::format("{} templates of {}, at least 2 of {} are needed", clear.size(),
                                          to_text(clear.templates.kind()), to_text(ElementKind::float32)));
  }
}

void require_same_form(const Dataset& target, const Templates& learned) {
  if (target.templates.kind() == learned.kind() && target.templates.cols() == learned.cols()) return;
  throw_input(target.origin,
              fmt::format("{} {} per template, the pairs have {} {}", target.templates.cols(),
                          to_text(target.templates.kind()), learned.cols(), to_text(learned.kind())),
              "the pairs must be protected like the target");
}

}  // namespace bauta
