// Whose key a keyed technique uses: the one place that knows how techniques are told.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bauta/protect/protection.hpp"

namespace bauta {

enum class KeyRegime {
  secret,       ///< each user holds a key of their own, unknown to the attacker
  stolen,       ///< one key for all: what remains when the key is lost
  application,  ///< one key per application: the unlinkability question
};

/// The parameters that every keyed technique has: regime, application, keyfile.
std::vector<Parameter> key_parameters();
/// Of a keyed technique.
KeyRegime key_regime(const Parameters& parameters);
/// Whether everybody has a key of their own, which tells people apart whatever their faces. False without a key.
bool has_personal_keys(const ResolvedProtection& technique);
/// The same of a specification that somebody wrote beside data; false for one that nobody knows. Nothing is made of it.
bool has_personal_keys(const std::string& technique);
/// What puts a keyed technique under a regime. `application`: which one, of several with keys of their own.
std::map<std::string, std::string> under_regime(KeyRegime regime, int application = 0);
/// The same as people write it: "regime=application,application=1".
std::string regime_text(KeyRegime regime, int application = 0);

}  // namespace bauta
