// Runs node once for all figures. The whole program, Vega included, goes in through stdin, so nothing has to be
// installed where the report is written except node itself.
#include "svg.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assets.hpp"
#include "bauta/core/progress.hpp"

namespace bauta::report {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

std::string contents(std::FILE* file) {
  std::string out;
  std::rewind(file);
  char buffer[1 << 14];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file)) out.append(buffer, got);
  return out;
}

// The bundles look for a module system before they settle for a global variable; inside a function they find none.
std::string as_global(std::string_view bundle) {
  return fmt::format("(function (module, exports, define, require) {{\n{}\n}}).call(globalThis);\n", bundle);
}

std::string program_for(const std::vector<const Figure*>& figures) {
  Json specs = Json::object();
  for (const Figure* figure : figures) specs[figure->name] = figure->spec;
  return as_global(assets::vega_js()) + as_global(assets::vega_lite_js()) + "const specs = " + specs.dump() + ";\n" +
         std::string(assets::render_js());
}

}  // namespace

std::map<std::string, std::string> render_svg(const std::vector<const Figure*>& figures) {
  if (figures.empty()) return {};
  // Files rather than pipes: nobody waits for anybody, whatever node prints and however early it ends.
  const TemporaryFile input(std::tmpfile());
  const TemporaryFile output(std::tmpfile());
  const TemporaryFile errors(std::tmpfile());
  if (!input || !output || !errors) {
    warn("figures/*.svg not drawn: no temporary files");
    return {};
  }
  const std::string program = program_for(figures);
  std::fwrite(program.data(), 1, program.size(), input.get());
  std::rewind(input.get());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input.get()), 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(output.get()), 1);
  posix_spawn_file_actions_adddup2(&actions, fileno(errors.get()), 2);
  std::string name = "node";
  std::string dash = "-";
  char* arguments[] = {name.data(), dash.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, name.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    warn(
        "figures/*.svg not drawn: 'node' is not on the PATH (Debian package nodejs); the page and figures/*.vl.json "
        "are complete");
    return {};
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }

  const Json drawn = Json::parse(contents(output.get()), nullptr, false);
  if (status != 0 || !drawn.is_object()) {
    const std::string said = contents(errors.get());
    warn(fmt::format("figures/*.svg not drawn: node failed: {}", said.substr(0, 300)));
    return {};
  }
  std::map<std::string, std::string> out;
  for (const auto& [figure, svg] : drawn.items()) {
    if (svg.is_string()) out[figure] = svg.get<std::string>();
  }
  return out;
}

}  // namespace bauta::report
