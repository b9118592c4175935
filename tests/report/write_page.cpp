// write_page OUT RUN...: the report of given runs, for the browser test.
#include <cstdio>

#include "bauta/core/error.hpp"
#include "bauta/report/report.hpp"

int main(int count, char** arguments) try {
  if (count < 3) return 2;
  bauta::write_report({arguments + 2, arguments + count}, {.out = arguments[1]});
  return 0;
} catch (const bauta::Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
