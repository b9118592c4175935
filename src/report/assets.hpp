// Files that travel inside the program, so that a page can be written where neither the sources nor npm are at hand.
#pragma once

#include <string_view>

namespace bauta::report::assets {

std::string_view page_html();
std::string_view page_css();
std::string_view page_js();
std::string_view render_js();
std::string_view vega_js();
std::string_view vega_lite_js();
std::string_view vega_embed_js();
/// The licence under which the three above may be passed on, which asks to travel with them.
std::string_view vega_licence();

}  // namespace bauta::report::assets
