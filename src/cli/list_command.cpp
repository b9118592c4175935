// bauta list: everything that has a declaration, from the declarations themselves.
#include <memory>

#include <fmt/format.h>

#include "bauta/attack/recogniser.hpp"
#include "command.hpp"
#include "bauta/compare/comparator.hpp"
#include "bauta/core/error.hpp"
#include "bauta/extract/extractor.hpp"
#include "bauta/learn/regressor.hpp"
#include "bauta/protect/protection.hpp"
#include "bauta/question/adversary.hpp"
#include "bauta/question/question.hpp"
#include "bauta/recover/recovery.hpp"

namespace bauta {

namespace {

Json describe(const Declaration& declaration) {
  Json parameters = Json::array();
  for (const auto& parameter : declaration.parameters) {
    Json entry = {{"name", parameter.name},
                  {"type", to_text(parameter.type)},
                  {"default", parameter.default_value},
                  {"doc", parameter.doc}};
    if (!parameter.choices.empty()) entry["choices"] = parameter.choices;
    if (!parameter.grid.empty()) entry["grid"] = parameter.grid;
    parameters.push_back(std::move(entry));
  }
  return {{"name", declaration.name},
          {"doc", declaration.doc},
          {"paper", declaration.paper},
          {"medium", declaration.medium},
          {"learns", declaration.learns},
          {"keyed", declaration.keyed},
          {"comparator", declaration.comparator},
          {"claim", declaration.claim},
          {"broken_by", declaration.broken_by},
          {"parameters", parameters}};
}

template <class Interface>
Json describe(const Catalogue<Interface>& catalogue) {
  Json list = Json::array();
  for (const auto& entry : catalogue) list.push_back(describe(entry.declaration));
  return list;
}

/// Questions, with the keys of the experiment file that they read as parameters.
Json describe_questions() {
  Json list = Json::array();
  for (const auto& question : questions()) {
    const QuestionDeclaration declaration = question->declaration();
    Json entry = describe({declaration.name, declaration.paper, declaration.doc, ""});
    for (const Key& key : declaration.keys) {
      const Json& value = key.fallback;
      entry["parameters"].push_back({{"name", key.section + "." + key.name},
                                     {"type", "key"},
                                     {"default", value.is_string() ? value.get<std::string>() : value.dump()},
                                     {"doc", key.doc}});
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json describe_adversaries() {
  Json list = Json::array();
  for (const Adversary& adversary : adversaries()) {
    list.push_back(describe({adversary.name, "", adversary.doc, ""}));
  }
  return list;
}

void print(const std::string& kind, const Json& list) {
  fmt::print("{}\n", kind);
  for (const auto& entry : list) {
    std::string traits;
    if (entry["learns"].get<bool>()) traits += " (learns)";
    if (entry["keyed"].get<bool>()) traits += " (keyed)";
    fmt::print("  {:<20} {}{}\n", entry["name"].get<std::string>(), entry["doc"].get<std::string>(), traits);
    for (const auto& parameter : entry["parameters"]) {
      std::string range;
      if (parameter.contains("choices"))
        range = fmt::format(" ({})", fmt::join(parameter["choices"].get<std::vector<std::string>>(), ", "));
      fmt::print("    {:<18} {}{} [{}]\n", parameter["name"].get<std::string>(), parameter["doc"].get<std::string>(),
                 range, parameter["default"].get<std::string>());
    }
  }
}

/// The page docs/techniques.md; a test compares the two.
void print_markdown(const Json& all) {
  fmt::print("# Techniques\n\nMade by `bauta list --markdown` from what each technique declares.\n");
  for (const auto& [kind, list] : all.items()) {
    fmt::print(
        "\n## {}\n\n| name | what it does | parameters (default) | own comparator | source |\n|---|---|---|---|---|\n",
        kind);
    for (const auto& entry : list) {
      std::vector<std::string> parameters;
      for (const auto& parameter : entry["parameters"]) {
        const std::string value = parameter["default"].get<std::string>();
        parameters.push_back(fmt::format("`{}`{}: {}", parameter["name"].get<std::string>(),
                                         value.empty() ? "" : fmt::format(" ({})", value),
                                         parameter["doc"].get<std::string>()));
      }
      const std::string comparator = entry["comparator"].get<std::string>();
      fmt::print("| `{}` | {} | {} | {} | {} |\n", entry["name"].get<std::string>(), entry["doc"].get<std::string>(),
                 fmt::join(parameters, "<br>"), comparator.empty() ? "" : "`" + comparator + "`",
                 entry["paper"].get<std::string>());
    }
  }
}

}  // namespace

void add_list_command(CLI::App& app) {
  auto kind = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto markdown = std::make_shared<bool>(false);
  auto pages = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("list", "what there is: protections, comparators, estimators, questions, adversaries and more");
  command->add_option("KIND", *kind, "only this kind");
  command->add_flag("--json", *json, "print one JSON object and nothing else");
  command->add_flag("--markdown", *markdown, "print tables in Markdown");
  command->add_option("--pages", *pages, "write a page per protection into this folder");
  command->callback([kind, json, markdown, pages] {
    if (!pages->empty()) {
      write_protection_pages(*pages);
      return;
    }
    Json all = {{"protections", describe(protections())},
                {"comparators", describe(comparators())},
                {"estimators", describe(estimators())},
                {"regressors", describe(regressors())},
                {"recognisers", describe(recognisers())},
                {"extractors", describe(extractors())},
                {"recoveries", describe(recoveries())},
                {"questions", describe_questions()},
                {"adversaries", describe_adversaries()}};
    if (*kind == "metrics") *kind = "questions";  // what is measured is a question
    if (!kind->empty()) {
      if (!all.contains(*kind)) {
        std::vector<std::string> known;
        for (const auto& [name, list] : all.items()) known.push_back(name);
        throw_usage("list " + *kind, "no such kind", suggest(*kind, known));
      }
      all = Json{{*kind, all[*kind]}};
    }
    if (*json) {
      fmt::print("{}\n", all.dump());
    } else if (*markdown) {
      print_markdown(all);
    } else {
      for (const auto& [name, list] : all.items()) {
        print(name, list);
      }
    }
  });
}

}  // namespace bauta
