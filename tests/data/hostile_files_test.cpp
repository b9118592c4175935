// Files that somebody damaged, by chance or on purpose: every reader either succeeds or throws an Error. It never
// crashes and, under the address sanitizer, never touches what is not its own.
#include <cstdlib>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bauta/core/random.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/npz.hpp"
#include "bauta/data/provenance_file.hpp"
#include "bauta/data/score_file.hpp"
#include "fixtures.hpp"

namespace bauta {
namespace {

using test::Scratch;

/// While this lives, a request for more than 512 MiB fails, so that sizes taken from damaged files do not pass unseen.
class MemoryLimit {
 public:
  MemoryLimit() {
#ifndef BAUTA_SANITIZED  // sanitizers reserve terabytes of addresses
    ::getrlimit(RLIMIT_AS, &before_);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limited = before_;
    limited.rlim_cur = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + (std::size_t{512} << 20);
    ::setrlimit(RLIMIT_AS, &limited);
#endif
  }
  ~MemoryLimit() {
#ifndef BAUTA_SANITIZED
    ::setrlimit(RLIMIT_AS, &before_);
#endif
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
};

struct Victim {
  std::string name;
  std::string bytes;
  std::function<void(const std::string& bytes)> read;
};

void use_array(const NpyArray& array) {
  const std::function<void()> uses[] = {[&] { to_float_templates(array); }, [&] { to_codes(array); },
                                        [&] { to_bit_templates(array, 10); }, [&] { to_text_column(array); }};
  for (const auto& use : uses) {
    try {
      use();
    } catch (const Error&) {  // most conversions do not fit most arrays
    }
  }
}

void read_npy_bytes(const std::string& bytes) {
  // A block of exactly this size, so that the sanitizer sees a read beyond it.
  const std::shared_ptr<std::uint8_t[]> block(new std::uint8_t[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), block.get());
  use_array(parse_npy({block.get(), bytes.size()}, block, "fuzz"));
}

void read_scores(const std::filesystem::path& path) {
  const auto reader = ScoreReader::open(path);
  ScoreRows rows;
  while (reader->next(rows)) {
  }
}

std::vector<Victim> victims(const Scratch& scratch) {
  std::vector<Victim> all;
  for (const std::string* bytes :
       {&test::float32_c, &test::float16_fortran, &test::float64_big, &test::unicode_text, &test::byte_text,
        &test::int16_big_v2, &test::uint8_v3, &test::objects, &test::packed_bits}) {
    all.push_back({"npy", *bytes, read_npy_bytes});
  }
  for (const std::string* bytes : {&test::stored_npz, &test::deflated_npz, &test::descriptor_npz}) {
    all.push_back({"npz", *bytes, [&scratch](const std::string& text) {
                     std::vector<std::string> remarks;
                     for (const auto& entry : read_npz(scratch.write("x.npz", text), "", remarks))
                       use_array(entry.array);
                   }});
  }
  all.push_back({"npz data set", test::deflated_npz,
                 [&scratch](const std::string& text) { read_dataset(scratch.write("x.npz", text)); }});
  scratch.write("folder/templates.npy", test::float32_c);
  all.push_back(
      {"labels", "identity,\"a\"\"b\",c\r\na,\"1\n2\",x\nb,\"\",\303\251\n", [&scratch](const std::string& text) {
         scratch.write("folder/labels.csv", text);
         read_dataset(scratch / "folder");
       }});
  all.push_back({"dataset.toml", "technique = \"a:b=1\" # c\nbits = \"12\"\n'x' = \"\\u00e9\"\n",
                 [&scratch](const std::string& text) { read_dataset_file(scratch.write("dataset.toml", text)); }});
  for (const char* text : {"score,mated\n0.5,1\n-1e-3,\"false\"\n", "anna anna a/1 0.9\nanna bert b/1 -1.5e2\n",
                           "anna m anna a/1 0.9\nanna m bert b/1 inf\n",
                           "probe_subject_id,bio_ref_subject_id,score\nanna,bert,0.5\nanna,anna,1\n"}) {
    all.push_back({"scores", text, [&scratch](const std::string& t) { read_scores(scratch.write("scores", t)); }});
  }
  const std::string header = test::bytes("2 2 \x78\x56\x34\x12\n");
  const std::string matrix = "D2\nt\nq\nMF " + header + std::string(16, '\1');
  const std::string mask = "S2\nt\nq\nMB " + header + test::bytes("\377\177\177\0");
  all.push_back({"mtx", matrix, [&scratch, mask](const std::string& text) {
                   scratch.write("s.mask", mask);
                   read_scores(scratch.write("s.mtx", text));
                 }});
  all.push_back({"mask", mask, [&scratch, matrix](const std::string& text) {
                   scratch.write("s.mask", text);
                   read_scores(scratch.write("s.mtx", matrix));
                 }});
  return all;
}

/// True if it was read, false if it was refused; anything but an Error fails the test.
bool survives(const Victim& victim, const std::string& bytes) {
  try {
    victim.read(bytes);
    return true;
  } catch (const Error& error) {
    EXPECT_NE(static_cast<int>(error.fault), static_cast<int>(Fault::environment)) << error.what();
    EXPECT_FALSE(error.where.empty()) << victim.name;
    EXPECT_FALSE(error.finding.empty()) << victim.name;
  } catch (const std::exception& error) {
    ADD_FAILURE() << victim.name << ": " << error.what();
  }
  return false;
}

std::string mutate(std::string bytes, Stream& stream) {
  const std::uint64_t changes = 1 + stream.below(4);
  for (std::uint64_t change = 0; change < changes && !bytes.empty(); ++change) {
    const std::size_t at = stream.below(bytes.size());
    switch (stream.below(6)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << stream.below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(stream.below(256));
        break;
      case 2:
        bytes.erase(at, 1 + stream.below(8));
        break;
      case 3:
        bytes.insert(at, bytes.substr(stream.below(bytes.size()), stream.below(16)));
        break;
      case 4:  // a length or size field out of all proportion
        for (std::size_t i = at; i < std::min(bytes.size(), at + 4); ++i) bytes[i] = static_cast<char>(0xff);
        break;
      default:
        bytes.resize(at);
    }
  }
  return bytes;
}

TEST(HostileFiles, TheUndamagedOnesAreReadAsFarAsTheyMay) {
  const Scratch scratch;
  for (const Victim& victim : victims(scratch)) {
    EXPECT_EQ(survives(victim, victim.bytes), victim.bytes != test::objects) << victim.name;
  }
}

TEST(HostileFiles, TruncationAtEveryByteIsSurvived) {
  const Scratch scratch;
  for (const Victim& victim : victims(scratch)) {
    for (std::size_t size = 0; size < victim.bytes.size(); ++size) {
      const bool read = survives(victim, victim.bytes.substr(0, size));
      // Binary formats know their length.
      if (victim.name == "npy" || victim.name == "npz" || victim.name == "mtx" || victim.name == "mask") {
        EXPECT_FALSE(read) << victim.name << " cut to " << size;
      }
    }
  }
}

TEST(HostileFiles, RandomMutationsAreSurvived) {
  const Scratch scratch;
  const MemoryLimit limit;
  const std::size_t rounds = std::getenv("BAUTA_SLOW") != nullptr ? 50000 : 3000;
  std::uint64_t item = 0;
  for (const Victim& victim : victims(scratch)) {
    Stream stream(20, "hostile files", item++);
    for (std::size_t round = 0; round < rounds && !::testing::Test::HasFailure(); ++round) {
      survives(victim, mutate(victim.bytes, stream));
    }
  }
}

}  // namespace
}  // namespace bauta
