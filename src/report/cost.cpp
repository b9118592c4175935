// The chapter about what a mask costs the medium: how near it stays to the clear one, and whether a face is still
// found.
#include <cmath>

#include <fmt/format.h>

#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

constexpr const char* question = "cost";
constexpr int quantiles[] = {5, 25, 50, 75, 95};  // in percent

Cells cost_cells(const Runs& runs) {
  return cells_of(runs, {question}, {"rotations", "kind"});
}

Series series_of_cell(const Cell& cell) {
  return cell.series_without({"instrument"});
}

Number quantile(const Json& measure, int percent) {
  for (const Json* one : objects(measure, "quantiles")) {
    if (std::lround(100 * number(*one, "share").value_or(0)) == percent) return number(*one, "value");
  }
  return std::nullopt;
}

/// "0.41 to 0.78": where nine of ten samples lie.
std::string spread(const Json& measure, int decimals) {
  const Number low = quantile(measure, 5), high = quantile(measure, 95);
  return low && high ? fmt::format("{} to {}", decimal(low, decimals), decimal(high, decimals)) : "–";
}

/// Mean and interval, and behind them the quantiles.
void add_measure(Row& row, const std::string& head, const std::string& name, const Json& measure, int decimals) {
  row.decimal(head, name, measured(measure, "mean"), decimals);
  row.show("90 % of them", {spread(measure, decimals)});
  for (const int percent : quantiles) row.field(fmt::format("{}_q{:02}", name, percent), quantile(measure, percent));
}

void add_counts(Row& row, const Cell& cell) {
  row.count("Samples", "samples", number(cell.values, "samples"));
  row.count("Failed", "failures", number(cell.values, "failures"));
}

/// A measure of how near media stayed, as a column.
struct Nearness {
  const char *head, *name;
  int decimals;
};

/// Media of one kind: those that have the first measure.
Table nearness_table(const Cells& cells, Table table, const std::vector<Nearness>& measures, bool images) {
  for (const Cell* cell : cells) {
    if (!field(cell->values, measures.front().name).is_object()) continue;
    Row row(table);
    row.series(series_of_cell(*cell));
    for (const auto& [head, name, decimals] : measures) {
      add_measure(row, head, name, field(cell->values, name), decimals);
    }
    if (images) row.count("Unchanged", "unchanged", number(cell->values, "unchanged"));
    add_counts(row, *cell);
  }
  return table;
}

Table image_table(const Cells& cells) {
  return nearness_table(
      cells,
      {"cost-images", "How near masked images are to clear ones, 95 % intervals in brackets",
       "Means over images, intervals by person. SSIM: 11 x 11 Gaussian windows, each colour by itself. PSNR: of "
       "images that were changed at all."},
      {{"SSIM", "ssim", 3}, {"PSNR (dB)", "psnr", 2}}, true);
}

Table motion_table(const Cells& cells) {
  return nearness_table(
      cells,
      {"cost-motions", "How near masked motions are to clear ones, 95 % intervals in brackets",
       "Displacement: mean distance of a joint from where it was, in units of the data. Correlation: of each "
       "coordinate over time with what it was; one that does not move any more counts as 0."},
      {{"Correlation", "correlation", 3}, {"Displacement", "displacement", 4}}, false);
}

Table face_table(const Cells& cells) {
  Table table{"cost-faces", "Where faces are still found, 95 % intervals in brackets",
              "Found by dlib's detector of frontal faces. Landmarks: mean distance of 68 of them from where they were, "
              "in shares of the distance of the eyes, where a face is found in both images."};
  for (const Cell* cell : cells) {
    const Json& found = field(cell->values, "found");
    const Json& clear = field(cell->values, "found_clear");
    const Json& landmarks = field(cell->values, "landmarks");
    if (!found.is_object()) continue;
    Row row(table);
    row.series(series_of_cell(*cell)).rate("Faces found", "found", measured(found, "rate"));
    row.rate("In clear images", "found_clear", measured(clear, "rate"));
    add_measure(row, "Landmarks moved by", "landmarks", landmarks, 3);
    row.count("Found in both", "landmark_samples", number(landmarks, "samples"));
    add_counts(row, *cell);
  }
  return table;
}

