#include "bauta/question/question.hpp"

#include <fmt/format.h>

namespace bauta {

namespace {

std::string to_text(const Form& form) {
  std::string text = form.clear() ? "clear" : "masked by " + form.technique;
  if (form.share < 1) text += fmt::format(" ({:g} % of the samples)", 100 * form.share);
  if (!form.recovery.empty()) text += ", undone by " + form.recovery;
  return text;
}

}  // namespace

std::string to_text(const Representation& representation) {
  const auto& [extractor, form, role] = representation;
  if (!role && form.clear()) return extractor;
  const std::string people = role ? fmt::format("the {} part", to_text(*role)) : "people";
  return fmt::format("{} learned from {} {}", extractor, people, to_text(form));
}

std::string to_text(const Recipe& recipe) {
  std::string text = fmt::format("{}, {}", to_text(recipe.role), to_text(recipe.form));
  if (!recipe.representation.extractor.empty()) text += ", seen by " + to_text(recipe.representation);
  return text;
}

Json Question::parameters(const Setting& setting) const {
  Json values = Json::object();
  for (const Key& key : declaration().keys) values[key.name] = setting.keys.at(key.section).at(key.name);
  return values;
}

}  // namespace bauta
