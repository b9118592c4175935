#include "bauta/protect/key_regime.hpp"

#include <algorithm>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

// In the order of KeyRegime.
const std::vector<std::string>& words() {
  static const std::vector<std::string> all = {"secret", "stolen", "application"};
  return all;
}

const std::string& word(KeyRegime regime) {
  return words()[static_cast<std::size_t>(regime)];
}

}  // namespace

std::vector<Parameter> key_parameters() {
  return {{.name = "regime",
           .type = ParameterType::choice,
           .default_value = word(KeyRegime::stolen),
           .doc = "secret: a key per subject; stolen: one key for all, what is left when it is lost; "
                  "application: one key per application",
           .choices = words()},
          {"application", ParameterType::integer, "0", "number of the application, for regime=application", 0},
          {"keyfile", ParameterType::key, "", "file with the key; without one it comes from the seed"}};
}

KeyRegime key_regime(const Parameters& parameters) {
  const auto found = std::ranges::find(words(), parameters.text("regime"));
  BAUTA_ASSERT(found != words().end());  // the parameter's choices
  return static_cast<KeyRegime>(found - words().begin());
}

bool has_personal_keys(const ResolvedProtection& technique) {
  return technique.declaration->keyed && key_regime(technique.parameters) == KeyRegime::secret;
}

bool has_personal_keys(const std::string& technique) {
  Specification specification;
  try {
    specification = Specification::parse(technique);
  } catch (const Error&) {
    return false;
  }
  const auto known = std::ranges::find_if(
      protections(), [&](const auto& entry) { return entry.declaration.name == specification.name; });
  if (known == protections().end() || !known->declaration.keyed) return false;
  const auto given = specification.values.find("regime");
  return given != specification.values.end() && given->second == word(KeyRegime::secret);
}

std::map<std::string, std::string> under_regime(KeyRegime regime, int application) {
  std::map<std::string, std::string> values = {{"regime", word(regime)}};
  if (regime == KeyRegime::application) values["application"] = std::to_string(application);
  return values;
}

std::string regime_text(KeyRegime regime, int application) {
  std::string text = "regime=" + word(regime);
  if (regime == KeyRegime::application) text += ",application=" + std::to_string(application);
  return text;
}

}  // namespace bauta
