// Keys of the experiment file, declared by the questions that read them: names, defaults, checks and help in one place.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bauta/core/json.hpp"

namespace bauta {

struct Key {
  enum class Kind { truth, number, text, table };

  std::string section;  ///< "attack" or "measure"
  std::string name;
  std::string doc;
  Json fallback;  ///< the value where the file has none
  /// The given value, checked and completed; a usage error names `where`.
  std::function<Json(const Json& given, const std::string& where)> check;
  Kind kind = Kind::text;
  bool several = false;         ///< a list of such values
  std::vector<Key> inner = {};  ///< of a table
};

/// true or false
Key switch_key(std::string section, std::string name, bool fallback, std::string doc);
/// One whole number of at least `least`.
Key count_key(std::string section, std::string name, std::size_t fallback, std::string doc, std::size_t least = 0);
/// One number above 0.
Key real_key(std::string section, std::string name, double fallback, std::string doc);
/// One value or several; the same for the next three.
Key counts_key(std::string section, std::string name, Json fallback, std::string doc, std::size_t least = 0);
Key rates_key(std::string section, std::string name, Json fallback, std::string doc);
/// `each` throws for a text that is not among those meant.
Key texts_key(std::string section, std::string name, Json fallback, std::string doc,
              std::function<void(const std::string&)> each = {});
/// One text.
Key text_key(std::string section, std::string name, std::string fallback, std::string doc,
             std::function<void(const std::string&)> each = {});
/// { inner = ..., inner = ... }, null where the file has none; the sections of `inner` do not matter.
Key table_key(std::string section, std::string name, std::string doc, std::vector<Key> inner);

/// Who is tried where nobody is named.
std::vector<std::string> usual_recognisers();

/// What is to be said of intervals from so few draws; empty: nothing, or there are none.
std::string few_draws(std::size_t draws);

/// Keys that several questions share. Of few draws whoever gives them is warned.
Key bootstrap_key();
Key fmr_key();
Key controls_key();
Key preparation_key();
Key recogniser_key();
Key estimator_key();
Key temperature_key();
Key top_key();

}  // namespace bauta
