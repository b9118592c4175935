// The assembler copies each file between two symbols; the build gives the paths and rebuilds when a file changes.
#include "assets.hpp"

#define BAUTA_ASSET(name, path)                            \
  __asm__(                                                 \
      ".pushsection .rodata\n"                             \
      ".global bauta_asset_" #name                         \
      "\n"                                                 \
      ".hidden bauta_asset_" #name                         \
      "\n"                                                 \
      "bauta_asset_" #name                                 \
      ":\n"                                                \
      ".incbin \"" path                                    \
      "\"\n"                                               \
      ".global bauta_asset_" #name                         \
      "_end\n"                                             \
      ".hidden bauta_asset_" #name                         \
      "_end\n"                                             \
      "bauta_asset_" #name                                 \
      "_end:\n"                                            \
      ".byte 0\n"                                          \
      ".popsection\n");                                    \
  extern "C" const char bauta_asset_##name[];              \
  extern "C" const char bauta_asset_##name##_end[];        \
  std::string_view bauta::report::assets::name() {         \
    return {bauta_asset_##name, bauta_asset_##name##_end}; \
  }

BAUTA_ASSET(page_html, BAUTA_WEB "/page.html")
BAUTA_ASSET(page_css, BAUTA_WEB "/page.css")
BAUTA_ASSET(page_js, BAUTA_WEB "/page.js")
BAUTA_ASSET(render_js, BAUTA_WEB "/render-figures.js")
BAUTA_ASSET(vega_js, BAUTA_NPM "/vega/build/vega.min.js")
BAUTA_ASSET(vega_lite_js, BAUTA_NPM "/vega-lite/build/vega-lite.min.js")
BAUTA_ASSET(vega_embed_js, BAUTA_NPM "/vega-embed/build/vega-embed.min.js")
BAUTA_ASSET(vega_licence, BAUTA_NPM "/vega/LICENSE")
