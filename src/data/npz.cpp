// Reading and writing .npz. Writing uses zip64 fields only where a size or offset needs them.
#include "bauta/data/npz.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <zlib.h>

#include "bauta/core/error.hpp"
#include "text.hpp"
#include "zip_archive.hpp"

namespace bauta {

namespace {

constexpr std::uint64_t limit32 = 0xffffffff;
constexpr std::uint64_t alignment = 64;
constexpr std::uint16_t utf8_names = 0x0800;
constexpr std::uint16_t padding_field = 0xd935;  // the id that zipalign uses for the same purpose

/// Little-endian fields of a zip header, one after the other.
class Record {
 public:
  template <class T>
  Record& put(T value) {
    std::array<std::uint8_t, sizeof(T)> bytes{};
    store(bytes.data(), value);
    text_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return *this;
  }
  Record& u16(std::uint64_t value) { return put(static_cast<std::uint16_t>(value)); }
  // A value that does not fit becomes the mark that sends readers to the zip64 field.
  Record& u32(std::uint64_t value) { return put(static_cast<std::uint32_t>(std::min(value, limit32))); }
  Record& u64(std::uint64_t value) { return put(value); }
  Record& text(std::string_view bytes) {
    text_.append(bytes);
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return text_; }

 private:
  std::string text_;
};

// For texts that are known to be well-formed.
std::u32string decode_utf8(std::string_view text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t extra = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    char32_t point = extra == 0 ? lead : lead & (0x3fU >> extra);
    for (std::size_t k = 1; k <= extra; ++k) point = (point << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
    points.push_back(point);
    i += extra + 1;
  }
  return points;
}

template <class T>
std::vector<std::uint8_t> dense_bytes(MatrixView<const T> values) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values.rows * values.cols * sizeof(T));
  for (std::size_t i = 0; i < values.rows; ++i) {
    const auto* row = reinterpret_cast<const std::uint8_t*>(values.row(i).data());
    bytes.insert(bytes.end(), row, row + values.cols * sizeof(T));
  }
  return bytes;
}

template <class T>
std::span<const std::uint8_t> as_bytes(MatrixView<const T> values, std::vector<std::uint8_t>& scratch) {
  if (!values.contiguous()) {
    scratch = dense_bytes(values);
    return scratch;
  }
  return {reinterpret_cast<const std::uint8_t*>(values.data), values.rows * values.cols * sizeof(T)};
}

}  // namespace

std::vector<NpzArray> read_npz(const std::filesystem::path& path, std::string_view required,
                               std::vector<std::string>& remarks) {
  const ZipArchive archive = ZipArchive::open(path);
  std::vector<NpzArray> arrays;
  for (const ZipEntry& entry : archive.entries()) {
    std::string key = entry.name;
    if (key.ends_with(".npy")) key.resize(key.size() - 4);
    const std::string origin = fmt::format("{} array '{}'", path.string(), key);
    if (!is_plain_utf8(key)) throw_input(path.string(), "an array's name is not UTF-8 text");
    // Damage to the archive is an error even in arrays that nobody asked for; only their content may be foreign.
    auto content = archive.read(entry);
    try {
      arrays.push_back({key, parse_npy(content.bytes, std::move(content.owner), origin)});
      arrays.back().array.mapped = content.mapped;
    } catch (const Error& error) {
      if (key == required) throw;
      remarks.push_back(fmt::format("{} is left out: {}", origin, error.finding));
    }
  }
  return arrays;
}

void NpzWriter::write(std::string_view bytes) {
  file_.write(bytes);
  offset_ += bytes.size();
}

