// Coverage-guided fuzzing of one reader, which BAUTA_FUZZ_READER names: whatever the bytes, it reads them or throws an
// Error. An empty corpus folder is first filled with the undamaged examples.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "../data/victims.hpp"
#include "bauta/core/parallel.hpp"

namespace bauta {
namespace {

struct Target {
  test::Scratch scratch;
  std::function<void(const std::string&)> read;
};

Target& target() {
  static Target only;
  return only;
}

}  // namespace
}  // namespace bauta

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  using namespace bauta;
  set_threads(1);
  const char* wanted = std::getenv("BAUTA_FUZZ_READER");
  std::filesystem::path corpus;
  for (int i = 1; i < *count && corpus.empty(); ++i) {
    if (std::filesystem::is_directory((*arguments)[i])) corpus = (*arguments)[i];
  }
  const bool seed = !corpus.empty() && std::filesystem::is_empty(corpus);
  std::set<std::string> names;
  for (const auto& victim : test::victims(target().scratch)) {
    names.insert(victim.name);
    if (wanted == nullptr || victim.name != wanted) continue;
    target().read = victim.read;
    if (seed) std::ofstream(corpus / std::to_string(std::hash<std::string>{}(victim.bytes))) << victim.bytes;
  }
  if (!target().read) {
    std::fputs("error: BAUTA_FUZZ_READER: expected one of", stderr);
    for (const auto& name : names) std::fprintf(stderr, " '%s'", name.c_str());
    std::fputs("\n", stderr);
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    bauta::target().read({reinterpret_cast<const char*>(data), size});
  } catch (const bauta::Error&) {  // refused, as it may
  }
  return 0;
}
