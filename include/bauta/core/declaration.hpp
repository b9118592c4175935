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

/// `file`, `folder`, `key`: names something that is read, which counts for what is in it and not for where it lies; so
/// does every file that a `command` names. Of what is in a key nothing is told.
enum class ParameterType { integer, real, text, choice, file, folder, key, command };

std::string_view to_text(ParameterType type);

struct Parameter {
  std::string name;
  ParameterType type = ParameterType::text;
  std::string default_value;
  std::string doc;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};  ///< of a file: words that name none
  /// Values that a search for good parameters tries, ascending; empty: it is not varied. Of numbers the first and the
  /// last are also the range to draw from, evenly in the logarithm if the last is more than ten times the first.
  std::vector<std::string> grid = {};
  /// Of one that names attributes to keep, NAME=SHARE/NAME=SHARE: what sweeps and results call the share. Empty: it
  /// names none.
  std::string shares = {};
};

/// What a technique does to every sample, as far as somebody who knows it can work against it.
enum class Operation {
  shuffles_blocks,
  adds_noise,
  stores_wrong_values,
  blurs,
  blanks_pixels,
  lays_over,
  drowns_motion
};

struct Declaration {
  std::string name;
  std::string paper;
  std::string doc;
  std::string medium;  ///< what it takes: "template", "image", "voice", "motion", "score" or "any"
  bool learns = false;
  bool learns_from_input = false;  ///< without other data, learns from the data that it is applied to
  bool keyed = false;  ///< protections: has the parameters of keyed ones, `regime` among them; recoveries: steals a key
  std::string comparator = {};  ///< own comparator as a specification; may use {parameter}; empty: the user's choice
  std::string claim = {};       ///< what its authors say that it gives, in one sentence
  std::string broken_by = {};   ///< what is known to break it, in one sentence
  std::vector<Parameter> parameters = {};
  std::string example = {};  ///< parameters with which it is fast enough to be tried out, as `key=value,key=value`

  // Protections.
  bool masks = true;                   ///< false: leaves data as they are
  bool mixes = false;                  ///< what it makes of a record depends on the others of its data set
  bool keeps = false;                  ///< the attribute it is fitted for is to stay, and those that a parameter names
  bool stops_on_held_out = false;      ///< held-out rows of the training data decide when training stops
  std::optional<Operation> does = {};  ///< what a recovery was made against; empty: nothing of that kind
  std::string varied = {};             ///< explains the parameters that sweeps vary: a sentence for reports

  // Recoveries.
  std::optional<Operation> undoes = {};  ///< whatever does this; empty: any technique
  bool needs_repeats = false;            ///< several enrolments of a sample are needed to undo anything

  // Recognisers.
  std::string representation = {};  ///< the extractor it starts from; may use {parameter}; empty: templates as they are
};

/// A number, or one in percent: "0.01" and "1%" are the same. Empty: neither.
std::optional<double> parse_share(std::string_view text);

/// `NAME` or `NAME:key=value,key=value`: the same text on the command line, in experiment files and in Python. A value
/// that holds commas stands in quotes.
struct Specification {
  std::string name;
  std::map<std::string, std::string> values = {};

  static Specification parse(std::string_view text);
  [[nodiscard]] std::string text() const;
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
  /// Of a file the place where it lies.
  [[nodiscard]] const std::string& text(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, std::string>& values() const { return values_; }
  /// The specification with every parameter written out, in declared order. Files are called by what is in them, here
  /// and below; keys and folders have no name beside it.
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

/// Something of a catalogue, ready for use. Copies share it.
template <class Interface>
struct Resolved {
  std::shared_ptr<Interface> object;
  const Declaration* declaration = nullptr;
  Parameters parameters;

  Interface* operator->() const { return object.get(); }
  Interface& operator*() const { return *object; }
};

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

/// `kind` names what the catalogue holds, for errors.
template <class Interface>
Resolved<Interface> resolve(const Catalogue<Interface>& catalogue, std::string_view kind,
                            std::string_view specification) {
  const Specification parsed = Specification::parse(specification);
  const Entry<Interface>& entry = find_entry(catalogue, kind, parsed.name);
  Parameters parameters(entry.declaration, parsed);
  std::shared_ptr<Interface> object = entry.make(parameters);
  return {std::move(object), &entry.declaration, std::move(parameters)};
}

}  // namespace bauta
