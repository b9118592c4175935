// What the mask costs the medium itself: how near masked media are to clear ones, and whether a face is still found.
#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/data/likeness.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/extract/extractor.hpp"
#include "bauta/measure/draws.hpp"
#include "bauta/protect/media.hpp"
#include "bauta/question/protecting.hpp"
#include "cells.hpp"
#include "standings.hpp"

namespace bauta {

namespace {

constexpr const char* likeness = "likeness";
constexpr const char* faces = "face-points";
constexpr double shown_quantiles[] = {0.05, 0.25, 0.5, 0.75, 0.95};
// Where each eye's landmarks begin among the 68.
constexpr std::size_t first_eye = 36, second_eye = 42, eye_points = 6, landmark_count = 68;

std::string name_of(const std::string& specification) {
  return Specification::parse(specification).name;
}

/// Values of those samples that have one, and whose they are.
struct Sampled {
  std::vector<double> values = {};
  std::vector<std::uint32_t> subjects = {};

  void add(double value, std::uint32_t subject) {
    values.push_back(value);
    subjects.push_back(subject);
  }
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }
  [[nodiscard]] std::optional<Interval> interval(std::size_t bootstrap) const {
    return bootstrap == 0 ? std::nullopt : mean_interval(values, subjects);
  }
  /// Mean with its interval and quantiles; null without samples.
  [[nodiscard]] Json json(std::size_t bootstrap) const {
    if (values.empty()) return nullptr;
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    Json quantiles = Json::array();
    for (const double share : shown_quantiles) {
      quantiles.push_back({{"share", share}, {"value", quantile(sorted, share)}});
    }
    const auto ci = interval(bootstrap);
    return {{"mean", mean()},
            {"ci", ci ? Json{ci->low, ci->high} : Json(nullptr)},
            {"quantiles", std::move(quantiles)},
            {"samples", values.size()}};
  }
};

/// The same samples of all rotations, one after the other: their features, and whose they are.
struct Judgement {
  std::vector<Templates> features;
  std::vector<std::vector<bool>> failed;
  std::vector<std::vector<std::uint32_t>> subjects;
  std::vector<std::string> names = {};  ///< of the subjects, by number

  Judgement(const Recipe& recipe, Views& views) {
    std::map<std::string, std::uint32_t> numbers;
    for (std::size_t r = 0; r < views.rotations(); ++r) {
      const Dataset data = views.view(recipe, r);
      const People people = people_of(data);
      features.push_back(data.templates);
      failed.push_back(data.failed());
      subjects.emplace_back();
      for (const std::uint32_t person : people.of_row) {
        const auto number = numbers.try_emplace(people.names[person], static_cast<std::uint32_t>(names.size())).first;
        if (number->second == names.size()) names.push_back(people.names[person]);
        subjects.back().push_back(number->second);
      }
    }
  }

  [[nodiscard]] std::size_t failures() const {
    std::size_t count = 0;
    for (const auto& marks : failed) count += static_cast<std::size_t>(std::count(marks.begin(), marks.end(), true));
    return count;
  }
  [[nodiscard]] std::size_t samples() const {
    std::size_t count = 0;
    for (const auto& marks : failed) count += marks.size();
    return count;
  }
  /// Calls take(row of features, subject, rotation, row) for those that did not fail.
  void each(const auto& take) const {
    for (std::size_t r = 0; r < features.size(); ++r) {
      for (std::size_t row = 0; row < failed[r].size(); ++row) {
        if (!failed[r][row]) take(features[r].floats().row(row), subjects[r][row], r, row);
      }
    }
  }
};

Finding finding_of(const Sampled& sampled, const Judgement& judged, const Json& parameters, std::uint64_t seed) {
  Finding finding;
  finding.about = About::utility;
  finding.attacker = "the rightful user";
  finding.worse = Worse::lower;
  finding.value = sampled.mean();
  const std::size_t bootstrap = parameters["bootstrap"];
  std::vector<std::uint32_t> people = sampled.subjects;
  std::sort(people.begin(), people.end());
  people.erase(std::unique(people.begin(), people.end()), people.end());
  finding.counts = {{"samples", sampled.values.size()}, {"identities", people.size()}};
  if (bootstrap == 0) return finding;
  finding.ci = sampled.interval(bootstrap);
  finding.draws = drawn_mean(sampled.values, sampled.subjects, {bootstrap, seed, judged.names.size()});
  finding.drawn_over = drawn_over(judged.names, seed);
  return finding;
}

double distance(std::span<const float> points, std::span<const float> others, std::size_t i) {
  return std::hypot(double{points[2 * i]} - others[2 * i], double{points[2 * i + 1]} - others[2 * i + 1]);
}

/// Between the middles of both eyes.
double eye_distance(std::span<const float> points) {
  double x = 0, y = 0;
  for (std::size_t i = 0; i < eye_points; ++i) {
    x += (double{points[2 * (second_eye + i)]} - points[2 * (first_eye + i)]) / eye_points;
    y += (double{points[2 * (second_eye + i) + 1]} - points[2 * (first_eye + i) + 1]) / eye_points;
  }
  return std::hypot(x, y);
}

/// Mean distance of landmarks from where they were, in shares of the distance of the eyes. Empty: eyes that coincide.
std::optional<double> displacement(std::span<const float> made, std::span<const float> clear) {
  const double eyes = eye_distance(clear);
  if (!(eyes > 0)) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < landmark_count; ++i) sum += distance(made, clear, i) / landmark_count;
  return sum / eyes;
}

class CostQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "cost",
            .paper = "Wang et al. 2004 (SSIM); Hanisch et al. (S4)",
            .doc = "what does the mask cost the medium: how near is it to the clear one, is a face still found?",
            .keys = {texts_key("measure", "cost", Json::array(),
                               "what masked media are compared with clear ones by: likeness (PSNR and SSIM of images, "
                               "displacement and correlation of motions), face-points (faces found, landmarks moved)",
                               check_instrument),
                     bootstrap_key()},
            .only = "of media"};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    const Json values = parameters(setting);
    if (values["cost"].empty()) return {};
    const Role role = views.arrangement().has(Role::probe) ? Role::probe : Role::target;
    const Dataset data = views.clear(role, 0);
    if (data.media == nullptr || !data.templates.empty()) {
      throw_usage("measure.cost", "compares media, and " + data.origin + " holds templates", "remove it");
    }
    if (!masks(technique) || !masks_media(protection_declaration(technique), data)) return {};
    const std::string kind = kind_of_media(data);
    std::vector<Asked> cells;
    for (const Json& one : values["cost"]) {
      const std::string instrument = one;
      require_kind(instrument, kind, data.origin);
      Asked asked{cell_key("cost", technique, {}), {{"kind", kind}, {"bootstrap", values["bootstrap"]}}, {}};
      asked.key["instrument"] = instrument;
      asked.views.push_back({role, {technique}, {instrument}});
      if (name_of(instrument) == faces) asked.views.push_back({role, {}, {instrument}});
      cells.push_back(std::move(asked));
    }
    return cells;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    const Judgement made(asked.views[0], views);
    Answer answer = asked.views.size() > 1 ? found_faces(made, Judgement(asked.views[1], views), asked, views)
                    : asked.parameters["kind"] == "image" ? alike_images(made, asked, views)
                                                          : alike_motions(made, asked, views);
    answer.values.update({{"kind", asked.parameters["kind"]},
                          {"samples", made.samples()},
                          {"failures", made.failures()},
                          {"rotations", views.rotations()}});
    return answer;
  }

 private:
  static void check_instrument(const std::string& text) {
    const std::string name = name_of(text);
    if (name != likeness && name != faces) {
      throw_usage("measure.cost", "'" + name + "' does not compare media", suggest(name, {likeness, faces}));
    }
    (void)Parameters(find_entry(extractors(), "extractor", name).declaration, Specification::parse(text));
  }

  /// Of the first medium that can be told; empty: none can.
  static std::string kind_of_media(const Dataset& data) {
    const std::vector<bool> failed = data.failed();
    for (std::size_t row = 0; row < data.size(); ++row) {
      if (failed[row]) continue;
      try {
        return std::string(data.media->kind(row));
      } catch (const Error& error) {
        if (error.fault != Fault::input) throw;
      }
    }
    return {};
  }

  static void require_kind(const std::string& instrument, const std::string& kind, const std::string& origin) {
    if (kind == "image" || kind.empty() || (kind == "motion" && name_of(instrument) == likeness)) return;
    throw_usage("measure.cost", fmt::format("'{}' does not compare media of {} ({})", instrument, origin, kind),
                "remove it");
  }

  static Answer alike_images(const Judgement& made, const Asked& asked, const Views& views) {
    Sampled similarity, ratio;
    std::size_t unchanged = 0;
    made.each([&](std::span<const float> features, std::uint32_t subject, std::size_t, std::size_t) {
      similarity.add(features[1], subject);
      if (features[0] == 0) {
        ++unchanged;  // an infinite ratio has no mean
      } else {
        ratio.add(psnr(features[0]), subject);
      }
    });
    const std::size_t bootstrap = asked.parameters["bootstrap"];
    Answer answer{{{"ssim", similarity.json(bootstrap)}, {"psnr", ratio.json(bootstrap)}, {"unchanged", unchanged}}};
    const auto add = [&](const Sampled& sampled, const char* measure, const char* unit, std::optional<Level> clear) {
      if (sampled.values.empty()) return;
      Finding& finding = answer.findings.emplace_back(finding_of(sampled, made, asked.parameters, views.seed()));
      finding.measure = measure;
      finding.unit = unit;
      finding.clear = clear;
    };
    add(similarity, "SSIM", "", Level{1});
    add(ratio, "PSNR", "dB", std::nullopt);
    return answer;
  }

  static Answer alike_motions(const Judgement& made, const Asked& asked, const Views& views) {
    Sampled moved, followed;
    made.each([&](std::span<const float> features, std::uint32_t subject, std::size_t, std::size_t) {
      moved.add(features[0], subject);
      followed.add(features[1], subject);
    });
    const std::size_t bootstrap = asked.parameters["bootstrap"];
    Answer answer{{{"displacement", moved.json(bootstrap)}, {"correlation", followed.json(bootstrap)}}};
    if (moved.values.empty()) return answer;
    Finding follows = finding_of(followed, made, asked.parameters, views.seed());
    follows.measure = "correlation of trajectories";
    follows.clear = Level{1};
    Finding moves = finding_of(moved, made, asked.parameters, views.seed());
    moves.measure = "displacement of joints";
    moves.worse = Worse::higher;
    moves.clear = Level{0};
    answer.findings = {std::move(follows), std::move(moves)};
    return answer;
  }

  /// What could not be read clear is not looked for; what was lost behind the mask is a face that is not found.
  static Answer found_faces(const Judgement& made, const Judgement& clear, const Asked& asked, const Views& views) {
    Sampled found, found_clear, moved;
    clear.each([&](std::span<const float> features, std::uint32_t subject, std::size_t r, std::size_t row) {
      const bool readable = !made.failed[r][row];
      const auto own = made.features[r].floats().row(row);
      const bool both = readable && own[0] == 1 && features[0] == 1;
      found_clear.add(features[0], subject);
      found.add(readable ? own[0] : 0, subject);
      if (!both) return;
      if (const auto by = displacement(own.subspan(1), features.subspan(1))) moved.add(*by, subject);
    });
    const std::size_t bootstrap = asked.parameters["bootstrap"];
    const auto rate = [&](const Sampled& sampled) {
      return Level{sampled.mean(),
                   bootstrap == 0 ? std::nullopt : std::optional(share_interval(sampled.values, sampled.subjects))};
    };
    const auto json = [](const Level& level) {
      return Json{{"rate", level.value}, {"ci", level.ci ? Json{level.ci->low, level.ci->high} : Json(nullptr)}};
    };
    Answer answer{{{"found", nullptr}, {"found_clear", nullptr}, {"landmarks", moved.json(bootstrap)}}};
    if (found.values.empty()) return answer;
    const Level own = rate(found), before = rate(found_clear);
    answer.values.update({{"found", json(own)}, {"found_clear", json(before)}});
    Finding finding = finding_of(found, clear, asked.parameters, views.seed());
    finding.measure = "faces found";
    finding.unit = "rate";
    finding.ci = own.ci;
    finding.clear = before;
    answer.findings.push_back(std::move(finding));
    if (moved.values.empty()) return answer;
    Finding landmarks = finding_of(moved, clear, asked.parameters, views.seed());
    landmarks.measure = "displacement of landmarks";
    landmarks.worse = Worse::higher;
    landmarks.clear = Level{0};
    answer.findings.push_back(std::move(landmarks));
    return answer;
  }
};

}  // namespace

std::unique_ptr<Question> cost_question() {
  return std::make_unique<CostQuestion>();
}

}  // namespace bauta
