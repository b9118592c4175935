// Fills the page's template. Text that comes from a run passes escape_html or script_safe_json, without exception.
#include "page.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <sodium.h>

#include "assets.hpp"
#include "bauta/core/error.hpp"
#include "chapter.hpp"
#include "text.hpp"

namespace bauta::report {
namespace {

// One pass over the template: a value that contains a placeholder's text stays what it is.
std::string fill(std::string_view text, const std::map<std::string, std::string, std::less<>>& values) {
  std::string out;
  while (true) {
    const std::size_t open = text.find("{{");
    const std::size_t close = text.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) return out.append(text);
    const auto value = values.find(text.substr(open + 2, close - open - 2));
    BAUTA_ASSERT(value != values.end());
    out.append(text.substr(0, open)).append(value->second);
    text.remove_prefix(close + 2);
  }
}

std::string digest_of(std::string_view script) {
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(digest, reinterpret_cast<const unsigned char*>(script.data()), script.size());
  char text[sodium_base64_ENCODED_LEN(sizeof digest, sodium_base64_VARIANT_ORIGINAL)];
  sodium_bin2base64(text, sizeof text, digest, sizeof digest, sodium_base64_VARIANT_ORIGINAL);
  return fmt::format("'sha256-{}'", text);
}

std::string failures_block(const Runs& runs) {
  std::size_t cells = 0;
  std::string items;
  std::size_t failed = 0;
  for (const RunResults& run : runs) {
    cells += run.asked;
    for (const FailedCell& item : run.failed) {
      ++failed;
      items += fmt::format("<li><code>{}</code><br>{}</li>\n",
                           escape_html((runs.size() > 1 ? item.run + ": " : "") + item.key), escape_html(item.error));
    }
  }
  if (failed == 0) return {};
  return fmt::format(
      "<section class=\"alarm\" role=\"alert\">\n<h2>{} of {} cells failed</h2>\n<p>What follows is incomplete.</p>\n"
      "<ul>\n{}</ul>\n</section>\n",
      failed, cells, items);
}

std::string origin_line(const Runs& runs) {
  std::string names;
  std::set<std::string> versions;
  for (const RunResults& run : runs) {
    names += (names.empty() ? "" : ", ") + run.name;
    if (!run.version.empty()) versions.insert(run.version);
  }
  std::string out = (runs.size() > 1 ? "Runs " : "Run ") + names;
  for (const std::string& version : versions) out += " · Bauta " + version;
  return out;
}

std::string title_of(const Runs& runs) {
  for (const RunResults& run : runs) {
    if (!run.title.empty()) return run.title;
  }
  return "What does the protected data still tell?";
}

// Different attributes may shorten to the same file name.
void give_unique_names(std::vector<Section>& sections) {
  std::set<std::string> taken;
  for (Section& section : sections) {
    for (Section::Part& part : section.parts) {
      Figure* figure = std::get_if<Figure>(&part.content);
      if (!figure) continue;
      const std::string base = figure->name;
      for (int copy = 2; !taken.insert(figure->name).second; ++copy) figure->name = fmt::format("{}-{}", base, copy);
    }
  }
}

template <typename Kind>
std::vector<const Kind*> parts_of(const std::vector<Section>& sections) {
  std::vector<const Kind*> out;
  for (const Section& section : sections) {
    for (const Section::Part& part : section.parts) {
      if (const Kind* item = std::get_if<Kind>(&part.content)) out.push_back(item);
    }
  }
  return out;
}

void keep_unread(Runs& runs) {
  for (RunResults& run : runs) {
    for (const Cell& cell : run.cells) {
      (void)cell.values.at("remarks");  // of all questions alike
      const Json unread = cell.values.unread();
      if (!unread.empty()) run.rest.push_back({{"key", cell.key}, {"values", unread}});
    }
  }
}

}  // namespace

std::vector<const Table*> Report::tables() const {
  return parts_of<Table>(sections);
}

std::vector<const Figure*> Report::figures() const {
  return parts_of<Figure>(sections);
}

Report make_report(Runs runs, const std::vector<Definition>& parameters) {
  Report out{std::move(runs), {}, {}};
  const std::vector<Chapter> chapters = all_chapters();
  Shared shared{.runs = out.runs, .parameters = parameters};
  for (const Chapter& chapter : chapters) {
    if (chapter.share) chapter.share(shared);
  }
  for (const RunResults& run : out.runs) {
    out.cards.push_back(card_of(run));
    for (const Chapter& chapter : chapters) {
      if (chapter.tell) chapter.tell(run, out.cards.back());
    }
  }
  for (const Chapter& chapter : chapters) {
    for (Section& section : chapter.write(shared)) {
      if (!section.parts.empty()) out.sections.push_back(std::move(section));
    }
  }
  std::stable_partition(out.sections.begin(), out.sections.end(),
                        [](const Section& section) { return !section.appendix; });
  give_unique_names(out.sections);
  keep_unread(out.runs);
  out.sections.push_back(method_section(out));
  return out;
}

std::string render_page(const Report& report) {
  Json specs = Json::object();
  for (const Figure* figure : report.figures()) specs[figure->name] = figure->spec;

  std::string sources;
  std::string scripts;
  const std::string licence = fmt::format("/*\nVega, Vega-Lite, Vega-Embed:\n{}*/\n", assets::vega_licence());
  for (const std::string& code : {licence + std::string(assets::vega_js()), std::string(assets::vega_lite_js()),
                                  std::string(assets::vega_embed_js()), std::string(assets::page_js())}) {
    const std::string safe = script_safe_code(code);
    sources += " " + digest_of(safe);
    scripts += "<script>" + safe + "</script>\n";
  }
  // Only our own scripts run, whatever a run's text may contain, and no request leaves the page.
  const std::string policy =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
      "script-src" +
      sources;

  std::string links;
  std::string bodies;
  for (const Section& section : report.sections) {
    links += fmt::format("<a href=\"#{}\">{}</a>", section.id, section.link);
    bodies += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"lead\">{}</p>\n{}</section>\n", section.id,
                          section.title, section.lead, section.html());
  }
  std::string cards;
  for (const Card& card : report.cards) cards += card_html(card);
  return fill(assets::page_html(), {{"policy", policy},
                                    {"title", escape_html(title_of(report.runs))},
                                    {"style", std::string(assets::page_css())},
                                    {"origin", escape_html(origin_line(report.runs))},
                                    {"headline", cards},
                                    {"failures", failures_block(report.runs)},
                                    {"links", links},
                                    {"sections", bodies},
                                    {"rest", rest_section(report.runs)},
                                    {"figures", script_safe_json(specs.dump())},
                                    {"scripts", scripts}});
}

}  // namespace bauta::report
