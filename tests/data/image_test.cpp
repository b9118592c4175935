#include "bauta/data/image.hpp"

#include <numeric>

#include "media_fixtures.hpp"

namespace bauta {
namespace {

using test::bmp;
using test::expect_contains;
using test::input_error;
using test::little;
using test::Scratch;

using Pixels = std::vector<std::uint8_t>;

/// The shape that is read by itself must be that of the image.
Image read(const std::string& bytes) {
  const Scratch scratch;
  const auto path = scratch.write("image", bytes);
  Image image = read_image(path);
  EXPECT_EQ(read_image_shape(path), (ImageShape{image.width, image.height, image.channels}));
  return image;
}

void expect_image(const Image& image, std::size_t width, std::size_t height, std::size_t channels,
                  const Pixels& pixels) {
  EXPECT_EQ(image.width, width);
  EXPECT_EQ(image.height, height);
  EXPECT_EQ(image.channels, channels);
  EXPECT_EQ(image.pixels, pixels);
}

TEST(Image, PngOfEveryKindIsEightBitsOfGreyOrColour) {
  expect_image(read(test::png_grey), 2, 2, 1, {0, 85, 170, 255});
  expect_image(read(test::png_rgba16), 1, 2, 3, {255, 0, 128, 7, 8, 9});
  expect_image(read(test::png_palette), 3, 1, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect_image(read(test::png_interlaced), 5, 3, 1, {0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24});
}

TEST(Image, JpegBlocksHaveTheirMeans) {
  Pixels rows;
  for (int row = 0; row < 4; ++row) {
    rows.insert(rows.end(), 8, 100);
    rows.insert(rows.end(), 2, 200);
  }
  expect_image(read(test::jpeg_grey), 10, 4, 1, rows);
  // JFIF: R = Y + 1.402 (Cr - 128) = 222.9, G = Y - 0.344136 (Cb - 128) - 0.714136 (Cr - 128) = 122.5,
  // B = Y + 1.772 (Cb - 128) = 100.4.
  const Image colour = read(test::jpeg_colour);
  ASSERT_EQ(colour.pixels.size(), 8U * 8 * 3);
  for (std::size_t i = 0; i < colour.pixels.size(); i += 3) {
    EXPECT_EQ(colour.pixels[i], 223);
    EXPECT_NEAR(colour.pixels[i + 1], 122.5, 0.51);
    EXPECT_EQ(colour.pixels[i + 2], 100);
  }
}

TEST(Image, PrintingColoursBecomeLight) {
  // Inks of 200, 100, 50 and 204 of 255 leave (255 - 200) (255 - 204) / 255 = 11 of red, 31 of green, 41 of blue.
  const Image inks = read(test::jpeg_inks);
  ASSERT_EQ(inks.pixels.size(), 8U * 8 * 3);
  for (std::size_t i = 0; i < inks.pixels.size(); i += 3) {
    EXPECT_EQ((Pixels{inks.pixels[i], inks.pixels[i + 1], inks.pixels[i + 2]}), (Pixels{11, 31, 41}));
  }
  // As light the same numbers are 200 * 204 / 255 = 160, 80 and 40; YCCK rounds twice on the way.
  const Image light = read(test::jpeg_adobe);
  ASSERT_EQ(light.pixels.size(), 8U * 8 * 3);
  for (std::size_t i = 0; i < light.pixels.size(); i += 3) {
    EXPECT_NEAR(light.pixels[i], 160, 1);
    EXPECT_NEAR(light.pixels[i + 1], 80, 1);
    EXPECT_NEAR(light.pixels[i + 2], 40, 1);
  }
}

TEST(Image, WebpIsReadAndARecordingIsNone) {
  expect_image(read(test::webp_colours), 3, 2, 3,
               {255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3, 250, 251, 252, 128, 64, 32});
  expect_contains(input_error([] { read(test::webp_colours.substr(0, 60)); }), "is a damaged WebP");
  expect_contains(input_error([] { read(test::bytes("RIFF\44\0\0\0WAVEfmt ")); }), "is no image in a known format");
}

TEST(Image, BmpOfEveryKind) {
  // Rows come from below and end at multiples of four bytes; blue comes first.
  expect_image(read(bmp({2, 2, 24}, "", test::bytes("\1\2\3\4\5\6\0\0\7\10\11\12\13\14\0\0"))), 2, 2, 3,
               {9, 8, 7, 12, 11, 10, 3, 2, 1, 6, 5, 4});
  // A negative height: from above. The fourth byte is nobody's.
  expect_image(read(bmp({1, -2, 32}, "", test::bytes("\1\2\3\377\4\5\6\377"))), 1, 2, 3, {3, 2, 1, 6, 5, 4});
  // 565: 31 of 31 red and 63 of 63 green are 255, 16 of 31 blue are 131.
  const std::string masks = little(0xf800, 4) + little(0x7e0, 4) + little(0x1f, 4);
  expect_image(read(bmp({2, 1, 16, 3}, masks, little(0xffe0, 2) + little(16, 2))), 2, 1, 3, {255, 255, 0, 0, 0, 131});
  expect_image(read(bmp({1, 1, 16}, "", little(0x7c00, 4))), 1, 1, 3, {255, 0, 0});  // 555 unless it says otherwise
  // Palettes; of greys alone it is a grey image.
  const std::string colours = little(0x010203, 4) + little(0x040506, 4), greys = little(0, 4) + little(0xc8c8c8, 4);
  expect_image(read(bmp({3, 1, 1, 0, 2}, colours, test::bytes("\240\0\0\0"))), 3, 1, 3, {4, 5, 6, 1, 2, 3, 4, 5, 6});
  expect_image(read(bmp({3, 1, 4, 0, 2}, greys, test::bytes("\20\20\0\0"))), 3, 1, 1, {200, 0, 200});
  expect_image(read(bmp({2, 1, 8, 0, 2}, greys, test::bytes("\1\0\0\0"))), 2, 1, 1, {200, 0});
  // The old header of 12 bytes with a palette of three bytes each.
  expect_image(read("BM" + little(0, 8) + little(32, 4) + little(12, 4) + little(2, 2) + little(1, 2) + little(1, 2) +
                    little(1, 2) + test::bytes("\1\2\3\4\5\6") + test::bytes("\100\0\0\0")),
               2, 1, 3, {3, 2, 1, 6, 5, 4});
}

TEST(Image, BmpThatIsNotWhatItSays) {
  expect_contains(input_error([] { read(bmp({2, 2, 24}, "", std::string(12, 'x'))); }), "ends too early");
  expect_contains(input_error([] {
                    read(bmp({2, 2, 8, 1}, std::string(1024, 'x'), std::string(9, 'x')));
                  }),
                  "compressed BMP");
  expect_contains(input_error([] { read(bmp({2, 2, 7}, "", std::string(9, 'x'))); }), "7 bits");
  expect_contains(input_error([] {
                    read(bmp({1, 1, 8, 0, 2}, std::string(8, 'x'), test::bytes("\5\0\0\0")));
                  }),
                  "colour 5 of a palette of 2");
  expect_contains(input_error([] { read(bmp({100000, -2147483647 - 1, 24}, "", "x")); }), "at most 100000000");
  expect_contains(input_error([] { read(bmp({-3, 2, 24}, "", std::string(24, 'x'))); }), "0 x 2 pixels");
}

// Exif 2.3, tag 0x0112: which sides of the picture the first row and the first column of what is stored are.
TEST(Image, PhotographsAreTurnedAsExifSays) {
  const auto held = [](int orientation, bool big) {
    const auto number = [&](unsigned value, unsigned size) {
      std::string text;
      for (unsigned i = 0; i < size; ++i) {
        text.push_back(static_cast<char>(value >> (8 * (big ? size - 1 - i : i))));
      }
      return text;
    };
    // Another tag comes first. A short value stands in the first two of its four bytes.
    const std::string tiff = (big ? "MM" : "II") + number(42, 2) + number(8, 4) + number(2, 2) + number(0x0110, 2) +
                             number(2, 2) + number(1, 4) + number(0, 4) + number(0x0112, 2) + number(3, 2) +
                             number(1, 4) + number(static_cast<unsigned>(orientation), 2) + number(0, 2) + number(0, 4);
    const std::string content = test::bytes("Exif\0\0") + tiff;
    const std::size_t length = content.size() + 2;
    std::string segment = "\xff\xe1";
    segment.push_back(static_cast<char>(length >> 8U));
    segment.push_back(static_cast<char>(length));
    std::string file = test::jpeg_quarters;
    return file.insert(2, segment + content);
  };
  // Left above, right above, left below, right below.
  const std::vector<Pixels> expected = {{10, 50, 90, 130}, {50, 10, 130, 90}, {130, 90, 50, 10}, {90, 130, 10, 50},
                                        {10, 90, 50, 130}, {90, 10, 130, 50}, {130, 50, 90, 10}, {50, 130, 10, 90}};
  for (int orientation = 0; orientation <= 9; ++orientation) {
    for (const bool big : {false, true}) {
      const Image image = read(held(orientation, big));
      ASSERT_EQ(image.pixels.size(), 256U);
      const Pixels corners = {image.pixels[0], image.pixels[15], image.pixels[240], image.pixels[255]};
      const bool known = orientation >= 1 && orientation <= 8;
      EXPECT_EQ(corners, expected[known ? static_cast<std::size_t>(orientation - 1) : 0]) << orientation;
    }
  }
  // Width and height change places: 10 x 4 stored, held sideways.
  std::string sideways = test::jpeg_grey;
  const std::string quarter = held(6, true);
  sideways.insert(2, quarter.substr(2, quarter.size() - test::jpeg_quarters.size()));
  const Image image = read(sideways);
  EXPECT_EQ(image.width, 4U);
  EXPECT_EQ(image.height, 10U);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(image.pixels[i], i < 32 ? 100 : 200);
}

TEST(Image, PlainFormatsAsTextAndBinary) {
  expect_image(read("P2\n# a comment\n2 2 # another\n4\n0 1\n2 4\n"), 2, 2, 1, {0, 64, 128, 255});
  expect_image(read("P3 1 1 255 1 2 3"), 1, 1, 3, {1, 2, 3});
  expect_image(read("P5 2 1 255\nab"), 2, 1, 1, {'a', 'b'});
  expect_image(read(test::bytes("P6 1 1 65535\n\377\377\0\0\200\200")), 1, 1, 3, {255, 0, 128});
}

TEST(Image, WhatIsNoImageSaysWhatIsRead) {
  const std::string text = input_error([] { (void)read("hello"); });
  expect_contains(text, "no image");
  expect_contains(text, "PNG");
  expect_contains(input_error([] { (void)read(""); }), "no image");
  expect_contains(input_error([] { (void)read_image("/no/such/image"); }), "/no/such/image");
}

TEST(Image, ClaimedSizesAreCheckedBeforeAnythingIsAllocated) {
  expect_contains(input_error([] { (void)read("P5 20000 20000 255\n"); }), "at most 100000000");
  expect_contains(input_error([] { (void)read("P5 9000 9000 255\nabc"); }), "too short for 9000 x 9000");
  expect_contains(input_error([] { (void)read("P5 0 9 255\nabc"); }), "0 x 9");
  // The claimed size of a JPEG stands behind its SOF0 marker: height, then width.
  std::string large = test::jpeg_grey;
  const std::size_t frame = large.find("\xff\xc0");
  large.replace(frame + 5, 4, "\x27\x0f\x27\x0f");
  expect_contains(input_error([&] { (void)read(large); }), "too short for 9999 x 9999");
}

TEST(Image, CutFilesAreRefused) {
  for (const std::string* whole : {&test::png_grey, &test::png_interlaced, &test::jpeg_grey, &test::jpeg_colour}) {
    // Without its end marker a JPEG is whole, but its file is not.
    for (const std::size_t cut : {std::size_t{1}, std::size_t{4}, whole->size() / 2}) {
      EXPECT_FALSE(input_error([&] { (void)read(whole->substr(0, whole->size() - cut)); }).empty());
    }
  }
}

TEST(Image, ACorruptedPngIsRefused) {
  std::string damaged = test::png_grey;
  damaged[damaged.find("IDAT") + 8] ^= 0x10;
  expect_contains(input_error([&] { (void)read(damaged); }), "damaged PNG");
}

}  // namespace
}  // namespace bauta
