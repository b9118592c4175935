// The page's sections as HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bauta/report/page.hpp"

namespace bauta::report {

struct Section {
  std::string id, link, title;
  std::string lead;  ///< one sentence: how to read it
  std::string body;  ///< HTML
};

/// The section about anonymised records; without a body where there are none.
Section anonymity_section(const Report& report);
/// What a release's maker states beside the numbers; without a body where nothing was released.
Section release_section(const std::vector<RunResults>& runs);
/// Everything between the headline and the method, in the order of the page; what a run does not have is left out.
std::vector<Section> result_sections(const Report& report);
/// Runs, remarks, counts and definitions.
std::string data_section(const std::vector<RunResults>& runs);
/// What the run recorded and the page does not know, folded away; empty where there is nothing.
std::string rest_section(const std::vector<RunResults>& runs);

/// Figures below each other ("column") or side by side ("pair"); secondary ones are folded away under a name.
std::string figure_blocks(const std::vector<Figure>& figures, const char* arrangement,
                          const char* folded_name = "The same for the other data");
/// Folded away under a name; nothing where there is nothing to fold.
std::string folded(const std::string& name, const std::string& body);
/// A table, folded away where it is long; nothing where it is empty.
std::string table_block(const Table& table, const char* folded_name);
/// A name and its value for a list of facts; nothing where the value is empty.
std::string fact(std::string_view name, const std::string& value, const char* width = "narrow");

}  // namespace bauta::report
