// Errors that a person can act on: where it went wrong, what was found, what to do about it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bauta {

enum class Fault {
  usage,        // a flag, name or parameter is wrong          -> exit status 2
  input,        // a file or its content is wrong              -> exit status 2
  environment,  // disk full, missing component, no permission -> exit status 1
};

class Error : public std::runtime_error {
 public:
  /// `where`: file, row, byte, flag or parameter; `finding`: what was found and what was expected; `hint`: what to do.
  Error(Fault fault, std::string where, std::string finding, std::string hint = {});

  Fault fault;
  std::string where;
  std::string finding;
  std::string hint;
};

[[noreturn]] void throw_usage(std::string where, std::string finding, std::string hint = {});
[[noreturn]] void throw_input(std::string where, std::string finding, std::string hint = {});
[[noreturn]] void throw_environment(std::string where, std::string finding, std::string hint = {});

/// The known name nearest to `name` by edit distance, as "did you mean 'x'?"; falls back to listing the known names.
std::string suggest(std::string_view name, const std::vector<std::string>& known);

/// A broken promise of our own code, never reachable by user input. Aborts with file and line, in every build.
#define BAUTA_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::bauta::assertion_failed(#condition, __FILE__, __LINE__))

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace bauta
