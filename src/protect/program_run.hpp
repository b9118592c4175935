// Programs of others, to their end and that of all that they start.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bauta {

struct ProgramRun {
  std::string where;  ///< for errors
  std::filesystem::path file;
  std::vector<std::string> words;           ///< the first is its own name
  std::map<std::string, std::string> told;  ///< in its environment
  std::filesystem::path log;                ///< what it says
  std::int64_t seconds = 0;                 ///< it may take
};

struct ProgramEnd {
  std::optional<int> status = {};  ///< as of waitpid(); none: it was killed, because its time was over or by `ended_by`
  int ended_by = 0;                ///< the signal that would have ended this process
};

/// Without input. Nothing that the program has started is left when this returns, in whichever session or group it is.
/// Where this process is killed the program is, too; what it has started itself may live on then.
ProgramEnd run_program(const ProgramRun& run);

}  // namespace bauta
