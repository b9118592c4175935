#include "bauta/question/question.hpp"

#include <fmt/format.h>

namespace bauta {

std::string to_text(const Representation& representation) {
  std::string text = representation.extractor;
  if (!representation.fitted_in.clear()) text += " learned from people masked by " + representation.fitted_in.technique;
  if (representation.fitted_on) text += fmt::format(" (learned from the {} part)", to_text(*representation.fitted_on));
  return text;
}

std::string to_text(const Recipe& recipe) {
  std::string text(to_text(recipe.role));
  const Form& form = recipe.form;
  text += form.clear() ? ", clear" : ", masked by " + form.technique;
  if (form.share < 1) text += fmt::format(" ({:g} % of the samples)", 100 * form.share);
  if (!form.recovery.empty()) text += ", undone by " + form.recovery;
  if (!recipe.representation.extractor.empty()) text += ", seen by " + to_text(recipe.representation);
  return text;
}

Json Question::parameters(const Setting& setting) const {
  Json values = Json::object();
  for (const Key& key : declaration().keys) values[key.name] = setting.keys.at(key.section).at(key.name);
  return values;
}

}  // namespace bauta
