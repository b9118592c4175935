#include <exception>
#include <new>

#include <fmt/format.h>

#include "bauta/cli/command.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/version.hpp"

namespace {

constexpr int exit_usage = 2;
constexpr int exit_failure = 1;

int report(const bauta::Error& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  if (!error.hint.empty()) fmt::print(stderr, "hint: {}\n", error.hint);
  return error.fault == bauta::Fault::environment ? exit_failure : exit_usage;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Masks for biometric data, and honest numbers on how well they hold.", "bauta");
  app.set_version_flag("--version", std::string("bauta ") + bauta::version);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return std::string("error: command line: ") + error.what() + "\n";
  });
  bauta::add_attack_command(app);
  bauta::add_demo_command(app);
  bauta::add_evaluate_command(app);
  bauta::add_extract_command(app);
  bauta::add_identify_command(app);
  bauta::add_inspect_command(app);
  bauta::add_list_command(app);
  bauta::add_protect_command(app);
  bauta::add_recover_command(app);
  bauta::add_report_command(app);
  bauta::add_synth_command(app);
  bauta::add_unlinkability_command(app);
  bauta::add_verify_command(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    if (status == 0) return 0;
    std::vector<std::string> names;
    for (const auto* command : app.get_subcommands({})) names.push_back(command->get_name());
    if (argc > 1 && argv[1][0] != '-' && std::find(names.begin(), names.end(), argv[1]) == names.end()) {
      fmt::print(stderr, "hint: {}\n", bauta::suggest(argv[1], names));
    } else {
      fmt::print(stderr, "hint: --help tells what a command takes\n");
    }
    return exit_usage;
  } catch (const bauta::Error& error) {
    return report(error);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: memory: not enough\nhint: lower --memory\n");
    return exit_failure;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: internal: {}\nhint: please report this\n", error.what());
    return exit_failure;
  }
}
