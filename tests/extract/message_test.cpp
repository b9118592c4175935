#include "message.hpp"

#include "../data/scratch.hpp"
#include "bauta/core/error.hpp"

namespace bauta {
namespace {

const std::vector<Medium> media = {Image{2, 1, 3, {1, 2, 3, 250, 0, 6}}, Recording{11025, {0.5F, -1, 0.25F}},
                                   Motion{1, 2, {1, 2, 3, 4, 5, 6}, 30, {"hip", "knee"}}};

TEST(Message, MediaArriveAsTheyWere) {
  for (const Medium& medium : media) {
    MessageWriter writer;
    writer.text("before");
    writer.medium(medium);
    writer.real(-0.1);
    MessageReader reader(writer.bytes());
    EXPECT_EQ(reader.text(), "before");
    EXPECT_EQ(reader.medium(), medium);
    EXPECT_EQ(reader.real(), -0.1);
    EXPECT_THROW((void)reader.number(), Error);
  }
}

TEST(Message, OneThatIsCutIsRefused) {
  for (const Medium& medium : media) {
    MessageWriter writer;
    writer.medium(medium);
    for (std::size_t size = 0; size < writer.bytes().size(); ++size) {
      MessageReader reader(std::string_view(writer.bytes()).substr(0, size));
      test::expect_contains(test::input_error([&] { (void)reader.medium(); }), "shorter");
    }
  }
}

TEST(Message, SizesOutOfAllProportionAreRefused) {
  MessageWriter writer;
  writer.number((std::uint64_t{1} << 62) + 1);  // times four it is 4 again
  writer.number(0);
  EXPECT_THROW((void)MessageReader(writer.bytes()).floats(), Error);
  EXPECT_THROW((void)MessageReader(writer.bytes()).text(), Error);
  MessageWriter unknown;
  unknown.number(3);
  test::expect_contains(test::input_error([&] { (void)MessageReader(unknown.bytes()).medium(); }), "no known kind");
}

// Ten times the limit of a medium, but no more than two minutes unless a medium has more.
TEST(Message, LoadingHasItsTime) {
  EXPECT_EQ(seconds_for(Request::extract, 7), 7U);
  EXPECT_EQ(seconds_for(Request::load, 1), 10U);
  EXPECT_EQ(seconds_for(Request::load, 12), 120U);
  EXPECT_EQ(seconds_for(Request::load, 100), 120U);
  EXPECT_EQ(seconds_for(Request::load, 500), 500U);
}

}  // namespace
}  // namespace bauta
