// Puts a report together and on disk.
#include "bauta/report/report.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

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

/// In every page of ours.
constexpr const char* signature = "<p>Written by Bauta.";
/// In a folder of figures or tables: the name of the page that they belong to.
constexpr const char* owner_file = ".page";

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Pages are written again and again, but never over something else.
void require_own_page(const std::filesystem::path& page) {
  if (!std::filesystem::exists(page) || content_of(page).find(signature) != std::string::npos) return;
  throw_usage("--out " + page.string(), "exists already, and is no page of Bauta's", "choose another name");
}

/// A folder beside the page may hold nothing of anybody else: neither of another page nor of no page at all.
void require_own_folder(const std::filesystem::path& folder, const std::filesystem::path& page) {
  if (!std::filesystem::exists(folder) || std::filesystem::is_empty(folder)) return;
  const std::string owner = content_of(folder / owner_file);
  const bool others = owner.empty() ? !std::filesystem::exists(page)
                                    : owner != page.filename() && std::filesystem::exists(folder.parent_path() / owner);
  if (others) {
    throw_usage("--out " + page.string(),
                fmt::format("{} beside it belongs to {}", folder.filename().string(),
                            owner.empty() ? "something else" : "the page " + owner),
                "give the page a folder of its own");
  }
}

std::filesystem::path own_folder(const std::filesystem::path& folder, const std::filesystem::path& page) {
  write_file(made_folder(folder) / owner_file, page.filename().string());
  return folder;
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
  const std::filesystem::path base = page.has_parent_path() ? page.parent_path() : std::filesystem::path(".");
  require_own_page(page);
  for (const char* beside : {"figures", "tables"}) require_own_folder(base / beside, page);
  const report::Report made = report::make_report(report::read_runs(report::with_variants(runs)), options.parameters);

  const std::filesystem::path figures = own_folder(base / "figures", page);
  const std::filesystem::path tables = own_folder(base / "tables", page);
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