/// Where the middle of a measure lies, and nine of ten samples.
Json range_row(const Series& series, const Json& measure) {
  Json row = {{"technique", series.label}};
  put(row, "mean", measured(measure, "mean"));
  for (const int percent : quantiles) {
    if (const Number value = quantile(measure, percent)) row[fmt::format("q{:02}", percent)] = rounded(*value);
  }
  return row;
}

Json range_layers(const Names& techniques, const std::string& title) {
  const Json y = technique_axis(techniques);
  const auto x = [&](const char* name) {
    return Json{{"field", name}, {"type", "quantitative"}, {"title", title}, {"scale", {{"zero", true}}}};
  };
  const Json tooltip = tooltip_of({{"technique"},
                                   {"mean", "mean", ".3f", true},
                                   {"q05", "5 % below", ".3f"},
                                   {"q50", "median", ".3f"},
                                   {"q95", "5 % above", ".3f"}});
  const auto rule = [&](const char* low, const char* high, double width) {
    return Json{{"mark", {{"type", "rule"}, {"strokeWidth", width}, {"opacity", 0.55}, {"color", "#0072B2"}}},
                {"encoding", {{"x", x(low)}, {"x2", {{"field", high}}}, {"y", y}}}};
  };
  return Json::array({rule("q05", "q95", 1.5),
                      rule("q25", "q75", 7),
                      {{"mark", {{"type", "point"}, {"filled", true}, {"size", 55}, {"color", "#0072B2"}}},
                       {"encoding", {{"x", x("mean")}, {"y", y}, {"tooltip", tooltip}}}}});
}

Figure range_figure(const Cells& cells, const char* measure, const std::string& title, const std::string& caption) {
  Json rows = Json::array();
  Names techniques;
  for (const Cell* cell : cells) {
    const Json& value = field(cell->values, measure);
    if (!value.is_object()) continue;
    const Series series = series_of_cell(*cell);
    rows.push_back(range_row(series, value));
    add_once(techniques, series.label);
  }
  Figure out{std::string("cost-") + measure, title + " by technique",
             fmt::format("{} of masked media with clear ones, for {} techniques.", title, techniques.size()),
             caption + " Point: mean. Thick: half of the samples; thin: nine of ten."};
  if (rows.empty()) return out;
  out.spec = base_spec(title, std::move(rows));
  out.spec["width"] = 560;
  out.spec["height"] = {{"step", 26}};
  out.spec["layer"] = range_layers(techniques, title);
  return out;
}

std::vector<Section> write(const Shared& shared) {
  Section out{"cost", "Cost", "What does the mask cost the medium?",
              "A mask that leaves media nearly as they were is kind to whoever uses them, and seldom hides anybody."};
  const Cells cells = cost_cells(shared.runs);
  out.definitions = {{"PSNR", "Peak signal-to-noise ratio: 20 dB are errors of a tenth of the range."},
                     {"SSIM",
                      "Structural similarity (Wang et al. 2004): 1 for equal images, near 0 where nothing of "
                      "their structure is left."}};
  out.add({range_figure(cells, "ssim", "Structural similarity (SSIM)", "Further right is nearer to the clear image."),
           range_figure(cells, "correlation", "Correlation of trajectories", "Further right is nearer to the walk.")});
  out.add(image_table(cells));
  out.add(motion_table(cells));
  out.add(face_table(cells));
  return {out};
}

void tell(const RunResults& run, Card& card) {
  Names out;
  for (const Cell* cell : cells_of(run, {question})) {
    if (!card.headline || cell->series.technique != card.headline->technique ||
        series_of_cell(*cell).variant != card.headline->series.variant) {
      continue;
    }
    const Values& values = cell->values;
    const auto add = [&](const char* name, const char* text, const char* unit, int decimals) {
      const Number mean = number(field(values, name), "mean");
      if (mean) out.push_back(fmt::format("{} {}{}", text, decimal(mean, decimals), unit));
    };
    add("ssim", "SSIM", "", 3);
    add("psnr", "PSNR", " dB", 1);
    add("correlation", "correlation of trajectories", "", 3);
    const Number found = number(field(values, "found"), "rate"), clear = number(field(values, "found_clear"), "rate");
    if (found) out.push_back(fmt::format("faces found in {} instead of {}", percent(found), percent(clear)));
  }
  if (!out.empty()) card.facts.push_back({"What it costs the medium", capital(joined(out, "; "))});
}

}  // namespace

Chapter cost_chapter() {
  return {.write = write, .tell = tell};
}

}  // namespace bauta::report
