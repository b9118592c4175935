#include "bauta/question/key.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/attack/recogniser.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/learn/estimator.hpp"
#include "bauta/learn/preparation.hpp"
#include "bauta/measure/usual.hpp"

namespace bauta {

namespace {

using Check = std::function<Json(const Json&, const std::string&)>;

/// Applies `check` to each value of a list, or to the one value that stands there alone.
Check each_of(Check check) {
  return [check = std::move(check)](const Json& given, const std::string& where) {
    Json list = Json::array();
    if (!given.is_array()) {
      list.push_back(check(given, where));
      return list;
    }
    if (given.empty()) throw_usage(where, "is an empty list");
    for (const Json& value : given) {
      Json one = check(value, where);
      if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(std::move(one));
    }
    return list;
  };
}

/// Refuses a list where one value is expected.
Check one_of(Check check) {
  return [check = std::move(check)](const Json& given, const std::string& where) {
    if (given.is_array()) throw_usage(where, "one value is expected, not a list");
    return check(given, where);
  };
}

// Of draws, scores, people: more would not fit anywhere.
constexpr std::int64_t most_counted = 10'000'000;

Check count_check(std::size_t least) {
  return [least](const Json& given, const std::string& where) {
    if (!given.is_number_integer() || given.get<std::int64_t>() < static_cast<std::int64_t>(least) ||
        given.get<std::int64_t>() > most_counted) {
      throw_usage(where, fmt::format("a whole number from {} to {} is expected", least, most_counted));
    }
    return Json(given.get<std::size_t>());
  };
}

Check text_check(std::function<void(const std::string&)> each) {
  return [each = std::move(each)](const Json& given, const std::string& where) {
    if (!given.is_string()) throw_usage(where, "a text in quotes is expected");
    if (each) each(given.get<std::string>());
    return given;
  };
}

Json checked_table(const std::vector<Key>& inner, const Json& given, const std::string& where) {
  if (!given.is_object()) {
    std::string example;
    for (const Key& key : inner) example += (example.empty() ? "" : ", ") + key.name + " = ...";
    throw_usage(where, "{ " + example + " } is expected");
  }
  std::vector<std::string> known;
  Json table = Json::object();
  for (const Key& key : inner) {
    known.push_back(key.name);
    table[key.name] = given.contains(key.name) ? key.check(given[key.name], where + "." + key.name) : key.fallback;
  }
  for (const auto& [name, value] : given.items()) {
    if (!table.contains(name)) throw_usage(where + "." + name, "unknown key", suggest(name, known));
  }
  return table;
}

}  // namespace

Key switch_key(std::string section, std::string name, bool fallback, std::string doc) {
  return {std::move(section),
          std::move(name),
          std::move(doc),
          fallback,
          one_of([](const Json& given, const std::string& where) {
            if (!given.is_boolean()) throw_usage(where, "true or false is expected");
            return given;
          }),
          Key::Kind::truth};
}

Key count_key(std::string section, std::string name, std::size_t fallback, std::string doc, std::size_t least) {
  return {std::move(section), std::move(name), std::move(doc), fallback, one_of(count_check(least)), Key::Kind::number};
}

Key real_key(std::string section, std::string name, double fallback, std::string doc) {
  return {std::move(section),
          std::move(name),
          std::move(doc),
          fallback,
          one_of([](const Json& given, const std::string& where) {
            const double value = given.is_number() ? given.get<double>() : 0;
            if (!(value > 0) || std::isinf(value)) throw_usage(where, "a number above 0 is expected");
            return Json(value);
          }),
          Key::Kind::number};
}

Key counts_key(std::string section, std::string name, Json fallback, std::string doc, std::size_t least) {
  return {std::move(section),
          std::move(name),
          std::move(doc),
          std::move(fallback),
          each_of(count_check(least)),
          Key::Kind::number,
          true};
}

Key rates_key(std::string section, std::string name, Json fallback, std::string doc) {
  return {std::move(section),
          std::move(name),
          std::move(doc),
          std::move(fallback),
          each_of([](const Json& given, const std::string& where) {
            const double rate = given.is_number() ? given.get<double>() : 0;
            if (!(rate > 0 && rate < 1)) throw_usage(where, "a rate between 0 and 1 is expected");
            return Json(rate);
          }),
          Key::Kind::number,
          true};
}

Key texts_key(std::string section, std::string name, Json fallback, std::string doc,
              std::function<void(const std::string&)> each) {
  return {std::move(section),
          std::move(name),
          std::move(doc),
          std::move(fallback),
          each_of(text_check(std::move(each))),
          Key::Kind::text,
          true};
}

Key text_key(std::string section, std::string name, std::string fallback, std::string doc,
             std::function<void(const std::string&)> each) {
  return {std::move(section), std::move(name), std::move(doc), std::move(fallback), one_of(text_check(std::move(each))),
          Key::Kind::text};
}

Key table_key(std::string section, std::string name, std::string doc, std::vector<Key> inner) {
  return {std::move(section),
          std::move(name),
          std::move(doc),
          nullptr,
          [inner](const Json& given, const std::string& where) { return checked_table(inner, given, where); },
          Key::Kind::table,
          false,
          inner};
}

std::string few_draws(std::size_t draws) {
  constexpr std::size_t enough = 100;
  if (draws == 0 || draws >= enough) return {};
  return fmt::format("intervals of {} draws are worth little: other draws would give others; take {} or more, or 0",
                     draws, enough);
}

Key bootstrap_key() {
  Key key = count_key("measure", "bootstrap", usual_draws, "draws over subjects for intervals; 0: none");
  key.check = [count = key.check](const Json& given, const std::string& where) {
    Json draws = count(given, where);
    if (const std::string remark = few_draws(draws); !remark.empty()) warn(remark);
    return draws;
  };
  return key;
}

Key fmr_key() {
  return rates_key("measure", "fmr", usual_fmr, "false match rates at which false non-matches are counted");
}

Key controls_key() {
  return switch_key("attack", "controls", true, "also attack where nothing, or something known, is to be found");
}

std::vector<std::string> usual_recognisers() {
  return {"mlp", "lda"};
}

Key recogniser_key() {
  return texts_key("attack", "recogniser", usual_recognisers(), "who name people: recognisers and estimators",
                   [](const std::string& text) { (void)make_recogniser(text); });
}

Key estimator_key() {
  return texts_key("attack", "estimator", Json::array(), "classifiers, as bauta list estimators has them",
                   [](const std::string& text) { (void)make_estimator(text); });
}

Key temperature_key() {
  return real_key("measure", "temperature", RecogniserOptions().temperature, "of the softmax of similarities");
}

Key top_key() {
  return counts_key("measure", "top", usual_top, "k of the mixture at k", 1);
}

Key preparation_key() {
  return text_key("attack", "preparation", "", "steps before estimators learn; default unit, in folds unit,zscore",
                  [](const std::string& steps) { (void)Preparation(steps); });
}

}  // namespace bauta
