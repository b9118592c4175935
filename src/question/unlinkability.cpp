#include "bauta/question/unlinkability.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "bauta/core/digest.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/measure/unlinkability.hpp"
#include "bauta/question/comparing.hpp"
#include "bauta/question/protecting.hpp"
#include "bauta/question/verification.hpp"
#include "cells.hpp"
#include "score_sources.hpp"

namespace bauta {

namespace {

/// Linkability if every person's templates under the second key belonged to somebody else.
class ExchangedPeople {
 public:
  /// `edges`: a bin begins at each.
  ExchangedPeople(const CrossSource& source, std::span<const double> edges, std::size_t permutations,
                  std::uint64_t seed)
      : source_(source),
        edges_(edges.begin(), edges.end()),
        taken_(source.compared_share()),
        permutations_(permutations),
        seed_(seed),
        partners_(source.subjects()) {
    // Only among those whose templates are linked at all, so that as many comparisons move together as in truth.
    const std::vector<std::uint32_t> shared = source.mated_subjects();
    for (std::size_t p = 0; p < permutations; ++p) {
      const auto order = Stream(seed, "exchanged people", p).permutation(shared.size());
      for (std::size_t i = 0; i < shared.size(); ++i) {
        if (order[i] != i) partners_[shared[i]].push_back({shared[order[i]], static_cast<std::uint32_t>(p)});
      }
    }
    for (auto& list : partners_) std::sort(list.begin(), list.end());
  }

  /// One level per permutation.
  [[nodiscard]] std::vector<double> levels(LinkabilityMeasure measure) const {
    const std::size_t bins = edges_.size() + 1;
    std::vector<Worker> workers(static_cast<std::size_t>(threads()));
    for (Worker& worker : workers) {
      worker.all.assign(bins, 0);
      worker.mated.assign(permutations_ * bins, 0);
      worker.first_of.assign(partners_.size(), nobody);
    }
    source_.scan([&](const ScoreBatch<float>& batch, int number) {
      Worker& worker = workers[static_cast<std::size_t>(number)];
      for (std::size_t i = 0; i < batch.scores.size(); ++i) {
        const std::uint32_t probe = batch.probe_subjects[i];
        const std::uint32_t reference = batch.reference_subjects[i];
        if (probe == reference) continue;
        worker.turn_to(probe, partners_);
        const auto bin = static_cast<std::size_t>(
            std::upper_bound(edges_.begin(), edges_.end(), double{batch.scores[i]}) - edges_.begin());
        worker.all[bin] += 1;
        const auto& list = partners_[probe];
        std::size_t k = worker.first_of[reference];
        if (k >= list.size() || !takes(probe, reference, batch.scores[i])) continue;
        for (; k < list.size() && list[k].first == reference; ++k) worker.mated[list[k].second * bins + bin] += 1;
      }
    });
    std::vector<double> result;
    for (std::size_t p = 0; p < permutations_; ++p) {
      std::vector<double> mated(bins, 0), non_mated(bins, 0);
      for (const Worker& worker : workers) {
        for (std::size_t b = 0; b < bins; ++b) {
          mated[b] += worker.mated[p * bins + b];
          non_mated[b] += worker.all[b] - worker.mated[p * bins + b];
        }
      }
      if (std::accumulate(mated.begin(), mated.end(), 0.0) > 0) result.push_back(measure(mated, non_mated));
    }
    return result;
  }

 private:
  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
  using Partners = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // (whom, in which permutation), sorted

  struct Worker {
    std::vector<double> all;
    std::vector<double> mated;
    std::vector<std::size_t> first_of;  // place of each reference among the partners of `current`
    std::uint32_t current = std::numeric_limits<std::uint32_t>::max();

    void turn_to(std::uint32_t probe, const std::vector<Partners>& partners) {
      if (probe == current) return;
      if (current < partners.size()) {
        for (const auto& [whom, p] : partners[current]) first_of[whom] = nobody;
      }
      current = probe;
      for (std::size_t k = partners[probe].size(); k-- > 0;) first_of[partners[probe][k].first] = k;
    }
  };

