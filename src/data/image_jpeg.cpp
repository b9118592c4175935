// JPEG through libjpeg-turbo. Its errors come by longjmp, so the functions that it may jump out of hold nothing that
// has to be destroyed.
#include <csetjmp>
#include <cstdio>
#include <utility>

#include <jpeglib.h>
// jerror.h needs the types of jpeglib.h.
#include <jerror.h>

#include "bauta/core/error.hpp"
#include "image_formats.hpp"

namespace bauta {

namespace {

// A block of 64 samples takes at least one bit.
constexpr std::uint64_t pixels_per_byte = 64 * 8;
// Encoders make about ten; each further one costs a pass over the whole image.
constexpr int most_scans = 100;

constexpr int exif_marker = JPEG_APP0 + 1;

struct Decoder {
  jpeg_decompress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf escape{};
  char message[JMSG_LENGTH_MAX] = {};
  bool truncated = false;

  Decoder();
  ~Decoder() { jpeg_destroy_decompress(&jpeg); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
};

Decoder& owner(j_common_ptr jpeg) {
  return *static_cast<Decoder*>(jpeg->client_data);
}

[[noreturn]] void on_error(j_common_ptr jpeg) {
  jpeg->err->format_message(jpeg, owner(jpeg).message);
  std::longjmp(owner(jpeg).escape, 1);
}

void on_message(j_common_ptr jpeg, int level) {
  if (level >= 0) return;  // tracing
  // Other warnings concern single blocks or stray bytes, with which many a camera's images are seen every day.
  const int code = jpeg->err->msg_code;
  if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER) owner(jpeg).truncated = true;
}

void on_progress(j_common_ptr jpeg) {
  if (jpeg->is_decompressor == 0) return;
  if (owner(jpeg).jpeg.input_scan_number <= most_scans) return;
  std::snprintf(owner(jpeg).message, JMSG_LENGTH_MAX, "more than %d scans", most_scans);
  std::longjmp(owner(jpeg).escape, 1);
}

Decoder::Decoder() {
  jpeg.err = jpeg_std_error(&errors);
  errors.error_exit = on_error;
  errors.emit_message = on_message;
  errors.output_message = [](j_common_ptr) {};
  progress.progress_monitor = on_progress;
  jpeg.client_data = this;
}

/// False if it failed; then `message` says why.
bool read_header(Decoder& decoder, const std::uint8_t* bytes, std::size_t size) {
  if (setjmp(decoder.escape) != 0) return false;
  jpeg_create_decompress(&decoder.jpeg);
  decoder.jpeg.client_data = &decoder;  // which the line above has cleared
  decoder.jpeg.progress = &decoder.progress;
  jpeg_mem_src(&decoder.jpeg, bytes, size);
  jpeg_save_markers(&decoder.jpeg, exif_marker, 0xffff);
  jpeg_read_header(&decoder.jpeg, TRUE);
  return true;
}

bool read_rows(Decoder& decoder, std::uint8_t* pixels, std::size_t row_size) {
  if (setjmp(decoder.escape) != 0) return false;
  jpeg_decompress_struct& jpeg = decoder.jpeg;
  // The exact transform of the library: the same bits wherever it runs.
  jpeg.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&jpeg);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = pixels + jpeg.output_scanline * row_size;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  return true;
}

/// What is left of white behind cyan, magenta, yellow and black. Adobe's programs store how much light passes instead
/// of how much ink there is, and say who they are.
Image without_inks(const Image& printed, bool light) {
  Image image{printed.width, printed.height, 3, {}};
  image.pixels.reserve(image.width * image.height * 3);
  for (std::size_t i = 0; i < printed.pixels.size(); i += 4) {
    const auto passed = [&](std::size_t ink) -> unsigned {
      const std::uint8_t value = printed.pixels[i + ink];
      return light ? value : 255U - value;
    };
    for (std::size_t c = 0; c < 3; ++c) {
      image.pixels.push_back(static_cast<std::uint8_t>((passed(c) * passed(3) + 127) / 255));
    }
  }
  return image;
}

}  // namespace

Image decode_jpeg(ImageBytes bytes, const std::string& where, Extent extent) {
  Decoder decoder;
  const auto refuse = [&] { throw_input(where, std::string("is a damaged JPEG: ") + decoder.message); };
  if (!read_header(decoder, bytes.data(), bytes.size())) refuse();
  jpeg_decompress_struct& jpeg = decoder.jpeg;
  int orientation = 1;
  for (const jpeg_marker_struct* marker = jpeg.marker_list; marker != nullptr; marker = marker->next) {
    if (orientation == 1 && marker->marker == exif_marker) {
      orientation = exif_orientation({marker->data, marker->data_length});
    }
  }
  const bool grey = jpeg.num_components == 1;
  const bool inks = jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK;
  jpeg.out_color_space = grey ? JCS_GRAYSCALE : inks ? JCS_CMYK : JCS_RGB;
  const std::size_t channels = grey ? 1 : inks ? 4 : 3;
  Image image =
      checked_image({jpeg.image_width, jpeg.image_height, channels}, pixels_per_byte * bytes.size(), extent, where);
  if (extent == Extent::shape) {
    image.channels = grey ? 1 : 3;
    return turned(std::move(image), orientation);
  }
  if (!read_rows(decoder, image.pixels.data(), image.width * channels)) refuse();
  if (decoder.truncated) throw_input(where, "is a damaged JPEG: it ends too early");
  if (inks) image = without_inks(image, jpeg.saw_Adobe_marker != 0);
  return turned(std::move(image), orientation);
}

}  // namespace bauta
