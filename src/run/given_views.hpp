// Views of a closed set that was protected already, by whoever released it.
#pragma once

#include "bauta/core/error.hpp"
#include "bauta/question/views.hpp"

namespace bauta {

class GivenViews : public Views {
 public:
  /// Samples of a role, as they were and as they were protected, row by row.
  struct Part {
    Dataset clear, hidden;
  };

  /// `technique` must outlive it. `text` says how the samples were dealt out.
  GivenViews(Part enrol, Part probe, const ResolvedProtection& technique, std::string text, std::uint64_t seed)
      : enrol_(std::move(enrol)), probe_(std::move(probe)), technique_(technique), seed_(seed) {
    arrangement_ = {.kind = "closed-set",
                    .text = std::move(text),
                    .rotations = {{{Role::enrol, {}}, {Role::probe, {}}}},
                    .masked_by_role = true,
                    .one_sample_each = probe_.clear.identity_column.empty()};
  }

  [[nodiscard]] const Arrangement& arrangement() const override { return arrangement_; }
  [[nodiscard]] Dataset clear(Role role, std::size_t) const override { return part(role).clear; }
  [[nodiscard]] Dataset view(const Recipe& recipe, std::size_t) override { return form(recipe); }
  [[nodiscard]] std::string digest(const Recipe& recipe) const override { return bauta::digest(form(recipe)); }
  [[nodiscard]] const ResolvedProtection& technique(const std::string&, std::size_t, const Representation&) override {
    return technique_;
  }
  [[nodiscard]] Json remember(const Json&, const std::vector<Recipe>&, const std::function<Json()>& compute) override {
    return compute();
  }
  [[nodiscard]] std::uint64_t seed() const override { return seed_; }
  [[nodiscard]] std::uint64_t memory() const override { return std::uint64_t{1} << 30; }

 private:
  [[nodiscard]] const Part& part(Role role) const {
    BAUTA_ASSERT(role == Role::enrol || role == Role::probe);
    return role == Role::enrol ? enrol_ : probe_;
  }
  [[nodiscard]] const Dataset& form(const Recipe& recipe) const {
    BAUTA_ASSERT(recipe.form.recovery.empty() && recipe.form.share == 1 && recipe.representation.extractor.empty());
    return recipe.form.clear() ? part(recipe.role).clear : part(recipe.role).hidden;
  }

  Part enrol_, probe_;
  const ResolvedProtection& technique_;
  std::uint64_t seed_;
  Arrangement arrangement_;
};

}  // namespace bauta
