// Every reader of files with undamaged examples, for tests that damage them.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bauta/core/error.hpp"
#include "bauta/data/dataset.hpp"
#include "bauta/data/image.hpp"
#include "bauta/data/motion.hpp"
#include "bauta/data/npy.hpp"
#include "bauta/data/npz.hpp"
#include "bauta/data/provenance_file.hpp"
#include "bauta/data/recording.hpp"
#include "bauta/data/score_file.hpp"
#include "fixtures.hpp"
#include "media_fixtures.hpp"

namespace bauta::test {

/// Victims of one name have one reader.
struct Victim {
  std::string name;
  std::string bytes;  ///< undamaged
  std::function<void(const std::string& bytes)> read;
};

inline void use_array(const NpyArray& array) {
  const std::function<void()> uses[] = {[&] { to_float_templates(array); }, [&] { to_codes(array); },
                                        [&] { to_bit_templates(array, 10); }, [&] { to_text_column(array); }};
  for (const auto& use : uses) {
    try {
      use();
    } catch (const Error&) {  // most conversions do not fit most arrays
    }
  }
}

inline void read_npy_bytes(const std::string& bytes) {
  // A block of exactly this size, so that the sanitizer sees a read beyond it.
  const std::shared_ptr<std::uint8_t[]> block(new std::uint8_t[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), block.get());
  use_array(parse_npy({block.get(), bytes.size()}, block, "fuzz"));
}

inline void read_scores(const std::filesystem::path& path) {
  const auto reader = ScoreReader::open(path);
  ScoreRows rows;
  while (reader->next(rows)) {
  }
}

inline std::vector<Victim> victims(const Scratch& scratch) {
  std::vector<Victim> all;
  for (const std::string* bytes : {&float32_c, &float16_fortran, &float64_big, &unicode_text, &byte_text, &int16_big_v2,
                                   &uint8_v3, &objects, &packed_bits}) {
    all.push_back({"npy", *bytes, read_npy_bytes});
  }
  for (const std::string* bytes : {&stored_npz, &deflated_npz, &descriptor_npz}) {
    all.push_back({"npz", *bytes, [&scratch](const std::string& text) {
                     std::vector<std::string> remarks;
                     for (const auto& entry : read_npz(scratch.write("x.npz", text), "", remarks))
                       use_array(entry.array);
                   }});
  }
  all.push_back({"npz data set", deflated_npz,
                 [&scratch](const std::string& text) { read_dataset(scratch.write("x.npz", text)); }});
  scratch.write("folder/templates.npy", float32_c);
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
  const std::string header = bytes("2 2 \x78\x56\x34\x12\n");
  const std::string matrix = "D2\nt\nq\nMF " + header + std::string(16, '\1');
  const std::string mask = "S2\nt\nq\nMB " + header + bytes("\377\177\177\0");
  all.push_back({"mtx", matrix, [&scratch, mask](const std::string& text) {
                   scratch.write("s.mask", mask);
                   read_scores(scratch.write("s.mtx", text));
                 }});
  all.push_back({"mask", mask, [&scratch, matrix](const std::string& text) {
                   scratch.write("s.mask", text);
                   read_scores(scratch.write("s.mtx", matrix));
                 }});
  for (const std::string* bytes : {&jpeg_grey, &jpeg_colour, &jpeg_turned, &jpeg_inks}) {
    all.push_back({"jpeg", *bytes, [&scratch](const std::string& text) { read_image(scratch.write("image", text)); }});
  }
  for (const std::string* bytes : {&png_grey, &png_rgba16, &png_palette, &png_interlaced}) {
    all.push_back({"png", *bytes, [&scratch](const std::string& text) { read_image(scratch.write("image", text)); }});
  }
  for (const std::string& bytes : {webp_colours, bmp({2, 2, 24}, "", std::string(16, 'x')),
                                   bmp({3, 1, 4, 0, 2}, "abcdefgh", std::string("\20\20\0\0", 4))}) {
    all.push_back({bytes.starts_with("BM") ? "bmp" : "webp", bytes,
                   [&scratch](const std::string& text) { read_image(scratch.write("image", text)); }});
  }
  for (const char* text : {"P2\n# c\n2 2 4\n0 1 2 4\n", "P6 1 2 255\nabcdef"}) {
    all.push_back({"pnm", text, [&scratch](const std::string& t) { read_image(scratch.write("image", t)); }});
  }
  for (const std::string* bytes : {&wav_stereo, &flac_mono}) {
    all.push_back({"recording", *bytes,
                   [&scratch](const std::string& text) { read_recording(scratch.write("recording", text)); }});
  }
  all.push_back({"motion", npy_header("<f4", std::array<std::uint64_t, 3>{2, 2, 3}) + std::string(48, '\1'),
                 [&scratch](const std::string& text) { read_motion(scratch.write("motion.npy", text)); }});
  all.push_back({"trc",
                 "PathFileType\t4\t(X/Y/"
                 "Z)\tx\nDataRate\tNumMarkers\n30\t1\nFrame#\tTime\tLKNE\t\t\n\t\tX1\tY1\tZ1\n1\t0\t1\t2\t3\n"
                 "2\t0.1\t\t\t\n3\t0.2\t4\t5\t6\n",
                 [&scratch](const std::string& text) { read_motion(scratch.write("motion.trc", text)); }});
  all.push_back({"bvh",
                 "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 4 Xposition Zrotation Xrotation Yrotation\nEnd "
                 "Site\n{\nOFFSET 0 1 0\n}\n}\n"
                 "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3 4\n5 6 7 8\n",
                 [&scratch](const std::string& text) { read_motion(scratch.write("motion.bvh", text)); }});
  C3d markers{.last = 2, .scale = little(0x40000000, 4), .data = words({1, 2, 3, 4, 5, 6, 7, 8})};
  markers.parameters =
      markers.group(1, "POINT") + markers.parameter(1, "LABELS", -1, "\4\1", "LKNE") + std::string(2, '\0');
  all.push_back({"c3d", markers.bytes(),
                 [&scratch](const std::string& text) { read_motion(scratch.write("motion.c3d", text)); }});
  all.push_back({"motion csv", "time,a_x,a_y,a_z\n0,1,2,3\n0.1,,5,6\n0.2,7,8,9\n",
                 [&scratch](const std::string& text) { read_motion(scratch.write("motion.csv", text)); }});
  return all;
}

}  // namespace bauta::test
