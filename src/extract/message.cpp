#include "message.hpp"

#include <cstring>

#include "bauta/core/error.hpp"

namespace bauta {

namespace {

// In the order of the variant.
enum class Kind : std::uint64_t { image, recording, motion };

}  // namespace

void MessageWriter::text(std::string_view value) {
  number(value.size());
  append(value.data(), value.size());
}

void MessageWriter::floats(std::span<const float> values) {
  number(values.size());
  append(values.data(), values.size_bytes());
}

void MessageWriter::medium(const Medium& value) {
  number(value.index());
  if (const auto* image = std::get_if<Image>(&value)) {
    number(image->width);
    number(image->height);
    number(image->channels);
    text({reinterpret_cast<const char*>(image->pixels.data()), image->pixels.size()});
  } else if (const auto* recording = std::get_if<Recording>(&value)) {
    real(recording->rate);
    floats(recording->samples);
  } else {
    const Motion& motion = std::get<Motion>(value);
    number(motion.frames);
    number(motion.joints);
    real(motion.rate);
    floats(motion.positions);
    number(motion.names.size());
    for (const std::string& name : motion.names) text(name);
  }
}

std::string_view MessageReader::take(std::uint64_t count, std::size_t size) {
  if (count > rest_.size() / size) throw_input("message", "is shorter than it says");
  const std::string_view part = rest_.substr(0, count * size);
  rest_.remove_prefix(part.size());
  return part;
}

std::uint64_t MessageReader::number() {
  std::uint64_t value = 0;
  std::memcpy(&value, take(sizeof value).data(), sizeof value);
  return value;
}

double MessageReader::real() {
  double value = 0;
  std::memcpy(&value, take(sizeof value).data(), sizeof value);
  return value;
}

std::string MessageReader::text() {
  return std::string(take(number()));
}

std::vector<float> MessageReader::floats() {
  const std::string_view bytes = take(number(), sizeof(float));
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

Medium MessageReader::medium() {
  switch (static_cast<Kind>(number())) {
    case Kind::image: {
      Image image;
      image.width = number();
      image.height = number();
      image.channels = number();
      const std::string pixels = text();
      image.pixels.assign(pixels.begin(), pixels.end());
      return image;
    }
    case Kind::recording: {
      const double rate = real();
      return Recording{rate, floats()};
    }
    case Kind::motion: {
      Motion motion;
      motion.frames = number();
      motion.joints = number();
      motion.rate = real();
      motion.positions = floats();
      for (std::uint64_t left = number(); left > 0; --left) motion.names.push_back(text());
      return motion;
    }
  }
  throw_input("message", "holds a medium of no known kind");
}

}  // namespace bauta
