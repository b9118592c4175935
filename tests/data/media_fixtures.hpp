// Images and recordings, made byte by byte from their formats' definitions by Python 3.11 with its zlib, not by the
// libraries that read them here, unless their comment says otherwise. Their content stands in the comment above each.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "scratch.hpp"

namespace bauta::test {

// 2 x 2, 8 bits of grey: 0 85 / 170 255
inline const std::string png_grey = bytes(
    "\211PNG\15\n\32\n\0\0\0\15IHDR\0\0\0\2\0\0\0\2\10\0\0\0\0W\335R\370\0\0\0\16IDATx\332c`\10eX\365\37\0"
    "\3\255\1\377z\223\204\177\0\0\0\0IEND\256B`\202");

// 1 x 2, 16 bits of red, green, blue and alpha: 65535 0 32896 / 257 times 7 8 9
inline const std::string png_rgba16 = bytes(
    "\211PNG\15\n\32\n\0\0\0\15IHDR\0\0\0\1\0\0\0\2\20\6\0\0\0\311\21jd\0\0\0\32IDATx\332c\370\377\237\201"
    "\241\241A\310\204\201\235\235\203\203\223\223\201\1\0001\?\3u\253\217U\217\0\0\0\0IEND\256B`\202");

// 3 x 1, 2 bits of a palette 1 2 3 / 4 5 6 / 7 8 9 with transparency: entries 0 1 2
inline const std::string png_palette = bytes(
    "\211PNG\15\n\32\n\0\0\0\15IHDR\0\0\0\3\0\0\0\1\2\3\0\0\0f\216\374'\0\0\0\11PLTE\1\2\3\4\5\6\7\10\11%\205"
    "V\360\0\0\0\3tRNS\0\200\377\354\367\263\30\0\0\0\nIDATx\332c\220\0\0\0\32\0\31\200\0\216\273\0\0\0\0I"
    "END\256B`\202");

// 5 x 3, 8 bits of grey, interlaced (Adam7): value 10 y + x
inline const std::string png_interlaced = bytes(
    "\211PNG\15\n\32\n\0\0\0\15IHDR\0\0\0\5\0\0\0\3\10\0\0\0\1\11Z\252\262\0\0\0\36IDATx\332c```a`b\20\21\223"
    "``df\20\25g\340\342\346\341\345\3\0\0068\0\265\266rH!\0\0\0\0IEND\256B`\202");

// 3 x 2, lossless, by libwebp 1.2.4.
inline const std::string webp_colours = bytes(
    "\122\111\106\106\104\000\000\000\127\105\102\120\126\120\070\114\070\000\000\000\057\002\100\000\000\057"
    "\100\046\140\261\351\246\177\036\227\032\144\223\066\041\307\347\347\116\045\023\260\030\252\350\337\317"
    "\145\376\003\376\210\107\214\155\132\101\041\333\010\160\350\136\201\123\272\210\376\307\360\002");

// 8 x 8 of the inks 200, 100, 50, 204, by libjpeg-turbo.
inline const std::string jpeg_inks = bytes(
    "\377\330\377\333\000\103\000\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001"
    "\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001"
    "\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\377\300\000\024\010\000\010"
    "\000\010\004\103\021\000\115\021\000\131\021\000\113\021\000\377\304\000\025\000\001\001\000\000\000\000"
    "\000\000\000\000\000\000\000\000\000\000\012\010\377\304\000\024\020\001\000\000\000\000\000\000\000\000"
    "\000\000\000\000\000\000\000\000\377\332\000\016\004\103\000\115\000\131\000\113\000\000\077\000\110\010"
    "\174\143\311\201\377\331");

// The same numbers as light, as Adobe has them, in YCCK.
inline const std::string jpeg_adobe = bytes(
    "\377\330\377\356\000\016\101\144\157\142\145\000\144\000\000\000\000\002\377\333\000\103\000\001\001\001"
    "\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001"
    "\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001"
    "\001\001\001\001\001\001\001\001\001\377\333\000\103\001\001\001\001\001\001\001\001\001\001\001\001\001"
    "\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001"
    "\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001\001"
    "\377\300\000\024\010\000\010\000\010\004\001\042\000\002\021\001\003\021\001\004\042\000\377\304\000\026"
    "\000\001\001\001\000\000\000\000\000\000\000\000\000\000\000\000\000\000\005\012\377\304\000\024\020\001"
    "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\377\304\000\024\001\001\000\000\000\000"
    "\000\000\000\000\000\000\000\000\000\000\000\011\377\304\000\024\021\001\000\000\000\000\000\000\000\000"
    "\000\000\000\000\000\000\000\000\377\332\000\016\004\001\000\002\021\003\021\004\000\000\077\000\260\001"
    "\120\011\355\060\000\377\331");

// 10 x 4, grey, blocks with a mean only, in steps of one level: 128 - 28 in columns 0..7, 128 + 72 in 8 and 9
inline const std::string jpeg_grey = bytes(
    "\377\330\377\340\0\20JFIF\0\1\1\0\0\1\0\1\0\0\377\333\0C\0\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10"
    "\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10"
    "\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\377\300\0\13\10\0\4\0\n\1\1\21\0\377\304\0\34\0\0\0\0\11"
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\1\2\3\4\5\6\7\10\377\304\0\24\20\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\377\332"
    "\0\10\1\1\0\0\?\0Q\237#\377\331");

// 8 x 8, Y Cb Cr = 150 100 180 throughout
inline const std::string jpeg_colour = bytes(
    "\377\330\377\340\0\20JFIF\0\1\1\0\0\1\0\1\0\0\377\333\0C\0\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10"
    "\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10"
    "\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\377\300\0\21\10\0\10\0\10\3\1\21\0\2\21\0\3\21\0\377\304"
    "\0\34\0\0\0\0\11\0\0\0\0\0\0\0\0\0\0\0\0\0\1\2\3\4\5\6\7\10\377\304\0\24\20\1\0\0\0\0\0\0\0\0\0\0\0\0"
    "\0\0\0\0\377\332\0\14\3\1\0\2\0\3\0\0\?\0[\24f\321\377\331");

// 16 x 16, grey, four blocks: 10 50 / 90 130
inline const std::string jpeg_quarters = bytes(
    "\377\330\377\340\0\20JFIF\0\1\1\0\0\1\0\1\0\0\377\333\0C\0\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10"
    "\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10"
    "\10\10\10\10\10\10\10\10\10\10\10\10\10\10\10\377\300\0\13\10\0\20\0\20\1\1\21\0\377\304\0\34\0\0\0\0"
    "\11\0\0\0\0\0\0\0\0\0\0\0\0\0\1\2\3\4\5\6\7\10\377\304\0\24\20\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\377\332"
    "\0\10\1\1\0\0\?\0q&\240\324\32\207\377\331");

// The same with Exif data that say 6: turn it clockwise.
inline const std::string jpeg_turned =
    std::string(jpeg_quarters)
        .insert(2, bytes("\377\341\0\42Exif\0\0MM\0*\0\0\0\10\0\1\1\22\0\3\0\0\0\1\0\6\0\0\0\0\0\0"));

// Python 3.11 wave: 8 kHz, 16 bits, two channels: (16384, 0) (-32768, -32768) (32767, 1) (100, -100)
inline const std::string wav_stereo = bytes(
    "RIFF4\0\0\0WAVEfmt \20\0\0\0\1\0\2\0@\37\0\0\0}\0\0\4\0\20\0data\20\0\0\0\0@\0\0\0\200\0\200\377\177\1"
    "\0d\0\234\377");

// libsndfile 1.2.0: 8 kHz, 16 bits, 40 samples: k * k * 97 mod 2048 - 1024
inline const std::string flac_mono = bytes(
    "fLaC\0\0\0\"\20\0\20\0\0\0E\0\0E\1\364\0\360\0\0\0(`\304d6\272\324\372\320\11\370\227\243\204\302d\275"
    "\204\0\0( \0\0\0reference libFLAC 1.4.2 20221022\0\0\0\0\377\370d\10\0'\26\20\2\237\375\317S\336\226\241"
    "\2\206\364\215\272\357\352\305\362=\222\220\?ow\320K\377\300\263\2736\271\3\0316C\216\367\373D\366\361"
    "\311w\325K\4D(\1P\220!\353n\372\271[w]I\4");

inline std::string little(std::int64_t value, int size) {
  std::string text;
  for (int i = 0; i < size; ++i) text.push_back(static_cast<char>(value >> std::min(8 * i, 63)));
  return text;
}

inline std::string words(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += little(value, 2);
  return text;
}

/// A C3D file from the format's definition: points are four values each, in the order of the frames.
struct C3d {
  char processor = 84;  // Intel; 85: DEC, 86: MIPS
  int markers = 1;
  int channels = 0;
  int first = 1, last = 1;
  std::string scale = {};       ///< of the header, four bytes
  std::string parameters = {};  ///< made by c3d_group() and c3d_parameter()
  std::string data = {};

