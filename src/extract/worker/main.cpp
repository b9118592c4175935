// The process that runs the files of users: extractors as the program has them, asked through the socket that stdin is.
// It ends when nobody asks any more.
#include <cerrno>
#include <charconv>
#include <cstring>
#include <new>
#include <optional>

#include <unistd.h>

#include "../message.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/module.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/version.hpp"
#include "bauta/extract/extractor.hpp"
#include "confinement.hpp"

namespace bauta {
namespace {

constexpr int socket_end = STDIN_FILENO;
constexpr std::uint64_t longest_request = std::uint64_t{4} << 30;

bool read_all(char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(socket_end, data, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t put = ::write(socket_end, data, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    data += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

std::string refusal(const Error& error) {
  MessageWriter answer;
  answer.number(static_cast<std::uint64_t>(Answer::error));
  answer.number(static_cast<std::uint64_t>(error.fault));
  answer.text(error.where);
  answer.text(error.finding);
  answer.text(error.hint);
  return answer.bytes();
}

std::string answer_to(std::string_view request, std::optional<ResolvedExtractor>& extractor) {
  MessageReader reader(request);
  MessageWriter answer;
  if (static_cast<Request>(reader.number()) == Request::load) {
    const std::string specification = reader.text();
    extractor.reset();
    extractor = resolve(extractors(), "extractor", specification);
    answer.number(static_cast<std::uint64_t>(Answer::model));
    answer.text((*extractor)->model());
    return answer.bytes();
  }
  if (!extractor) throw_usage(model_program, "nothing is loaded");
  const auto features = (*extractor)->extract(reader.medium());
  answer.number(static_cast<std::uint64_t>(features ? Answer::features : Answer::nothing));
  if (features) answer.floats(*features);
  return answer.bytes();
}

std::string answered(std::string_view request, std::optional<ResolvedExtractor>& extractor, std::uint64_t mebibytes) {
  try {
    return answer_to(request, extractor);
  } catch (const Error& error) {
    return refusal(error);
  } catch (const std::bad_alloc&) {
    return refusal(Error(Fault::input, model_program,
                         "the network needs more than " + std::to_string(mebibytes) + " MiB (BAUTA_MODEL_MEMORY)"));
  } catch (const std::exception& error) {
    return refusal(Error(Fault::input, model_program, std::string("the network fails: ") + error.what()));
  } catch (...) {
    return refusal(Error(Fault::input, model_program, "the network fails"));
  }
}

/// Nothing of a user's is opened then.
Error not_confined(const std::string& why) {
  return Error(
      Fault::environment, model_program,
      "cannot keep a network from writing files and reaching others (" + why + "), so that it runs none of users",
      "allow seccomp filters, e.g. in the settings of the container");
}

std::uint64_t number_of(const char* text) {
  std::uint64_t value = 0;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

int serve(int count, char** arguments) {
  if (count != 4 || std::string_view(arguments[1]) != version) return 2;
  const std::uint64_t mebibytes = number_of(arguments[2]), seconds = number_of(arguments[3]);
  const std::string unconfined = confine(mebibytes);
  set_threads(1);  // there are as many processes as there are threads that ask
  std::optional<ResolvedExtractor> extractor;
  std::string request;
  for (std::uint64_t size = 0; read_all(reinterpret_cast<char*>(&size), sizeof size);) {
    if (size > longest_request) return 2;
    request.resize(size);
    if (!read_all(request.data(), size)) return 0;
    if (size < sizeof(Request)) return 2;
    allow_seconds(seconds_for(static_cast<Request>(MessageReader(request).number()), seconds));
    const std::string answer =
        unconfined.empty() ? answered(request, extractor, mebibytes) : refusal(not_confined(unconfined));
    size = answer.size();
    if (!write_all(reinterpret_cast<const char*>(&size), sizeof size) || !write_all(answer.data(), answer.size())) {
      return 0;
    }
    if (!unconfined.empty()) return 3;
  }
  return 0;
}

}  // namespace
}  // namespace bauta

int main(int count, char** arguments) {
  // Without clearing up: whatever a network left behind is not to be walked through.
  ::_exit(bauta::serve(count, arguments));
}
