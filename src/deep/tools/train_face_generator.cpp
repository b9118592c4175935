// Trains the generator that comes with face-replace, by the deep room alone, where the rest of the program is not
// built:
//   bauta-train-face-generator IMAGES PEOPLE MODELS OUT [key=value ...]
// IMAGES are aligned crops of 112 x 112 pixels, red, green and blue byte by byte, one after the other; PEOPLE has a
// name for each, line by line; MODELS is the folder of @vladmandic/face-api. OUT receives weights.f32, log.csv and
// samples.ppm after every `every` epochs and in the end: names and shapes of arrays and then their numbers; losses; for
// held-out people the image, what the generator is shown, and what it paints with six codes.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "bauta/core/device.hpp"
#include "bauta/core/error.hpp"
#include "bauta/core/parallel.hpp"
#include "bauta/core/random.hpp"
#include "bauta/deep/face_canvas.hpp"
#include "bauta/deep/face_landmarks.hpp"
#include "bauta/deep/image_trainer.hpp"
#include "bauta/deep/sampling.hpp"

namespace bauta {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t crop = 112, channels = 3, codes = 6, shown_people = 16;

using Values = std::map<std::string, double>;

double take(Values& values, const std::string& name, double otherwise) {
  const auto found = values.find(name);
  if (found == values.end()) return otherwise;
  const double value = found->second;
  values.erase(found);
  return value;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw_input(file.string(), "cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Means of blocks, from -1 to 1, channel after channel.
std::vector<float> shrunk(std::span<const unsigned char> pixels, std::size_t size) {
  const std::size_t block = crop / size;
  std::vector<float> planes(channels * size * size, 0.0F);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const std::size_t x = i / channels % crop / block, y = i / channels / crop / block;
    planes[i % channels * size * size + y * size + x] += pixels[i];
  }
  for (float& value : planes) value = value / (127.5F * static_cast<float>(block * block)) - 1;
  return planes;
}

struct Faces {
  Matrix<float> images, spots;
  std::vector<std::int32_t> people;
};

/// Those in which a face is found.
Faces read_faces(const fs::path& images, const fs::path& names_file, const FaceLandmarks& landmarks, std::size_t size) {
  const std::string bytes = bytes_of(images);
  constexpr std::size_t length = crop * crop * channels;
  std::ifstream names(names_file);
  std::map<std::string, std::int32_t> known;
  std::vector<std::int32_t> people;
  for (std::string name; std::getline(names, name);) {
    people.push_back(known.emplace(name, static_cast<std::int32_t>(known.size())).first->second);
  }
  if (bytes.size() != people.size() * length) {
    throw_input(images.string(), fmt::format("holds {} bytes for {} names", bytes.size(), people.size()));
  }
  const auto pixels = [&](std::size_t i) {
    return std::span(reinterpret_cast<const unsigned char*>(bytes.data()) + i * length, length);
  };
  std::vector<std::optional<FacePoints>> points(people.size());
  parallel_for(people.size(), [&](std::size_t i, int) {
    std::vector<float> seen = shrunk(pixels(i), crop);
    for (float& value : seen) value = 127.5F * (value + 1);
    points[i] = face_points(landmarks, seen);
  });
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i]) found.push_back(i);
  }
  fmt::print("{} images, a face is found in {}\n", people.size(), found.size());
  Faces faces{
      Matrix<float>(found.size(), channels * size * size), Matrix<float>(found.size(), spot_planes * size * size), {}};
  parallel_for(found.size(), [&](std::size_t i, int) {
    std::ranges::copy(shrunk(pixels(found[i]), size), faces.images.row(i).begin());
    std::ranges::copy(spots(*points[found[i]], size), faces.spots.row(i).begin());
  });
  for (const std::size_t i : found) faces.people.push_back(people[i]);
  return faces;
}

void write_weights(const ImageNetwork& network, const fs::path& file) {
  std::ofstream stream(file.string() + ".new", std::ios::binary);
  const std::map<std::string, Matrix<float>> arrays = arrays_of(network);
  for (const auto& [name, values] : arrays) stream << fmt::format("{} {} {}\n", name, values.rows(), values.cols());
  stream << "\n";
  for (const auto& [name, values] : arrays) {
    stream.write(reinterpret_cast<const char*>(values.data()),
                 static_cast<std::streamsize>(values.size() * sizeof(float)));
  }
  stream.close();
  fs::rename(file.string() + ".new", file);
}

/// One row of a picture of samples: the image, what is shown of it, and faces painted into it.
std::vector<std::vector<float>> sample_row(const ImageNetwork& network, std::span<const float> image,
                                           std::span<const float> spots, const std::vector<float>& region,
                                           std::size_t person) {
  const std::size_t pixels = region.size();
  std::vector<std::vector<float>> row(2, {image.begin(), image.end()});
  std::vector<float> shown(image.begin(), image.end());
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i] *= 1 - region[i % pixels];
  for (std::size_t i = 0; i < shown.size(); ++i) row[1][i] = std::max(shown[i], spots[i] > 0.3F ? 1.0F : -1.0F);
  shown.insert(shown.end(), region.begin(), region.end());
  shown.insert(shown.end(), spots.begin(), spots.end());
  Stream stream(5, "samples", person);
  for (std::size_t k = 0; k < codes; ++k) {
    std::vector<float> code(network.code_length()), painted(image.size());
    stream.normals(std::span(code));
    network.forward(shown, code, painted);
    for (std::size_t i = 0; i < painted.size(); ++i) {
      if (region[i % pixels] == 0) painted[i] = image[i];
    }
    row.push_back(std::move(painted));
  }
  return row;
}

