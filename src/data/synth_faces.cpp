// Faces: soft-edged ellipses and strokes whose places and sizes belong to the identity.
#include <algorithm>
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "medium_formats.hpp"
#include "synth_folder.hpp"

namespace bauta {

namespace {

constexpr std::size_t edge = 64;

// Lengths in pixels, tones from 0 (black) to 1.
struct Face {
  double width = 0, height = 0;  // half axes of the head
  double eye_distance = 0, eye_height = 0, eye_size = 0;
  double brow = 0;  // above the eyes
  double nose = 0, mouth_width = 0, mouth_height = 0;
  double skin = 0, hair = 0, hairline = 0;
};

Face draw_face(std::uint64_t seed, std::size_t identity, bool light) {
  Stream stream(seed, "synth face", identity);
  const auto about = [&](double mean, double deviation) { return mean + deviation * stream.normal(); };
  Face face;
  face.width = about(20, 1.5);
  face.height = about(27, 1.5);
  face.eye_distance = about(9, 0.8);
  face.eye_height = about(-4, 1);
  face.eye_size = about(2.6, 0.3);
  face.brow = about(5, 0.6);
  face.nose = about(8, 1);
  face.mouth_width = about(8, 0.9);
  face.mouth_height = about(13, 0.9);
  face.skin = about(0.7, 0.06);
  face.hair = about(light ? 0.5 : 0.15, 0.04);
  face.hairline = about(-15, 1.5);
  return face;
}

/// 1 inside, 0 outside, over about one pixel; `distance` from the edge, negative inside.
double inside(double distance) {
  return std::clamp(0.5 - distance, 0.0, 1.0);
}

double ellipse(double x, double y, double a, double b) {
  return (std::hypot(x / a, y / b) - 1) * std::min(a, b);
}

double tone_at(const Face& face, double x, double y, bool smile) {
  double tone = 0.9;  // background
  const auto paint = [&](double cover, double with) { tone += cover * (with - tone); };
  paint(inside(ellipse(x, y + 3, face.width + 3, face.height + 1)) * inside(y - 4), face.hair);
  paint(inside(ellipse(x, y, face.width, face.height)) * inside(face.hairline - y), face.skin);
  const double across = std::abs(x) - face.eye_distance;  // both halves alike
  const double above = y - face.eye_height;
  paint(inside(ellipse(across, above, face.eye_size * 1.5, face.eye_size)), 0.95);
  paint(inside(ellipse(across, above, face.eye_size * 0.7, face.eye_size * 0.7)), 0.1);
  paint(inside(std::max(std::abs(across) - face.eye_size * 1.6, std::abs(above + face.brow) - 0.9)), face.hair);
  paint(inside(std::max(std::abs(x) - 1, std::abs(above - face.nose / 2) - face.nose / 2)) * 0.4, face.skin * 0.6);
  const double bend = smile ? 3.5 * (1 - std::pow(x / face.mouth_width, 2)) - 1.5 : 0;
  paint(inside(std::max(std::abs(x) - face.mouth_width, std::abs(y - face.mouth_height - bend) - 1.1)), 0.25);
  return tone;
}

}  // namespace

std::string synthesize_faces(const std::filesystem::path& folder, const SynthMediaOptions& options) {
  std::vector<Face> faces;
  nlohmann::ordered_json truth = {
      {"kind", "faces"}, {"seed", options.seed}, {"faces", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < options.identities; ++i) {
    faces.push_back(draw_face(options.seed, i, i % 2 == 1));
    truth["faces"].push_back({{"identity", synth_identity(i, options)},
                              {"eye_distance", 2 * faces.back().eye_distance},
                              {"mouth_width", 2 * faces.back().mouth_width},
                              {"skin", faces.back().skin},
                              {"hair", faces.back().hair}});
  }
  write_synth_folder(folder, options, ".png", {{"hair", {"dark", "light"}, true}, {"expression", {"neutral", "smile"}}},
                     [&](std::size_t identity, std::size_t sample, const std::vector<std::size_t>& classes) {
                       Stream stream(options.seed, "synth face sample", identity * options.samples + sample);
                       const double right = stream.normal(), down = stream.normal();
                       const double size = std::exp(0.03 * stream.normal()), light = std::exp(0.08 * stream.normal());
                       std::vector<std::uint8_t> pixels;
                       for (std::size_t row = 0; row < edge; ++row) {
                         for (std::size_t column = 0; column < edge; ++column) {
                           const double x = (static_cast<double>(column) - (edge - 1) / 2.0 - right) / size;
                           const double y = (static_cast<double>(row) - (edge - 1) / 2.0 - 2 - down) / size;
                           const double tone =
                               light * tone_at(faces[identity], x, y, classes[1] == 1) + 0.02 * stream.normal();
                           pixels.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(tone, 0.0, 1.0))));
                         }
                       }
                       return png_of({edge, edge, 1, std::move(pixels)});
                     });
  return truth.dump(2) + "\n";
}

}  // namespace bauta