  /// As no sample is compared with itself, people have fewer comparisons with themselves than with others: as many are
  /// left out here, the same ones for any order of the scan.
  [[nodiscard]] bool takes(std::uint32_t probe, std::uint32_t reference, float score) const {
    if (taken_ >= 1) return true;
    const std::uint64_t pair = (std::uint64_t{probe} << 32) | reference;
    return Stream(seed_ ^ pair, "exchanged comparisons", std::bit_cast<std::uint32_t>(score)).uniform() < taken_;
  }

  const CrossSource& source_;
  std::vector<double> edges_;
  double taken_;  // share of the comparisons
  std::size_t permutations_;
  std::uint64_t seed_;
  std::vector<Partners> partners_;
};

/// Replaces the null levels of a measure by those of exchanged people.
void put_null(Json& json, const std::string& name, std::vector<double> levels) {
  if (levels.empty()) return;
  std::sort(levels.begin(), levels.end());
  json[name + "_null"] = std::accumulate(levels.begin(), levels.end(), 0.0) / static_cast<double>(levels.size());
  json[name + "_null_high"] = quantile(levels, 0.95);
}

/// At most `most` samples of every subject.
std::vector<std::size_t> limited(const Dataset& dataset, std::size_t most, std::uint64_t seed) {
  const auto& subjects = dataset.labels.column(dataset.identity_column);
  std::map<std::string, std::size_t> count;
  std::vector<std::size_t> rows;
  for (const std::size_t row : Stream(seed, "unlinkability samples").permutation(dataset.size())) {
    if (count[subjects[row]]++ < most) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Samples under two keys.
struct BothKeys {
  Dataset a, b;
  CrossSource::Samples samples;  ///< same: row by row
  std::vector<std::string> remarks = {};
};

BothKeys under_both_keys(const Dataset& a, const Dataset& b, const UnlinkabilityRun& run) {
  const std::vector<std::size_t> chosen = limited(a, run.samples, run.options.seed);
  std::vector<std::size_t> same;
  if (run.same == SameSamples::by_name) same = rows_of_same_samples(a, b);
  if (run.same == SameSamples::by_row) {
    same.resize(b.size());
    std::iota(same.begin(), same.end(), std::size_t{0});
  }
  std::vector<std::string> remarks;
  if (const std::string unnamed = unnamed_samples(a, b); run.same == SameSamples::by_name && !unnamed.empty()) {
    remarks.push_back(same.empty() ? unnamed
                                   : fmt::format("{} and {} do not name their samples (columns 'id' or 'file'): they "
                                                 "are taken for the same ones, because their people stand in the same "
                                                 "order; --other-samples says that they are others",
                                                 a.origin, b.origin));
  }
  if (same.empty()) {
    return {a.select(chosen), b.select(limited(b, run.samples, run.options.seed)), CrossSource::Samples::others,
            std::move(remarks)};
  }
  remarks.insert(remarks.begin(), "a sample is not compared with itself under the other key");
  std::vector<std::size_t> rows;
  for (const std::size_t row : chosen) rows.push_back(same[row]);
  return {a.select(chosen), b.select(rows), CrossSource::Samples::same, std::move(remarks)};
}

}  // namespace

Answer run_unlinkability(const Dataset& a, const Dataset& b, const UnlinkabilityRun& run) {
  const std::string both = a.origin + " and " + b.origin;
  if (!difference_in_kind(a.templates, b.templates).empty()) {
    throw_input(both, "hold templates of different kinds or lengths", "protect the same data with two keys");
  }
  Hash hash_a;
  Hash hash_b;
  hash_a.add(a.templates);
  hash_b.add(b.templates);
  if (hash_a.hex() == hash_b.hex()) {
    throw_input(both, "hold the same templates, so under one key",
                "protect with application=0 and application=1, or with two key files");
  }
  const ComparatorChoice choice = choose_comparator(a, run.comparator);
  const auto comparator = make_comparator(choice.specification);
  const BothKeys samples = under_both_keys(a, b, run);
  const CrossSource source(samples.a, samples.b, *comparator, samples.samples);
  VerificationResult result;
  try {
    result = measure_verification(source, run.options);
  } catch (const Error& error) {
    throw Error(error.fault, both, error.finding, error.hint);
  }
  Json json = {
      {"identities", source.subjects()}, {"failures", source.failures()}, {"comparator", choice.specification}};
  add_measures(json, result);
  if (run.options.permutations > 0 && result.d_sys_known && !result.d_sys_edges.empty()) {
    const auto null_of = [&](LinkabilityMeasure measure, std::span<const double> edges) {
      return ExchangedPeople(source, edges, run.options.permutations, run.options.seed).levels(measure);
    };
    put_null(json, "d_sys", null_of(d_sys, result.d_sys_edges));
    put_null(json, "maximal_linkability", null_of(maximal_linkability, result.maximal_linkability_edges));
  }
  json["remarks"] = choice.remarks;
  const auto technique_of = [](const Dataset& data) {
    return data.provenance ? Specification::parse(data.provenance->technique).name : std::string();
  };
  if (technique_of(a) != technique_of(b)) {
    json["remarks"].push_back(
        fmt::format("the two are protected with different techniques ('{}', '{}'): this is not what "
                    "two keys of one leave linkable",
                    technique_of(a), technique_of(b)));
  }
  for (const auto& remark : samples.remarks) json["remarks"].push_back(remark);
  for (const auto& remark : result.remarks) json["remarks"].push_back(remark);
  if (!result.d_sys_known) return {std::move(json), {}};
  Finding finding;
  finding.about = About::link;
  finding.attacker = choice.specification;
  finding.measure = "D_sys";
  finding.value = result.d_sys;  // biased upwards, and in draws of people again: they give no interval of it
  finding.chance = json["d_sys_null"].get<double>();
  finding.floor = Level{*finding.chance, Interval{0, json["d_sys_null_high"].get<double>()}};
  finding.counts = {{"mated", result.mated}, {"non_mated", result.non_mated}, {"identities", source.subjects()}};
  return {std::move(json), {std::move(finding)}};
}

namespace {

class UnlinkabilityQuestion : public Question {
 public:
  [[nodiscard]] QuestionDeclaration declaration() const override {
    return {.name = "unlinkability",
            .paper = "ISO/IEC 30136, Gomez-Barrero et al. 2018",
            .doc = "can templates of one person under the keys of two applications be linked?",
            .keys = {switch_key("measure", "unlinkability", false, "whether keyed protections are linked across keys"),
                     fmr_key(), bootstrap_key()},
            .only = "of techniques that have keys, as different applications do"};
  }

  [[nodiscard]] std::vector<Asked> ask(const Setting& setting, const Views& views,
                                       const std::string& technique) const override {
    Json values = parameters(setting);
    if (values["unlinkability"] == false || !protection_declaration(technique).keyed) return {};
    if (!somebody_has_two_samples(views.clear(Role::whole, 0))) {
      throw_usage("measure.unlinkability", "nobody has two samples that could be linked", "remove it");
    }
    // The regimes of one technique share this cell.
    for (const auto& earlier : setting.techniques) {
      if (earlier == technique) break;
      if (protection_declaration(earlier).keyed && under_application(earlier, 0) == under_application(technique, 0))
        return {};
    }
    std::vector<Asked> cells;
    for (const std::string& seen : representations_of(setting)) {
      Json key = cell_key("unlinkability", technique, seen);
      key["data"] = "target";
      cells.push_back({std::move(key),
                       values,
                       {{Role::whole, {under_application(technique, 0)}, {seen}},
                        {Role::whole, {under_application(technique, 1)}, {seen}}}});
    }
    return cells;
  }

  [[nodiscard]] Answer answer(const Asked& asked, Views& views) const override {
    UnlinkabilityRun run;
    run.options.fmr = asked.parameters["fmr"].get<std::vector<double>>();
    run.options.bootstrap = asked.parameters["bootstrap"];
    run.options.seed = views.seed();
    run.options.memory = views.memory();
    run.same = SameSamples::by_row;
    const Dataset first = views.view(asked.views[0], 0);
    return run_unlinkability(first, views.view(asked.views[1], 0), run);
  }
};

}  // namespace

std::unique_ptr<Question> unlinkability_question() {
  return std::make_unique<UnlinkabilityQuestion>();
}

}  // namespace bauta
