// Puts a report together and on disk.
#include "bauta/report/report.hpp"

#include <system_error>

#include "bauta/core/error.hpp"
#include "bauta/core/output.hpp"
#include "page.hpp"
#include "svg.hpp"

namespace bauta {
namespace {

std::filesystem::path made_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw_environment(path.string(), "cannot be made: " + error.message(), "choose another place with --out");
  return path;
}

}  // namespace

std::filesystem::path write_report(const std::vector<std::filesystem::path>& runs, const ReportOptions& options) {
  if (runs.empty()) throw_usage("RUN", "no run is given", "name the folder that 'bauta evaluate' wrote");
  const std::filesystem::path page = options.out.empty() ? runs.front() / "report.html" : options.out;
  if (std::filesystem::is_directory(page)) {
    throw_usage("--out " + page.string(), "is a folder, expected a file", "add a file name, for example report.html");
  }
  if (page.extension() != ".html") {
    throw_usage("--out " + page.string(), "is no name of a page", "end it with .html, for example report.html");
  }
  const report::Report made = report::make_report(report::read_runs(report::with_variants(runs)));

  const std::filesystem::path base = page.has_parent_path() ? page.parent_path() : std::filesystem::path(".");
  const std::filesystem::path figures = made_folder(base / "figures");
  const std::filesystem::path tables = made_folder(base / "tables");
  const std::vector<const report::Figure*> drawn = made.figures();
  for (const report::Figure* figure : drawn) {
    write_file(figures / (figure->name + ".vl.json"), figure->spec.dump(1) + "\n");
  }
  for (const auto& [name, svg] : report::render_svg(drawn)) write_file(figures / (name + ".svg"), svg);
  for (const report::Table* table : made.tables()) {
    if (!table->has_file()) continue;
    write_file(tables / (table->name + ".csv"), to_csv(*table));
    write_file(tables / (table->name + ".json"), to_json(*table));
    write_file(tables / (table->name + ".tex"), to_tex(*table));
  }
  // The page comes last: where it stands, everything that it points to stands too.
  write_file(page, report::render_page(made));
  return page;
}

}  // namespace bauta
