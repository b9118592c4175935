// Score densities per technique; non-mated scores split by attribute also carry box plots below the densities.
#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "text.hpp"
#include "verification.hpp"

namespace bauta::report {
namespace {

// Rows of the box plots, in units of the highest density.
constexpr double box_row[] = {-0.16, -0.36};

/// Counts of two kinds of pairs between edges of scores: mated and non-mated, or same and different attribute.
struct Histogram {
  std::vector<double> edges, first, second;

  /// Without bins where the parts do not fit together.
  Histogram(const Json& object, const char* first_name, const char* second_name)
      : edges(numbers(object, "edges")), first(numbers(object, first_name)), second(numbers(object, second_name)) {
    const bool usable = edges.size() >= 2 && first.size() + 1 == edges.size() && second.size() == first.size() &&
                        std::is_sorted(edges.begin(), edges.end(), std::less_equal<>());
    if (!usable) edges.clear();
  }
};

std::vector<double> densities(const std::vector<double>& edges, const std::vector<double>& counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::vector<double> out(counts.size(), 0.0);
  if (total <= 0) return out;
  for (std::size_t i = 0; i < counts.size(); ++i) out[i] = counts[i] / (total * (edges[i + 1] - edges[i]));
  return out;
}

// Stairs: each row holds from its score to the next row's. Both kinds are divided by one peak, so that they stay
// comparable.
void add_stairs(Json& rows, const Histogram& histogram, const std::string& label, const char* first,
                const char* second) {
  if (histogram.edges.empty()) return;
  const std::vector<double> parts[] = {densities(histogram.edges, histogram.first),
                                       densities(histogram.edges, histogram.second)};
  double peak = 0;
  for (const auto& part : parts) peak = std::max(peak, *std::max_element(part.begin(), part.end()));
  if (peak <= 0) return;
  for (int kind = 0; kind < 2; ++kind) {
    const auto add = [&](double score, double density) {
      rows.push_back({{"technique", label},
                      {"kind", kind == 0 ? first : second},
                      {"score", rounded(score)},
                      {"density", rounded(density / peak)}});
    };
    for (std::size_t i = 0; i < parts[kind].size(); ++i) add(histogram.edges[i], parts[kind][i]);
    add(histogram.edges.back(), parts[kind].back());
  }
}

void add_box(Json& rows, const std::vector<double>& quantiles, const std::string& label, const char* kind, double row) {
  if (quantiles.size() != 5) return;
  rows.push_back({{"technique", label},
                  {"kind", kind},
                  {"q025", rounded(quantiles[0])},
                  {"q25", rounded(quantiles[1])},
                  {"median", rounded(quantiles[2])},
                  {"q75", rounded(quantiles[3])},
                  {"q975", rounded(quantiles[4])},
                  {"row", row}});
}

// How the two kinds of pairs differ: by colour and by line pattern.
struct KindStyle {
  Json color, dash;
};

KindStyle kind_style(const std::string& first, const std::string& second, const Json& colors) {
  const auto channel = [&](const Json& range) {
    return Json{{"field", "kind"},
                {"type", "nominal"},
                {"title", nullptr},
                {"scale", {{"domain", {first, second}}, {"range", range}}},
                {"legend", {{"orient", "bottom"}, {"symbolType", "stroke"}, {"symbolSize", 500}}}};
  };
  return {channel(colors), channel({{1, 0}, {5, 3}})};
}

Json density_layers(const KindStyle& style) {
  Json layers = Json::parse(R"([
    {"mark": {"type": "area", "interpolate": "step-after", "fillOpacity": 0.22}},
    {"mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 1.6}}])");
  for (Json& layer : layers) {
    layer["transform"] = {{{"filter", "isValid(datum.density)"}}};
    layer["encoding"] = Json::parse(R"({"x": {"field": "score", "type": "quantitative"},
      "y": {"field": "density", "type": "quantitative", "stack": null},
      "tooltip": [{"field": "technique"}, {"field": "kind", "title": "pairs"}]})");
  }
  layers[0]["encoding"]["fill"] = style.color;
  layers[1]["encoding"].update({{"color", style.color}, {"strokeDash", style.dash}});
  return layers;
}

Json box_layers(const KindStyle& style) {
  Json layers = Json::parse(R"([
    {"mark": {"type": "rule", "strokeWidth": 2},
     "encoding": {"x": {"field": "q025", "type": "quantitative"}, "x2": {"field": "q975"}}},
    {"mark": {"type": "bar", "height": 11},
     "encoding": {"x": {"field": "q25", "type": "quantitative"}, "x2": {"field": "q75"}}},
    {"mark": {"type": "tick", "color": "white", "thickness": 2, "size": 11, "orient": "vertical"},
     "encoding": {"x": {"field": "median", "type": "quantitative"}}}])");
  const Json tooltip = tooltip_of({{"technique"},
                                   {"kind", "pairs"},
                                   {"q025", "2.5 %", ".4~g"},
                                   {"q25", "25 %", ".4~g"},
                                   {"median", "median", ".4~g"},
                                   {"q75", "75 %", ".4~g"},
                                   {"q975", "97.5 %", ".4~g"}});
  for (Json& layer : layers) {
    layer["transform"] = {{{"filter", "isValid(datum.median)"}}};
    layer["encoding"].update({{"y", {{"field", "row"}, {"type", "quantitative"}}}, {"tooltip", tooltip}});
  }
  layers[0]["encoding"].update({{"color", style.color}, {"strokeDash", style.dash}});
  layers[1]["encoding"]["fill"] = style.color;
  return layers;
}

// One small panel per technique. Scores of different comparators have no common scale, so each panel has its own.
Json panels(const std::string& title, Json rows, const Names& labels, Json layer, bool boxes) {
  Json spec = base_spec(title, std::move(rows));
  for (Json& part : layer) {
    Json& encoding = part["encoding"];
    encoding["x"]["title"] = "Comparison score";
    encoding["x"]["scale"] = {{"zero", false}};
    encoding["y"]["title"] = "Density (peak = 1)";
    encoding["y"]["scale"] = {{"domain", {boxes ? -0.48 : 0.0, 1.05}}, {"nice", false}};
    encoding["y"]["axis"] = {{"values", {0, 0.5, 1}}};
  }
  in_small_panels(spec, labels, std::move(layer));
  if (!boxes) spec["spec"]["height"] = 150;
  // The space holds axis and name.
  spec["spacing"] = {{"row", 78}, {"column", 24}};
  spec["resolve"] = {{"scale", {{"x", "independent"}}}};
  return spec;
}

Figure mated_figure(const std::string& data, const Cells& cells) {
  Json rows = Json::array();
  Names labels;
  for (const Cell* cell : cells) {
    const std::size_t before = rows.size();
    add_stairs(rows, {field(cell->values, "histogram"), "mated", "non_mated"}, cell->series.label, "mated",
               "non-mated");
    if (rows.size() > before) labels.push_back(cell->series.label);
  }
  const Json layer = density_layers(kind_style("mated", "non-mated", {"#0072B2", "#D55E00"}));
  const bool any = !rows.empty();
  return {
      "scores-" + slug(data), fmt::format("Scores, {} data", data),
      fmt::format("Score densities of mated and non-mated pairs on {} data, one panel per technique.", data),
      "Mated pairs are two samples of one person, non-mated pairs of two people. The less the two overlap, the better "
      "the technique still recognises. Each comparator has its own score scale.",
      any ? panels(fmt::format("Mated and non-mated scores ({} data)", data), rows, labels, layer, false) : Json()};
}

Figure attribute_figure(const std::string& data, const std::string& attribute, const Cells& cells) {
  Json rows = Json::array();
  Names labels;
  const std::string same = "same " + attribute;
  const std::string different = "different " + attribute;
  for (const Cell* cell : cells) {
    for (const Json* scores : objects(cell->values, "attribute_scores")) {
      if (text(*scores, "attribute") != attribute) continue;
      const std::size_t before = rows.size();
      const std::string& label = cell->series.label;
      add_stairs(rows, {*scores, "same", "different"}, label, same.c_str(), different.c_str());
      add_box(rows, numbers(*scores, "same_quantiles"), label, same.c_str(), box_row[0]);
      add_box(rows, numbers(*scores, "different_quantiles"), label, different.c_str(), box_row[1]);
      if (rows.size() > before) labels.push_back(label);
    }
  }
  const KindStyle style = kind_style(same, different, {"#009E73", "#CC79A7"});
  Json layer = density_layers(style);
  for (const Json& part : box_layers(style)) layer.push_back(part);
  const bool any = !rows.empty();
  return {
      fmt::format("attribute-scores-{}-{}", slug(attribute), slug(data)),
      fmt::format("Non-mated scores by {}, {} data", attribute, data),
      fmt::format(
          "Non-mated score densities and box plots on {} data for pairs of the same and of a different {}, one panel "
          "per technique.",
          data, attribute),
      "Pairs of different people only. If pairs of the same attribute score higher, comparison itself betrays the "
      "attribute. Upper box: same; lower box: different. Boxes hold the middle half, lines the middle 95 %.",
      any ? panels(fmt::format("Non-mated scores by {} ({} data)", attribute, data), rows, labels, layer, true)
          : Json()};
}

}  // namespace

std::vector<Figure> score_figures(const Cells& cells) {
  std::vector<Figure> out;
  for (const std::string& data : data_sets(cells)) {
    const Cells items = cells_on(data, cells);
    const std::size_t first = out.size();
    out.push_back(mated_figure(data, items));
    std::set<std::string> attributes;
    for (const Cell* cell : items) {
      for (const Json* scores : objects(cell->values, "attribute_scores"))
        attributes.insert(text(*scores, "attribute"));
    }
    attributes.erase("");
    for (const std::string& attribute : attributes) out.push_back(attribute_figure(data, attribute, items));
    if (data == data_sets(cells).front()) continue;
    for (std::size_t i = first; i < out.size(); ++i) out[i].secondary = true;
  }
  return out;
}

}  // namespace bauta::report
