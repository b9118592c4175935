// What a technique says about itself, once: the single source for help, validation, `bauta list`, docs and signatures.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bauta/core/error.hpp"

namespace bauta {

enum class ParameterType { integer, real, text, choice };

std::string_view to_text(ParameterType type);

struct Parameter {
  std::string name;
  ParameterType type = ParameterType::text;
  std::string default_value;
  std::string doc;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};
  /// Values that a search for good parameters tries, ascending; empty: it is not varied. Of numbers the first and the
  /// last are also the range to draw from, evenly in the logarithm if the last is more than ten times the first.
  std::vector<std::string> grid = {};
};

struct Declaration {
  std::string name;
  std::string paper;
  std::string doc;
  std::string medium;  ///< "template", "image", "voice", "gait", "score" or "any"
  bool masks = true;   ///< protections: false leaves the data as it is
  bool learns = false;
  bool keyed = false;
  bool learns_at_home = false;  ///< protections: without other data, learns from the data that it protects
  bool keeps = false;           ///< protections: the attributes it is fitted for are meant to stay, not to go
  std::string comparator = {};  ///< own comparator as a specification; may use {parameter}; empty: the user's choice
  std::string claim = {};       ///< what its authors say that it gives, in one sentence
  std::string broken_by = {};   ///< what is known to break it, in one sentence
  std::vector<Parameter> parameters = {};
  std::vector<std::string> applies_to = {};  ///< recoveries: names of the techniques that it undoes; empty: any
};

/// A number, or one in percent: "0.01" and "1%" are the same. Empty: neither.
std::optional<double> parse_share(std::string_view text);

/// `NAME` or `NAME:key=value,key=value`: the same text on the command line, in experiment files and in Python.
struct Specification {
  std::string name;
  std::map<std::string, std::string> values = {};

  static Specification parse(std::string_view text);
};

/// "a,b:x=1,y=2,c": several specifications in one text. What stands after a comma belongs to the specification before
/// it if it gives a value.
std::vector<std::string> split_specifications(std::string_view text);

/// Parameter values, complete and checked against a declaration.
class Parameters {
 public:
  Parameters() = default;
  /// Throws a usage error for unknown names, malformed or out-of-range values. What lies within [0, 1] may be given in
  /// percent, and is held as a plain number.
  Parameters(const Declaration& declaration, const Specification& specification);

  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] double real(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, std::string>& values() const { return values_; }
  /// The specification with every parameter written out, in declared order.
  [[nodiscard]] const std::string& resolved() const { return resolved_; }
  /// The specification with only those parameters that differ from their defaults: how people name it.
  [[nodiscard]] const std::string& brief() const { return brief_; }
  /// `pattern` with each {parameter} replaced by its value.
  [[nodiscard]] std::string fill(std::string pattern) const;

 private:
  std::map<std::string, std::string> values_;
  std::string resolved_;
  std::string brief_;
};

/// One line of a room's catalogue: what it is, and how to make one.
template <class Interface>
struct Entry {
  Declaration declaration;
  std::function<std::unique_ptr<Interface>(const Parameters&)> make;
};

template <class Interface>
using Catalogue = std::vector<Entry<Interface>>;

template <class Interface>
const Entry<Interface>& find_entry(const Catalogue<Interface>& catalogue, std::string_view kind,
                                   std::string_view name) {
  std::vector<std::string> known;
  for (const auto& entry : catalogue) {
    if (entry.declaration.name == name) return entry;
    known.push_back(entry.declaration.name);
  }
  throw_usage(std::string(kind) + " '" + std::string(name) + "'", "no such " + std::string(kind), suggest(name, known));
}

}  // namespace bauta