void NpzWriter::add_entry(std::string_view key, const std::string& header, std::span<const std::uint8_t> data) {
  Written entry{std::string(key) + ".npy", 0, header.size() + data.size(), offset_};
  auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(header.data()), header.size());
  // An empty range may have no address, which crc32_z takes as a request for the start value.
  if (!data.empty()) crc = crc32_z(crc, data.data(), data.size());
  entry.crc = static_cast<std::uint32_t>(crc);

  const bool large = entry.size >= limit32;
  Record extra;
  if (large) extra.u16(1).u16(16).u64(entry.size).u64(entry.size);
  // The padding field itself takes four bytes.
  const std::uint64_t unpadded = offset_ + 30 + entry.name.size() + extra.bytes().size() + 4;
  const std::uint64_t padding = (alignment - unpadded % alignment) % alignment;
  extra.u16(padding_field).u16(padding).text(std::string(padding, '\0'));

  Record local;
  // 0x21 is 1 January 1980: equal content gives equal files.
  local.u32(0x04034b50).u16(large ? 45 : 20).u16(utf8_names).u16(0).u16(0).u16(0x21).u32(entry.crc);
  local.u32(large ? limit32 : entry.size).u32(large ? limit32 : entry.size);
  local.u16(entry.name.size()).u16(extra.bytes().size()).text(entry.name).text(extra.bytes());
  write(local.bytes());
  write(header);
  write({reinterpret_cast<const char*>(data.data()), data.size()});
  written_.push_back(std::move(entry));
}

void NpzWriter::add(std::string_view key, MatrixView<const float> values) {
  std::vector<std::uint8_t> scratch;
  add_entry(key, npy_header("<f4", std::array<std::uint64_t, 2>{values.rows, values.cols}), as_bytes(values, scratch));
}

void NpzWriter::add(std::string_view key, MatrixView<const double> values) {
  std::vector<std::uint8_t> scratch;
  add_entry(key, npy_header("<f8", std::array<std::uint64_t, 2>{values.rows, values.cols}), as_bytes(values, scratch));
}

void NpzWriter::add(std::string_view key, MatrixView<const std::uint8_t> codes) {
  std::vector<std::uint8_t> scratch;
  add_entry(key, npy_header("|u1", std::array<std::uint64_t, 2>{codes.rows, codes.cols}), as_bytes(codes, scratch));
}

void NpzWriter::add(std::string_view key, const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    BAUTA_ASSERT(is_plain_utf8(text));
    longest = std::max(longest, decode_utf8(text).size());
  }
  std::vector<std::uint8_t> data(texts.size() * longest * 4, 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::u32string points = decode_utf8(texts[i]);
    for (std::size_t k = 0; k < points.size(); ++k) {
      store(data.data() + (i * longest + k) * 4, static_cast<std::uint32_t>(points[k]));
    }
  }
  add_entry(key, npy_header(fmt::format("<U{}", longest), std::array<std::uint64_t, 1>{texts.size()}), data);
}

void NpzWriter::commit() {
  const std::uint64_t directory = offset_;
  for (const Written& entry : written_) {
    const bool large = entry.size >= limit32;
    const bool far = entry.offset >= limit32;
    Record extra;
    if (large || far) extra.u16(1).u16((large ? 16U : 0U) + (far ? 8U : 0U));
    if (large) extra.u64(entry.size).u64(entry.size);
    if (far) extra.u64(entry.offset);
    Record central;
    central.u32(0x02014b50).u16(45).u16(large || far ? 45 : 20).u16(utf8_names).u16(0).u16(0).u16(0x21);
    central.u32(entry.crc).u32(entry.size).u32(entry.size).u16(entry.name.size()).u16(extra.bytes().size());
    central.u16(0).u16(0).u16(0).u32(0).u32(entry.offset).text(entry.name).text(extra.bytes());
    write(central.bytes());
  }
  const std::uint64_t end = offset_;
  const std::uint64_t size = end - directory;
  const std::uint64_t count = written_.size();
  Record tail;
  // The zip64 end record and its locator stand between directory and end record.
  if (directory >= limit32 || size >= limit32 || count >= 0xffff) {
    tail.u32(0x06064b50).u64(44).u16(45).u16(45).u32(0).u32(0).u64(count).u64(count).u64(size).u64(directory);
    tail.u32(0x07064b50).u32(0).u64(end).u32(1);
  }
  const std::uint64_t count16 = std::min<std::uint64_t>(count, 0xffff);
  tail.u32(0x06054b50).u16(0).u16(0).u16(count16).u16(count16).u32(size).u32(directory).u16(0);
  write(tail.bytes());
  file_.commit();
}

}  // namespace bauta
