// A technique that lives in another program, in whatever language. It is run once on all that is to be protected, which
// lies in a folder: templates.npy, one row per sample, or media named by numbers; and fills another.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bauta/core/error.hpp"
#include "bauta/core/named_file.hpp"
#include "bauta/core/output.hpp"
#include "bauta/core/progress.hpp"
#include "bauta/core/secret_key.hpp"
#include "bauta/data/label_files.hpp"
#include "bauta/data/media_source.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/protect/protection.hpp"
#include "made_elsewhere.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t told_at_most = 3;

struct Program {
  std::vector<std::string> words;  ///< {in}, {out}, {seed} and {draw} stand for what it is told
  std::int64_t seconds = 0;        ///< it may take

  /// The first word that is no interpreter: what the user wrote.
  [[nodiscard]] std::string where() const {
    std::error_code error;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (fs::is_regular_file(words[i], error)) return "command:run=" + fs::path(words[i]).filename().string();
    }
    return "command:run=" + fs::path(words[0]).filename().string();
  }
};

std::string filled(std::string word, std::string_view hole, const std::string& with) {
  for (std::size_t at = word.find(hole); at != std::string::npos; at = word.find(hole, at + with.size())) {
    word.replace(at, hole.size(), with);
  }
  return word;
}

/// The file that a shell would run; empty where there is none.
fs::path found_program(const std::string& name) {
  const auto runs = [](const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos || runs(name)) return runs(name) ? fs::absolute(name) : fs::path();
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && runs(fs::path(folder) / name)) return fs::path(folder) / name;
  }
  return {};
}

/// The last line that it wrote, fit for a terminal.
std::string last_words(const fs::path& log) {
  constexpr std::streamoff enough = 4096;
  std::ifstream file(log, std::ios::binary | std::ios::ate);
  file.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(file.tellg()) - enough));
  std::string line, last;
  while (std::getline(file, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line.substr(0, 300);
  }
  std::ranges::replace_if(
      last, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }, ' ');
  return last;
}

/// Numbers for a program that draws at random.
struct Seeds {
  std::uint64_t key = 0;   ///< the same for all data of an experiment
  std::uint64_t draw = 0;  ///< other for each data set

  explicit Seeds(const ProtectContext& context)
      : key(Stream(context.randomness.key("command"), "command").next64()),
        draw(context.randomness.stream("command").next64()) {}
};

/// While a program runs, whoever ends this one ends that one too, and what lies in its folder goes.
class EndedTogether {
 public:
  explicit EndedTogether(pid_t child) {
    child_ = child;
    ended_by_ = 0;
    struct sigaction action {};
    action.sa_handler = [](int signal) {
      ended_by_ = signal;
      ::kill(-child_, SIGKILL);
    };
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &action, &before_[i]);
  }
  ~EndedTogether() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
  }
  EndedTogether(const EndedTogether&) = delete;
  EndedTogether& operator=(const EndedTogether&) = delete;

  [[nodiscard]] static int ended_by() { return ended_by_; }

 private:
  static constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};
  static inline volatile std::sig_atomic_t child_ = 0, ended_by_ = 0;
  std::array<struct sigaction, 3> before_{};
};

/// Starts it in a process group of its own, without input and with its words in a file.
pid_t start(const Program& program, const fs::path& in, const fs::path& out, const fs::path& log, const Seeds& seeds) {
  const std::string path = found_program(program.words[0]);
  if (path.empty()) {
    throw_usage(program.where(), fmt::format("'{}' cannot be run", fs::path(program.words[0]).filename().string()),
                "name an interpreter before it (python3 FILE), or make it executable (chmod +x) with a first line such "
                "as #!/usr/bin/env python3");
  }
  // All that is allocated is allocated before the fork.
  std::vector<std::string> said;
  for (std::string word : program.words) {
    word = filled(filled(std::move(word), "{in}", in), "{out}", out);
    said.push_back(
        filled(filled(std::move(word), "{seed}", std::to_string(seeds.key)), "{draw}", std::to_string(seeds.draw)));
  }
  std::vector<char*> arguments;
  for (std::string& word : said) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string words = log;
  std::vector<std::string> told = {fmt::format("BAUTA_SEED={}", seeds.key), fmt::format("BAUTA_DRAW={}", seeds.draw)};
  std::vector<char*> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("BAUTA_SEED=") && !text.starts_with("BAUTA_DRAW=")) environment.push_back(*entry);
  }
  for (std::string& entry : told) environment.push_back(entry.data());
  environment.push_back(nullptr);
  std::signal(SIGCHLD, SIG_DFL);  // who ignores it is not told how a child ended
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) throw Error(Fault::environment, program.where(), "no process could be started", "");
  if (child == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int written = ::open(words.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(written, STDOUT_FILENO);
    ::dup2(written, STDERR_FILENO);
    ::execve(path.c_str(), arguments.data(), environment.data());
    ::_exit(127);
  }
  ::setpgid(child, child);  // whichever of the two is first
  return child;
}

