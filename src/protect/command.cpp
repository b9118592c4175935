// A technique that lives in another program, in whatever language. `PROGRAM IN OUT` is run once on all that is to be
// protected: templates as .npy files, one row per sample; media as folders of files, named by numbers.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bauta/core/error.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/protect/protection.hpp"
#include "made_elsewhere.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t told_at_most = 3;

struct Program {
  fs::path path;
  std::int64_t seconds = 0;  ///< it may take

  [[nodiscard]] std::string where() const { return "command:run=" + path.filename().string(); }
};

/// The last line that it wrote.
std::string last_words(const fs::path& log) {
  std::ifstream file(log);
  std::string line, last;
  while (std::getline(file, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line.substr(0, 300);
  }
  return last;
}

/// Runs it in a process group of its own, of which nothing is left afterwards. It learns the seed by BAUTA_SEED.
void run(const Program& program, const fs::path& in, const fs::path& out, const fs::path& log, std::uint64_t seed) {
  if (::access(program.path.c_str(), X_OK) != 0) {
    throw_usage(program.where(), "cannot be run",
                "make it executable (chmod +x), with a first line such as #!/usr/bin/env python3");
  }
  // All that is allocated is allocated before the fork.
  const std::string path = fs::absolute(program.path), from = in, to = out, words = log;
  const std::string seeded = fmt::format("BAUTA_SEED={}", seed);
  std::vector<char*> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(const_cast<char*>(seeded.c_str()));
  environment.push_back(nullptr);
  const std::array<char*, 4> arguments = {const_cast<char*>(path.c_str()), const_cast<char*>(from.c_str()),
                                          const_cast<char*>(to.c_str()), nullptr};
  const pid_t child = ::fork();
  if (child < 0) throw Error(Fault::environment, program.where(), "no process could be started", "");
  if (child == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // who is killed leaves nobody behind
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int written = ::open(words.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(written, STDOUT_FILENO);
    ::dup2(written, STDERR_FILENO);
    ::execve(path.c_str(), arguments.data(), environment.data());
    ::_exit(127);
  }
  ::setpgid(child, child);  // whichever of the two is first
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(program.seconds);
  int status = 0;
  bool late = false;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    late = std::chrono::steady_clock::now() > until;
    if (late) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::kill(-child, SIGKILL);  // what it started and did not wait for
  if (late)
    throw_input(program.where(), fmt::format("took longer than {} s", program.seconds),
                "allow it more: timeout=SECONDS");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const std::string how = WIFSIGNALED(status) ? fmt::format("was ended by signal {}", WTERMSIG(status))
                                              : fmt::format("ended with status {}", WEXITSTATUS(status));
  const std::string said = last_words(log);
  throw_input(program.where(), how + (said.empty() ? "" : ", its last words: " + said),
              fmt::format("try it: {} IN OUT", program.path.string()));
}

/// Clear data lies here while the program runs: nobody else can look into it, and the next run removes what a killed
/// one left.
class Scratch {
 public:
  [[nodiscard]] fs::path operator/(const char* name) const { return folder_.staging() / name; }

 private:
  OutputFolder folder_{fs::temp_directory_path() / "bauta-command"};
};

class OnTemplates : public Protection {
 public:
  OnTemplates(const Program& program, const Dataset& whole, const ProtectContext& context) {
    const Scratch scratch;
    write_npy(scratch / "in.npy", whole.templates);
    run(program, scratch / "in.npy", scratch / "out.npy", scratch / "log",
        context.randomness.stream("command").next64());
    if (!fs::exists(scratch / "out.npy"))
      throw_input(program.where(), "wrote nothing to OUT, a file that ends in .npy");
    try {
      made_ = read(scratch / "out.npy", whole.size());
    } catch (const Error& error) {
      throw_input(program.where() + ": OUT", error.finding, error.hint);
    }
  }

  void check(const Templates&, const std::string&, const ProtectContext&) const override {}
  [[nodiscard]] Templates protect(const Templates& block, std::size_t first, const ProtectContext&) const override {
    return made_.slice(first, block.rows());
  }

 private:
  static Templates read(const fs::path& file, std::size_t samples) {
    const NpyArray array = read_npy(file);
    if (array.shape.size() != 2 || array.shape[0] != samples) {
      throw_input("", fmt::format("an array of {}, expected a row for each of {} samples",
                                  fmt::join(array.shape, " x "), samples));
    }
    const Templates mapped = to_float_templates(array);
    Matrix<float> own(mapped.rows(), mapped.cols());  // the file goes
    for (std::size_t i = 0; i < mapped.rows(); ++i) std::ranges::copy(mapped.floats().row(i), own.row(i).begin());
    return Templates(std::move(own));
  }

  Templates made_;
};

class OnMedia : public Protection {
 public:
  OnMedia(const Program& program, const Dataset& whole, const ProtectContext& context)
      : where_(program.where()), written_(whole.size()) {
    const fs::path in = scratch_ / "in", out = scratch_ / "out";
    fs::create_directory(in);
    fs::create_directory(out);
    std::map<std::string, std::size_t> rows;
    const WrittenMedia clear = write_media(*whole.media, 0, whole.size(), in);
    for (std::size_t row = 0; row < whole.size(); ++row) {
      if (!clear.files[row].empty()) rows[fs::path(clear.files[row]).stem()] = row;
    }
    run(program, in, out, scratch_ / "log", context.randomness.stream("command").next64());
    fs::remove_all(in);
    std::vector<std::string> strangers;
    for (const auto& entry : fs::directory_iterator(out)) {
      const auto row = rows.find(entry.path().stem());
      if (row == rows.end() || !entry.is_regular_file()) {
        strangers.push_back(entry.path().filename());
      } else {
        written_[row->second].push_back(entry.path());
      }
    }
    if (std::ranges::all_of(written_, &std::vector<fs::path>::empty)) {
      throw_input(where_, fmt::format("wrote none of {} media to OUT", rows.size()),
                  "a masked medium has the name of the clear one; its extension may differ");
    }
    if (strangers.empty()) return;
    std::ranges::sort(strangers);
    const std::size_t told = std::min(told_at_most, strangers.size());
    warn(fmt::format("{}: {} of the files that it wrote have the name of no medium, e.g. {}", where_, strangers.size(),
                     fmt::join(strangers.begin(), strangers.begin() + static_cast<std::ptrdiff_t>(told), ", ")));
  }

  void check(const Templates&, const std::string&, const ProtectContext&) const override {}
  [[nodiscard]] Templates protect(const Templates&, std::size_t, const ProtectContext&) const override {
    BAUTA_ASSERT(false);  // media are masked
  }
  [[nodiscard]] Medium mask(const Medium& medium, std::size_t sample, const ProtectContext&) const override {
    return made_elsewhere(written_[sample], medium, where_);
  }

 private:
  std::string where_;
  Scratch scratch_;
  std::vector<std::vector<fs::path>> written_;
};

class Command : public Protection {
 public:
  explicit Command(const Parameters& parameters) : program_{parameters.text("run"), parameters.integer("timeout")} {
    if (program_.path.empty()) throw_usage("command", "names no program", "command:run=FILE");
  }

  void check(const Templates& input, const std::string& where, const ProtectContext&) const override {
    require_floats(input, "command", where);
  }
  [[nodiscard]] std::unique_ptr<const Protection> on(const Dataset& whole, const std::vector<std::string>&,
                                                     const ProtectContext& context) const override {
    if (whole.templates.empty() && whole.media) return std::make_unique<OnMedia>(program_, whole, context);
    return std::make_unique<OnTemplates>(program_, whole, context);
  }
  [[nodiscard]] Templates protect(const Templates&, std::size_t, const ProtectContext&) const override {
    BAUTA_ASSERT(false);  // on() has made another of it
  }

 private:
  Program program_;
};

}  // namespace

Entry<Protection> command_protection() {
  return {
      {.name = "command",
       .paper = "",
       .doc = "whatever another program makes of them: it is run as `FILE IN OUT`, with .npy files of templates or "
              "folders of media",
       .medium = "any",
       .claim = "what the program's authors say",
       .broken_by = "nobody knows yet",
       .parameters = {{"run", ParameterType::file, "", "an executable file; the seed is in its variable BAUTA_SEED"},
                      {"timeout", ParameterType::integer, "3600", "seconds that it may take", 1, 1e7}},
       .example = "run=/bin/cp",
       .mixes = true},  // it sees the whole data set, and nobody knows what it does with it
      [](const Parameters& parameters) { return std::make_unique<Command>(parameters); }};
}

}  // namespace bauta
