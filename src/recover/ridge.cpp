// Learned reversal, linear: attackers who can have templates of their own protected learn the way back from
// the pairs.
#include <fmt/format.h>

#include "bauta/recover/recovery.hpp"
#include "inverse_map.hpp"
#include "pairs.hpp"

namespace bauta {
namespace {

class RidgeRecovery : public Recovery {
 public:
  explicit RidgeRecovery(const Parameters& parameters) : parameters_(parameters) {
    if (parameters.real("penalty") > 0) options_.penalty = parameters.real("penalty");
    options_.dual_pairs = static_cast<std::size_t>(parameters.integer("pairs"));
  }

  void fit(const Knowledge& knowledge) override {
    require_pairs("ridge", knowledge);
    shape_ = knowledge.protected_clear->templates.slice(0, 0);
    options_.seed = knowledge.seed;
    unit_ = wants_unit_length(parameters_, *knowledge.protected_clear);
    map_ = InverseMap::fit(scaled(knowledge.protected_clear->templates), knowledge.clear->templates.floats(), options_);
  }

  [[nodiscard]] Recovered recover(const Dataset& target) const override {
    require_same_form(target, shape_);
    return {Templates(map_.apply(scaled(target.templates))),
            {},
            {{"ridge_penalty", fmt::format("{:g}", map_.penalty())}, {"pairs_used", std::to_string(map_.pairs())}}};
  }

 private:
  [[nodiscard]] Templates scaled(const Templates& templates) const { return unit_ ? unit_rows(templates) : templates; }

  Parameters parameters_;
  InverseMapOptions options_;
  bool unit_ = false;
  Templates shape_;
  InverseMap map_;
};

}  // namespace

Entry<Recovery> ridge_recovery() {
  return {{.name = "ridge",
           .paper = "",
           .doc = "any technique: linear regression from protected to clear templates, learned from pairs",
           .medium = "template",
           .learns = true,
           .parameters = {{"penalty", ParameterType::real, "0", "on squared weights; 0: by cross-validation", 0},
                          {"pairs", ParameterType::integer, "4000", "most pairs for codes of many values", 2, 1 << 16},
                          scale_parameter()}},
          [](const Parameters& parameters) { return std::make_unique<RidgeRecovery>(parameters); }};
}

}  // namespace bauta
