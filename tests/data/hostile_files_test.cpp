// Files that somebody damaged, by chance or on purpose: every reader either succeeds or throws an Error. It never
// crashes and, under the address sanitizer, never touches what is not its own.
#include <gtest/gtest.h>

#include "hostile.hpp"
#include "victims.hpp"

namespace bauta {
namespace {

using test::Scratch;
using test::survives;
using test::Victim;
using test::victims;

TEST(HostileFiles, TheUndamagedOnesAreReadAsFarAsTheyMay) {
  const Scratch scratch;
  for (const Victim& victim : victims(scratch)) {
    EXPECT_EQ(survives(victim.name, victim.read, victim.bytes), victim.bytes != test::objects) << victim.name;
  }
}

TEST(HostileFiles, TruncationAtEveryByteIsSurvived) {
  const Scratch scratch;
  for (const Victim& victim : victims(scratch)) {
    for (std::size_t size = 0; size < victim.bytes.size(); ++size) {
      const bool read = survives(victim.name, victim.read, victim.bytes.substr(0, size));
      // Binary formats know their length.
      if (victim.name == "npy" || victim.name == "npz" || victim.name == "mtx" || victim.name == "mask" ||
          victim.name == "png" || victim.name == "jpeg" || victim.name == "c3d") {
        EXPECT_FALSE(read) << victim.name << " cut to " << size;
      }
    }
  }
}

TEST(HostileFiles, RandomMutationsAreSurvived) {
  const Scratch scratch;
  const test::MemoryLimit limit;
  std::uint64_t item = 0;
  for (const Victim& victim : victims(scratch)) {
    const std::size_t rounds = test::mutation_rounds(3000);
    test::expect_mutations_survived(victim.name, victim.bytes, victim.read, rounds, item++);
  }
}

}  // namespace
}  // namespace bauta
