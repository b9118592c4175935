#include "program_run.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bauta/core/error.hpp"

namespace bauta {

namespace fs = std::filesystem;

namespace {

/// While a program runs, a signal that would end this one waits until that one, and what lies in its folder, is gone.
class EndedTogether {
 public:
  EndedTogether() {
    last_signal = 0;
    struct sigaction action {};
    action.sa_handler = [](int signal) { last_signal = signal; };
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &action, &before_[i]);
  }
  ~EndedTogether() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
  }
  EndedTogether(const EndedTogether&) = delete;
  EndedTogether& operator=(const EndedTogether&) = delete;

  [[nodiscard]] static int ended_by() { return last_signal; }

 private:
  static constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};
  static inline volatile std::sig_atomic_t last_signal = 0;
  std::array<struct sigaction, 3> before_{};
};

/// What a new process is given. All of it is allocated before the fork.
struct Start {
  std::string file, log;
  std::vector<std::string> words, told;
  std::vector<char*> arguments = {}, environment = {};

  explicit Start(const ProgramRun& run) : file(run.file), log(run.log), words(run.words) {
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string text(*entry);
      if (!run.told.contains(text.substr(0, text.find('=')))) environment.push_back(*entry);
    }
    for (const auto& [name, value] : run.told) told.push_back(name + "=" + value);
    for (std::string& entry : told) environment.push_back(entry.data());
    environment.push_back(nullptr);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
};

/// In the new process: the program in a process group of its own, without input and with its words in a file.
[[noreturn]] void become(const Start& start, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int written = ::open(start.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(written, STDOUT_FILENO);
  ::dup2(written, STDERR_FILENO);
  ::execve(start.file.c_str(), start.arguments.data(), start.environment.data());
  ::_exit(127);
}

/// In a process between this one and the program, which does nothing but wait. Whoever starts others below it and ends,
/// or leaves the process group, leaves them to it: all that was started stays below it, and nothing else is there. It
/// tells how the program ended, and stays.
[[noreturn]] void keep_below(const Start& start, int tell, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  const pid_t own = ::getpid(), program = ::fork();
  if (program == 0) become(start, own);
  // What this process has open is not held open for others.
  ::dup2(tell, STDIN_FILENO);
  ::close_range(STDIN_FILENO + 1, ~0U, 0);
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, 0);
    if (ended < 0 && errno != EINTR) ::_exit(127);  // nobody is left
    if (ended == program && ::write(STDIN_FILENO, &status, sizeof status) != sizeof status) ::_exit(127);
  }
}

/// Processes by their parents.
std::multimap<pid_t, pid_t> children() {
  std::multimap<pid_t, pid_t> all;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry->path() / "stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t behind = text.rfind(')');  // the name of a program may hold anything
    if (behind == std::string::npos) continue;   // it has ended
    std::istringstream rest(text.substr(behind + 1));
    char state = 0;
    pid_t parent = 0;
    if (rest >> state >> parent) all.emplace(parent, static_cast<pid_t>(std::stol(name)));
  }
  return all;
}

/// Until nobody is left below `keeper`. Whoever cannot be killed (a device that does not answer) is not waited for
/// long.
void end_all_below(pid_t keeper) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::chrono::steady_clock::now() < until) {
    const std::multimap<pid_t, pid_t> all = children();
    std::vector<pid_t> below = {keeper};
    for (std::size_t i = 0; i < below.size(); ++i) {
      const auto [first, last] = all.equal_range(below[i]);
      for (auto child = first; child != last; ++child) below.push_back(child->second);
    }
    if (below.size() == 1) return;
    for (std::size_t i = 1; i < below.size(); ++i) ::kill(below[i], SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

/// The process that keeps a program and all that it starts, and what it tells.
class Kept {
 public:
  Kept(const Start& start, const std::string& where) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse(where);
    std::signal(SIGCHLD, SIG_DFL);  // who ignores it is not told how a child ended
    const pid_t parent = ::getpid();
    keeper_ = ::fork();
    if (keeper_ == 0) keep_below(start, ends[1], parent);
    ::close(ends[1]);
    told_ = ends[0];
    if (keeper_ > 0) return;
    ::close(told_);
    refuse(where);
  }
  ~Kept() {
    end_all_below(keeper_);
    ::kill(keeper_, SIGKILL);
    while (::waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
    }
    ::close(told_);
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  /// Waits a little while for the program's end. The status of a program whose keeper was killed is its own death.
  [[nodiscard]] std::optional<int> status() const {
    pollfd waiting{told_, POLLIN, 0};
    if (::poll(&waiting, 1, 20) <= 0) return std::nullopt;
    int status = 0;
    return ::read(told_, &status, sizeof status) == sizeof status ? status : SIGKILL;
  }

 private:
  [[noreturn]] static void refuse(const std::string& where) {
    throw Error(Fault::environment, where, "no process could be started", "");
  }

  pid_t keeper_ = 0;
  int told_ = 0;
};

}  // namespace

ProgramEnd run_program(const ProgramRun& run) {
  const Start start(run);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(run.seconds);
  const EndedTogether together;
  ProgramEnd end;
  {
    const Kept kept(start, run.where);
    while (!end.status && EndedTogether::ended_by() == 0 && std::chrono::steady_clock::now() < until) {
      end.status = kept.status();
    }
  }
  end.ended_by = EndedTogether::ended_by();
  return end;
}

}  // namespace bauta
