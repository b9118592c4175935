// A section of the page: tables, figures and text in the order in which they are read.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bauta/report/report.hpp"
#include "figure.hpp"
#include "table.hpp"

namespace bauta::report {

struct Section {
  struct Part {
    std::variant<std::string, Table, Figure> content;  ///< text is HTML
    std::string fold = {};  ///< folded away under this name; neighbours of one name share the fold
    bool beside = false;    ///< figures: side by side with their neighbours
  };

  std::string id, link, title;
  std::string lead;                          ///< one sentence: how to read it
  bool appendix = false;                     ///< explains rather than answers: comes after all that answer
  std::vector<Definition> definitions = {};  ///< of the words that it uses
  std::vector<Part> parts = {};

  /// Tables without rows and figures without anything to draw are left out.
  void add(Table table, const std::string& fold = {});
  /// Folded away under this name where it is long.
  void add_long(Table table, const std::string& fold, std::size_t short_rows = 30);
  /// Secondary figures are folded away, behind the others.
  void add(std::vector<Figure> figures, const std::string& secondary_fold = "The same for the other data",
           bool beside = false);
  /// Folded away under this name where a figure has many panels.
  void add_panels(std::vector<Figure> figures, const std::string& fold);
  void add_html(std::string html, const std::string& fold = {});

  [[nodiscard]] std::string html() const;
};

/// A name and its value for a list of facts; nothing where the value is empty.
std::string fact(std::string_view name, const std::string& value, const char* width = "narrow");

}  // namespace bauta::report
