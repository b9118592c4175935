#include "confined.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bauta/core/error.hpp"
#include "bauta/core/json.hpp"
#include "bauta/core/module.hpp"
#include "bauta/core/version.hpp"
#include "message.hpp"
#include "pool.hpp"

namespace bauta {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t largest_limit = 2'000'000;  // seconds whose milliseconds poll() can count
constexpr std::uint64_t longest_answer = std::uint64_t{64} << 20;
constexpr std::size_t longest_reason = 400;
// A network that is late for so many media in a row is late for all: they would take days.
constexpr int most_late = 3;

std::uint64_t limit(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  std::uint64_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, status] = std::from_chars(text, end, value);
  if (status != std::errc() || stop != end || value == 0 || value > largest_limit) {
    throw_usage(variable, fmt::format("'{}' is no whole number from 1 to {}", text, largest_limit));
  }
  return value;
}

std::string first_of(const std::vector<std::filesystem::path>& programs) {
  for (const std::filesystem::path& file : programs) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return file.string();
  }
  throw_environment(model_program, "is not beside the program, and runs the networks of users", "build again (make)");
}

/// One line of UTF-8, whatever the other process says.
std::string tamed(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  if (text.size() > longest_reason) text.resize(longest_reason);
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

/// A process that runs the files of users, and the socket to it.
class Worker {
 public:
  explicit Worker(std::string program) : seconds_(limit("BAUTA_MODEL_SECONDS", 120)) {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      throw_environment(model_program, std::string("no socket: ") + std::strerror(errno));
    }
    socket_ = ends[0];
    const int failure = start(std::move(program), ends[1]);
    ::close(ends[1]);
    if (failure == 0) return;
    ::close(socket_);
    throw_environment(model_program, std::string("cannot be started: ") + std::strerror(failure));
  }
  ~Worker() {
    ::close(socket_);
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    (void)::waitpid(process_, nullptr, 0);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// The answer to a message. An input error says how the process ended instead; it is of no use afterwards.
  std::string ask(const MessageWriter& request) {
    const std::string& message = request.bytes();
    const auto kind = static_cast<Request>(MessageReader(message).number());
    const Clock::time_point deadline = Clock::now() + std::chrono::seconds(seconds_for(kind, seconds_));
    std::uint64_t size = message.size();
    std::string answer;
    const bool told = transfer(POLLOUT, reinterpret_cast<char*>(&size), sizeof size, deadline) &&
                      transfer(POLLOUT, const_cast<char*>(message.data()), message.size(), deadline) &&
                      transfer(POLLIN, reinterpret_cast<char*>(&size), sizeof size, deadline);
    if (told && size <= longest_answer) {
      answer.resize(size);
      if (transfer(POLLIN, answer.data(), answer.size(), deadline)) return answer;
    }
    throw_input(model_program, how_it_ended(told && size > longest_answer));
  }

  /// The last answer did not come in time.
  [[nodiscard]] bool late() const { return late_; }

  std::string model;  ///< what it has loaded

 private:
  int start(std::string file, int socket) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    std::string known = version, seconds = std::to_string(seconds_);
    std::string memory = std::to_string(limit("BAUTA_MODEL_MEMORY", 8192));
    char* arguments[] = {file.data(), known.data(), memory.data(), seconds.data(), nullptr};
    const int failure = ::posix_spawn(&process_, file.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
  }

  /// False: the other end is gone, or the time is over.
  bool transfer(short direction, char* data, std::size_t size, Clock::time_point deadline) {
    while (size > 0) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      pollfd waiting{socket_, direction, 0};
      const int ready = left <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left));
      if (ready < 0 && errno == EINTR) continue;
      late_ = ready == 0;
      if (ready <= 0) return false;
      const ssize_t moved = direction == POLLIN ? ::recv(socket_, data, size, MSG_DONTWAIT)
                                                : ::send(socket_, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (moved < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (moved <= 0) return false;
      data += moved;
      size -= static_cast<std::size_t>(moved);
    }
    return true;
  }

  std::string how_it_ended(bool too_long) {
    std::string too_late = fmt::format("the network took longer than {} s (BAUTA_MODEL_SECONDS)", seconds_);
    if (late_) return too_late;
    if (too_long) return "the network gives more than 64 MiB";
    // It has closed its end, so it is dying; should it not, the destructor kills it.
    int status = 0;
    for (int attempt = 0; attempt < 100; ++attempt) {
      if (::waitpid(process_, &status, WNOHANG) == process_) {
        process_ = -1;
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (process_ > 0) return "the network does not answer any more";
    if (!WIFSIGNALED(status)) return fmt::format("the network ended its process with status {}", WEXITSTATUS(status));
    late_ = WTERMSIG(status) == SIGXCPU;
    if (late_) return too_late;
    const char* name = ::sigabbrev_np(WTERMSIG(status));
    return fmt::format("the network was killed by signal {} ({})", WTERMSIG(status), name == nullptr ? "?" : name);
  }

  std::uint64_t seconds_;
  int socket_ = -1;
  pid_t process_ = -1;
  bool late_ = false;
};

class ConfinedExtractor : public Extractor {
 public:
  ConfinedExtractor(std::string specification, std::string program)
      : specification_(std::move(specification)), program_(std::move(program)) {
    model_ = workers_.with([](const Worker& worker) { return worker.model; });
  }

  [[nodiscard]] std::string model() const override { return model_; }

  [[nodiscard]] std::optional<std::vector<float>> extract(const Medium& medium) const override {
    MessageWriter message;
    message.number(static_cast<std::uint64_t>(Request::extract));
    message.medium(medium);
    const std::string answer = workers_.with([&](Worker& worker) { return asked(worker, message); });
    MessageReader reader(answer);
    switch (static_cast<Answer>(reader.number())) {
      case Answer::nothing:
        return std::nullopt;
      case Answer::features:
        return reader.floats();
      case Answer::error:
        // Whatever it says of this medium, others may fare better.
        rethrow(reader, Fault::input);
      case Answer::model:
        break;
    }
    throw_input(specification_, "the network answers what was not asked");
  }

 private:
  std::string asked(Worker& worker, const MessageWriter& message) const {
    try {
      std::string answer = worker.ask(message);
      late_in_a_row_ = 0;
      return answer;
    } catch (const Error& error) {
      if (!worker.late() || ++late_in_a_row_ < most_late) throw;
      throw_environment(specification_, fmt::format("{}, for {} media in a row", error.finding, most_late),
                        "is it too large for this machine? BAUTA_MODEL_SECONDS gives it more time");
    }
  }

  [[nodiscard]] std::unique_ptr<Worker> loaded() const {
    auto worker = std::make_unique<Worker>(program_);
    MessageWriter message;
    message.number(static_cast<std::uint64_t>(Request::load));
    message.text(specification_);
    std::string answer;
    try {
      answer = worker->ask(message);
    } catch (const Error& error) {
      throw_input(specification_, error.finding);
    }
    MessageReader reader(answer);
    const auto kind = static_cast<Answer>(reader.number());
    if (kind == Answer::error) rethrow(reader, std::nullopt);
    if (kind != Answer::model) throw_input(specification_, "the network answers what was not asked");
    worker->model = tamed(reader.text());
    if (!model_.empty() && worker->model != model_) throw_environment(specification_, "changed while it was in use");
    return worker;
  }

  [[noreturn]] static void rethrow(MessageReader& reader, std::optional<Fault> fault) {
    const std::uint64_t told = reader.number();
    const bool known = told <= static_cast<std::uint64_t>(Fault::environment);
    const std::string where = tamed(reader.text()), finding = tamed(reader.text()), hint = tamed(reader.text());
    throw Error(fault.value_or(known ? static_cast<Fault>(told) : Fault::input), where, finding, hint);
  }

  std::string specification_;
  std::string program_;
  std::string model_;
  mutable std::atomic<int> late_in_a_row_ = 0;
  mutable Pool<Worker> workers_{[this] { return loaded(); }};
};

}  // namespace

bool runs_files_of_users(const Parameters& parameters) {
  return std::ranges::any_of(parameters.values(), [](const auto& value) {
    return (value.first == "path" || value.first == "models") && !value.second.empty();
  });
}

std::unique_ptr<Extractor> confined_extractor(std::string specification) {
  return confined_extractor(std::move(specification), module_files(model_program));
}

std::unique_ptr<Extractor> confined_extractor(std::string specification,
                                              const std::vector<std::filesystem::path>& programs) {
  return std::make_unique<ConfinedExtractor>(std::move(specification), first_of(programs));
}

}  // namespace bauta