/// Runs it to its end. Of its process group nothing is left afterwards.
void run(const Program& program, const fs::path& in, const fs::path& out, const fs::path& log, const Seeds& seeds) {
  const pid_t child = start(program, in, out, log, seeds);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(program.seconds);
  int status = 0, ended_by = 0;
  bool late = false;
  {
    const EndedTogether together(child);
    for (pid_t done = 0; done == 0;) {
      done = ::waitpid(child, &status, WNOHANG);
      if (done < 0 && errno == EINTR) done = 0;
      if (done < 0) throw Error(Fault::environment, program.where(), "nobody can tell how it ended", "");
      if (done > 0) break;
      if (!late && std::chrono::steady_clock::now() > until) {
        late = true;
        ::kill(-child, SIGKILL);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ended_by = EndedTogether::ended_by();
  }
  ::kill(-child, SIGKILL);  // what it started and did not wait for
  if (ended_by != 0) {
    std::error_code ignored;
    fs::remove_all(log.parent_path(), ignored);
    ::raise(ended_by);
  }
  if (late) {
    throw_input(program.where(), fmt::format("took longer than {} s", program.seconds),
                "allow it more: timeout=SECONDS");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const std::string how = WIFSIGNALED(status) ? fmt::format("was ended by signal {}", WTERMSIG(status))
                                              : fmt::format("ended with status {}", WEXITSTATUS(status));
  const std::string said = last_words(log);
  throw_input(program.where(), how + (said.empty() ? "" : ", its last words: " + said),
              fmt::format("try it: {}", command_of(program.words)));
}

fs::path new_place() {
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  if (error) {
    throw Error(Fault::environment, "command", "there is no folder for temporary files", "name one: TMPDIR=FOLDER");
  }
  return temporary / fmt::format("bauta-command-{:016x}", Randomness::operating_system().stream("place").next64());
}

/// What a program is told of samples: a number each, and of media the file.
LabelTable numbered(std::size_t samples, const std::vector<std::string>& files = {}) {
  LabelTable labels("labels.csv", samples);
  std::vector<std::string> ids;
  for (std::size_t row = 0; row < samples; ++row) ids.push_back(std::to_string(row + 1));
  labels.add_column("id", std::move(ids));
  if (!files.empty()) labels.add_column("file", files);
  return labels;
}

/// Clear data lies here while the program runs: nobody else can look into it, and the next run removes what a killed
/// one left.
class Scratch {
 public:
  [[nodiscard]] fs::path operator/(const char* name) const { return folder_.staging() / name; }

 private:
  OutputFolder folder_{new_place()};
};

class OnTemplates : public Protection {
 public:
  OnTemplates(const Program& program, const Dataset& whole, const ProtectContext& context) {
    const Scratch scratch;
    for (const char* folder : {"in", "out"}) fs::create_directory(scratch / folder);
    write_npy(scratch / "in" / "templates.npy", whole.templates);
    write_label_csv(scratch / "in" / "labels.csv", numbered(whole.size()));
    run(program, scratch / "in", scratch / "out", scratch / "log", Seeds(context));
    const fs::path made = scratch / "out" / "templates.npy";
    if (!fs::exists(made)) throw_input(program.where(), "wrote no templates.npy into the folder {out}");
    try {
      made_ = read(made, whole.size());
    } catch (const Error& error) {
      throw_input(program.where() + ": {out}/templates.npy", error.finding, error.hint);
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
      throw_input("", fmt::format("an array of {}, expected {} rows of features, one for each sample",
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
    write_label_csv(in / "labels.csv", numbered(whole.size(), clear.files));
    run(program, in, out, scratch_ / "log", Seeds(context));
    std::error_code error;
    fs::remove_all(in, error);
    std::vector<std::string> strangers;
    fs::directory_iterator entries(out, error);
    if (error) throw_input(where_, "left no folder {out}");
    for (const auto& entry : entries) {
      if (entry.path().filename() == "labels.csv" || entry.path().filename() == "dataset.toml") continue;
      const auto row = rows.find(entry.path().stem());
      if (row == rows.end() || !entry.is_regular_file(error)) {
        strangers.push_back(entry.path().filename());
      } else {
        written_[row->second].push_back(entry.path());
      }
    }
    if (std::ranges::all_of(written_, &std::vector<fs::path>::empty)) {
      throw_input(where_, fmt::format("wrote none of {} media into the folder {{out}}", rows.size()),
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
  explicit Command(const Parameters& parameters)
      : program_{command_words(parameters.text("run")), parameters.integer("timeout")} {
    if (program_.words.empty()) {
      throw_usage("command", "names no program", "command:run=python3 mine.py {in} {out}");
    }
    for (const char* hole : {"{in}", "{out}"}) {
      if (std::ranges::any_of(program_.words,
                              [&](const std::string& word) { return word.find(hole) != std::string::npos; }))
        continue;
      throw_usage(program_.where(),
                  fmt::format("is not told {}, the folder of what it {}", hole, hole[1] == 'i' ? "reads" : "writes"),
                  "command:run=python3 mine.py {in} {out}");
    }
  }

  void check(const Templates& input, const std::string& where, const ProtectContext&) const override {
    require_floats(input, "command", where);
  }
  [[nodiscard]] std::unique_ptr<const Protection> among(const Dataset& whole, const std::vector<std::string>&,
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
  return {{.name = "command",
           .paper = "",
           .doc = "whatever another program makes of them: it reads a folder with templates.npy or media, and fills "
                  "another",
           .medium = "any",
           .claim = "what the program's authors say",
           .broken_by = "nobody knows yet",
           .parameters = {{"run", ParameterType::command, "",
                           "the command, as `python3 mine.py {in} {out}`; {seed} and {draw} stand for its seeds, which "
                           "are in BAUTA_SEED and BAUTA_DRAW, too"},
                          {"timeout", ParameterType::integer, "3600", "seconds that it may take", 1, 1e7},
                          {"name", ParameterType::text, "", "what tables and figures call it"}},
           .example = "run=cp -r {in}/. {out}",
           .mixes = true},  // it sees the whole data set, and nobody knows what it does with it
          [](const Parameters& parameters) { return std::make_unique<Command>(parameters); }};
}

}  // namespace bauta