void write_samples(const ImageNetwork& network, const Faces& faces, const std::vector<std::int64_t>& rows,
                   const std::vector<float>& region, const fs::path& file) {
  const std::size_t size = network.size, width = (codes + 2) * size, count = std::min(shown_people, rows.size());
  std::string picture(width * count * size * channels, '\0');
  parallel_for(count, [&](std::size_t r, int) {
    const auto row = static_cast<std::size_t>(rows[r * rows.size() / count]);
    const auto cells = sample_row(network, faces.images.row(row), faces.spots.row(row), region, r);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      for (std::size_t i = 0; i < cells[c].size(); ++i) {
        const std::size_t x = c * size + i % size, y = r * size + i / size % size;
        const float value = std::clamp(127.5F * (cells[c][i] + 1) + 0.5F, 0.0F, 255.0F);
        picture[(y * width + x) * channels + i / (size * size)] = static_cast<char>(static_cast<unsigned char>(value));
      }
    }
  });
  std::ofstream(file, std::ios::binary) << fmt::format("P6\n{} {}\n255\n", width, count * size) << picture;
}

GeneratorOptions options_of(Values& values) {
  GeneratorOptions options;
  const auto whole = [&](const char* name, std::size_t otherwise) {
    return static_cast<std::size_t>(take(values, name, static_cast<double>(otherwise)));
  };
  ImageNetworkOptions& network = options.network;
  network.size = whole("size", crop);
  network.width = whole("width", 24);
  network.widest = whole("widest", network.widest);
  network.code = whole("code", network.code);
  network.planes = 1 + spot_planes;
  network.training.epochs = whole("epochs", 100);
  network.training.batch = whole("batch", 32);
  network.training.rate = take(values, "rate", 5e-4);
  network.training.seed = whole("seed", 1);
  network.training.device = take(values, "cuda", 1) > 0 ? Device::cuda : Device::cpu;
  options.divergence = take(values, "divergence", options.divergence);
  options.adversarial = take(values, "adversarial", options.adversarial);
  options.diversity = take(values, "diversity", options.diversity);
  options.apart = take(values, "apart", options.apart);
  options.identity = take(values, "identity", options.identity);
  options.stranger = take(values, "stranger", options.stranger);
  options.steepness = take(values, "steepness", options.steepness);
  return options;
}

int train(const std::vector<std::string>& arguments) {
  if (arguments.size() < 4) throw_usage("arguments", "are IMAGES PEOPLE MODELS OUT [key=value ...]");
  const fs::path out = arguments[3];
  Values values;
  for (std::size_t i = 4; i < arguments.size(); ++i) {
    const std::size_t sign = arguments[i].find('=');
    if (sign == std::string::npos) throw_usage(arguments[i], "is no key=value");
    values[arguments[i].substr(0, sign)] = std::stod(arguments[i].substr(sign + 1));
  }
  GeneratorOptions options = options_of(values);
  const double seconds = take(values, "seconds", 1e9);
  const auto every = static_cast<std::size_t>(take(values, "every", 10));
  if (!values.empty()) throw_usage(values.begin()->first, "is no parameter");

  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const Faces faces = read_faces(arguments[0], arguments[1], *load_face_landmarks(arguments[2]), options.network.size);
  fmt::print("read in {:.1f} s\n", elapsed());
  const TrainingSet set{faces.images.view(), faces.people,
                        hold_out_subjects(faces.people, 0.05, Stream(1, "generator.held-out"))};
  const std::vector<float> region = aligned_face.cells(options.network.size);
  const std::map<std::string, TfjsTensor> face_net = face_net_weights(arguments[2]);
  options.face_net = &face_net;
  options.face_frame = frame_of_aligned_crop(static_cast<double>(options.network.size));
  std::ofstream log(out / "log.csv");
  log << "epoch,seconds,training,validation,critic,deceived,sameness\n";
  const auto write = [&](const ImageNetwork& network) {
    write_weights(network, out / "weights.f32");
    write_samples(network, faces, set.rows(true), region, out / "samples.ppm");
  };
  options.goes_on = [&](const GeneratorProgress& so_far) {
    const std::size_t epoch = so_far.report->epochs();
    const std::string line = fmt::format("{},{:.1f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f}\n", epoch, elapsed(),
                                         so_far.report->training_losses.back(), so_far.report->validation_losses.back(),
                                         so_far.critic, so_far.deceived, so_far.sameness);
    log << line << std::flush;
    if (epoch % 5 == 1 || epoch == options.network.training.epochs) fmt::print("{}", line);
    std::fflush(stdout);
    if (epoch % every == 0) write(*so_far.network);
    return elapsed() < seconds;
  };
  const TrainedImageNetwork trained = image_trainer().train_generator(set, region, faces.spots.view(), options);
  write(trained.network);
  fmt::print("{} epochs in {:.1f} s\n", trained.report.epochs(), elapsed());
  return 0;
}

}  // namespace
}  // namespace bauta

int main(int count, char** arguments) {
  try {
    return bauta::train({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