  [[nodiscard]] std::string word(int value) const {
    std::string text = little(value, 2);
    if (processor == 86) std::swap(text[0], text[1]);
    return text;
  }
  /// Group `id`.
  [[nodiscard]] std::string group(int id, const std::string& name) const {
    return std::string(1, static_cast<char>(name.size())) + static_cast<char>(-id) + name + word(3) + '\0';
  }
  /// One of a group; `type`: -1 characters, 1, 2 or 4 bytes a value.
  [[nodiscard]] std::string parameter(int id, const std::string& name, int type, const std::string& extents,
                                      const std::string& values) const {
    const std::string content = static_cast<char>(type) + (static_cast<char>(extents.size()) + extents) + values + '\0';
    return std::string(1, static_cast<char>(name.size())) + static_cast<char>(id) + name +
           word(2 + static_cast<int>(content.size())) + content;
  }
  [[nodiscard]] std::string bytes() const {
    std::string file = std::string("\2P") + word(markers) + word(channels) + word(first) + word(last) + word(0) +
                       scale + word(4) + word(0) + std::string(4, '\0');
    file.resize(512);
    file += std::string("\1P\2", 3) + processor + parameters;
    file.resize(512 * 3);
    return file + data;
  }
};

/// A header of 40 bytes, then what comes before the pixels, then these.
struct BmpSize {
  int width, height, depth, compression = 0, colours = 0;
};
inline std::string bmp(const BmpSize& size, const std::string& before, const std::string& rows) {
  const auto offset = static_cast<std::int64_t>(54 + before.size());
  return "BM" + little(offset + static_cast<std::int64_t>(rows.size()), 4) + little(0, 4) + little(offset, 4) +
         little(40, 4) + little(size.width, 4) + little(size.height, 4) + little(1, 2) + little(size.depth, 2) +
         little(size.compression, 4) + little(0, 12) + little(size.colours, 4) + little(0, 4) + before + rows;
}

}  // namespace bauta::test
