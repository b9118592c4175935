#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "command.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/json.hpp"
#include "bauta/core/version.hpp"

namespace {

constexpr int exit_usage = 2;
constexpr int exit_failure = 1;

/// Whoever closed stdout, stdin or stderr would otherwise find what we print in the first file that we open. What
/// stands in for stdout cannot be written to, so that lost output is an error.
void keep_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free one is opened, which is this.
    if (::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY) != descriptor) std::abort();
  }
}

/// JSON and pages hold UTF-8 alone, and whatever is named may be told there.
void require_utf8(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    try {
      (void)bauta::Json(arguments[i]).dump();
    } catch (const bauta::Json::type_error&) {
      bauta::throw_usage(fmt::format("command line: argument {}", i), "is not UTF-8 text", "rename the file or folder");
    }
  }
}

/// The parser would take the next argument for the value of `--name=`.
void require_values(int argc, char** argv) {
  static char nothing[] = "--missing=,";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with("--") || !argument.ends_with('=') || argument.find('=') + 1 != argument.size()) continue;
    if (argument != "--missing=") bauta::throw_usage(std::string(argument), "nothing follows the sign");
    argv[i] = nothing;  // no word means that a value is missing
  }
}

int lost_output(int reason) {
  fmt::print(stderr, "error: stdout: cannot be written: {}\n", std::strerror(reason));
  return exit_failure;
}

/// `status`, unless what was printed did not arrive.
int finish(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return lost_output(errno);
}

int report(const bauta::Error& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  if (!error.hint.empty()) fmt::print(stderr, "hint: {}\n", error.hint);
  return error.fault == bauta::Fault::environment ? exit_failure : exit_usage;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  CLI::App app("Masks for biometric data, and honest numbers on how well they hold.", "bauta");
  app.set_version_flag("--version", std::string("bauta ") + bauta::version);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return std::string("error: command line: ") + error.what() + "\n";
  });
  bauta::add_align_command(app);
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
  bauta::check_whole_numbers(app);
  try {
    require_utf8(argc, argv);
    require_values(argc, argv);
    app.parse(argc, argv);
    return finish(0);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    if (status == 0) return finish(0);
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
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return lost_output(error.code().value());
    fmt::print(stderr, "error: system: {}\n", error.what());
    return exit_failure;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: memory: not enough\nhint: lower --memory\n");
    return exit_failure;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: internal: {}\nhint: please report this\n", error.what());
    return exit_failure;
  }
}
