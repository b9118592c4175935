// The chapter about estimators: what somebody who learns from protected samples can read.
#include "estimate.hpp"

#include <fmt/format.h>

#include "text.hpp"

namespace bauta::report {
namespace {

class EstimateChapter : public Chapter {
 public:
  [[nodiscard]] Names questions() const override { return {"estimate"}; }

  void read(const Cell& cell, const RunResults& /*run*/, Shared& shared) override {
    all_.push_back(read_estimation(cell));
    const Estimation& item = all_.back();
    for (const EstimatorResult& result : item.results) {
      add_once(shared.attackers, result.estimator);
      shared.controls.push_back({item.series, cell.question, item.attribute, result.estimator, result.estimator,
                                 item.chance, result.healthy, result.control});
    }
  }

  [[nodiscard]] std::vector<Section> write(const Shared& shared) const override {
    Section out{"estimators", "Estimators", "What do trained estimators read?",
                "Each estimator stands between its floor, where there is nothing to learn, and its ceiling on clear "
                "data; only the distance to the ceiling is the protection's merit."};
    out.definitions = {{"Estimator",
                        "A classifier that an attacker trains on protected samples of people whose attribute is known. "
                        "Ceiling: the same one on clear data. Floor: the same one trained with labels exchanged "
                        "between people."}};
    const SeriesStyle style("estimator", shared.attackers);
    out.add(estimator_figures(all_, style));
    out.add_long(estimator_table(all_), "All estimators in numbers");
    out.add_long(regression_table(all_), "Continuous attributes in numbers");
    out.add_panels(learning_figures(all_, style), "Learning curves, one panel per technique");
    return {out};
  }

  void tell(const RunResults& run, Card& card) const override {
    if (!card.headline || card.headline->strongest.axis("question") != questions().front()) return;
    for (const Estimation& item : all_) {
      if (item.series.run != run.name || item.series.technique != card.headline->technique ||
          item.attribute != card.headline->attribute) {
        continue;
      }
      card.threat_model.push_back(fmt::format(
          "The attacker holds {} samples of {} other people whose {} is known, and trains classifiers on them to read "
          "{} protected samples of {} people. Nothing else about the targets is known.",
          grouped(item.train_samples), grouped(item.train_identities), item.attribute, grouped(item.test_samples),
          grouped(item.test_identities)));
      if (item.tuning_samples) {
        card.threat_model.push_back(fmt::format("Classifiers are tuned on {} samples of {} further people.",
                                                grouped(item.tuning_samples), grouped(item.tuning_identities)));
      }
      return;
    }
  }

 private:
  Estimations all_;
};

}  // namespace

std::unique_ptr<Chapter> estimate_chapter() {
  return std::make_unique<EstimateChapter>();
}

}  // namespace bauta::report
