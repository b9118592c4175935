// A question that can be asked of protected data: what it needs to be told, in which cells it is asked, and its answer.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "bauta/core/json.hpp"
#include "bauta/measure/finding.hpp"
#include "bauta/question/key.hpp"
#include "bauta/question/views.hpp"

namespace bauta {

struct QuestionDeclaration {
  std::string name;
  std::string paper;
  std::string doc;
  std::vector<Key> keys = {};  ///< of the experiment file; every one of them is part of the address of the answers
  std::string only = {};       ///< where it is asked, and why nowhere else; empty: everywhere
};

/// What an experiment is about, as far as questions care.
struct Setting {
  std::vector<std::string> techniques;  ///< specifications
  std::vector<std::string> attributes;
  std::map<std::string, std::vector<double>> classes = {};  ///< edges between classes of continuous attributes
  std::map<std::string, double> keep = {};  ///< further attributes that shall stay readable, with weights
  std::vector<std::string> hide = {};       ///< what learning protections are fitted for
  std::vector<std::string> adversaries = {};
  std::vector<std::string> representations = {};  ///< extractors; empty: templates are stored
  std::string medium = "template";                ///< what is under attack: "template", "image", "voice" or "motion"
  Json keys = Json::object();                     ///< section -> key -> value, complete
  std::set<std::string> given = {};               ///< "section.key" of those that the experiment names itself
};

/// One cell: where on its axes the question is asked, and everything that the answer depends on.
struct Asked {
  Json key;
  Json parameters;            ///< values of the declared keys, and what else the cell needs to be told
  std::vector<Recipe> views;  ///< all that will be looked at
};

struct Answer {
  Json values;  ///< what the question shows beside its findings
  std::vector<Finding> findings = {};
};

class Question {
 public:
  virtual ~Question() = default;

  [[nodiscard]] virtual QuestionDeclaration declaration() const = 0;
  /// The cells about one technique; none where it was not asked for. A usage error says why it makes no sense in the
  /// arrangement, if it was.
  [[nodiscard]] virtual std::vector<Asked> ask(const Setting& setting, const Views& views,
                                               const std::string& technique) const = 0;
  /// Depends on nothing but what was asked, the views named there and the seed.
  [[nodiscard]] virtual Answer answer(const Asked& asked, Views& views) const = 0;
  /// What people should know who asked for it, and get less than they may think.
  [[nodiscard]] virtual std::vector<std::string> remarks(const Setting& /*setting*/,
                                                         const Arrangement& /*arrangement*/) const {
    return {};
  }

 protected:
  /// The values of all declared keys, by name.
  [[nodiscard]] Json parameters(const Setting& setting) const;
};

/// In the order in which they are asked.
const std::vector<std::unique_ptr<Question>>& questions();

}  // namespace bauta
