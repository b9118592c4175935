// Verification as results.json has it.
#include <algorithm>

#include "verification.hpp"

namespace bauta::report {
namespace {

Histogram histogram(const Json& object, const char* first, const char* second) {
  Histogram out{numbers(object, "edges"), numbers(object, first), numbers(object, second)};
  const bool usable = out.edges.size() >= 2 && out.first.size() + 1 == out.edges.size() &&
                      out.second.size() == out.first.size() &&
                      std::is_sorted(out.edges.begin(), out.edges.end(), std::less_equal<>());
  return usable ? out : Histogram{};
}

std::vector<double> five(std::vector<double> quantiles) {
  return quantiles.size() == 5 ? quantiles : std::vector<double>();
}

}  // namespace

Verification read_verification(const Cell& cell) {
  const Values& values = cell.values;
  Verification out;
  out.series = cell.series;
  out.comparator = text(values, "comparator");
  for (const auto& [name, place] : {std::pair{"samples", &out.samples},
                                    {"identities", &out.identities},
                                    {"mated", &out.mated},
                                    {"non_mated", &out.non_mated},
                                    {"failures", &out.failures},
                                    {"rocch_eer", &out.rocch_eer},
                                    {"d_sys", &out.d_sys},
                                    {"d_sys_null", &out.d_sys_null},
                                    {"cllr", &out.cllr},
                                    {"min_cllr", &out.min_cllr}}) {
    *place = number(values, name);
  }
  out.eer = {number(values, "eer"), interval(values, "eer_ci")};
  out.auc = {number(values, "auc"), interval(values, "auc_ci")};
  out.d_prime = {number(values, "d_prime"), interval(values, "d_prime_ci")};
  for (const Json& point : field(values, "fnmr_at_fmr")) {
    out.operating_points.push_back({number(point, "fmr"),
                                    number(point, "threshold"),
                                    {number(point, "fnmr"), interval(point)},
                                    flag_of(field(point, "resolvable")).value_or(true)});
  }
  const Json& zebra = field(values, "zebra");
  out.zebra_bits = number(zebra, "expected_bits");
  out.zebra_worst = number(zebra, "worst_case_log10");
  out.zebra_tag = text(zebra, "tag");
  for (const Json& point : field(values, "det")) {
    const Number fmr = number(point, "fmr");
    const Number fnmr = number(point, "fnmr");
    if (fmr && fnmr) out.curve.push_back({number(point, "threshold"), *fmr, *fnmr});
  }
  out.scores = histogram(field(values, "histogram"), "mated", "non_mated");
  for (const Json& item : field(values, "attribute_scores")) {
    AttributeScores scores{text(item, "attribute"), histogram(item, "same", "different"),
                           five(numbers(item, "same_quantiles")), five(numbers(item, "different_quantiles"))};
    if (!scores.attribute.empty()) out.attribute_scores.push_back(std::move(scores));
  }
  return out;
}

Names data_sets(const Verifications& all) {
  Names out;
  for (const Verification& item : all) add_once(out, item.series.data);
  return out;
}

std::vector<const Verification*> verifications_on(const std::string& data, const Verifications& all) {
  std::vector<const Verification*> out;
  for (const Verification& item : all) {
    if (item.series.data == data) out.push_back(&item);
  }
  return out;
}

}  // namespace bauta::report
