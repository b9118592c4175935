// Zip reading after PKWARE's APPNOTE: end record, central directory, local headers, entries.
#include "zip_archive.hpp"

#include <algorithm>
#include <new>
#include <unordered_set>

#include <fmt/format.h>
#include <zlib.h>

#include "bauta/core/checked.hpp"
#include "bauta/core/error.hpp"
#include "bauta/data/bytes.hpp"

namespace bauta {

namespace {

constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::uint32_t central_signature = 0x02014b50;
constexpr std::uint32_t end_signature = 0x06054b50;
constexpr std::uint32_t end64_signature = 0x06064b50;
constexpr std::uint32_t locator_signature = 0x07064b50;
constexpr std::uint64_t local_size = 30;
constexpr std::uint64_t central_size = 46;
constexpr std::uint64_t end_size = 22;
constexpr std::uint64_t end64_size = 56;
constexpr std::uint64_t locator_size = 20;
constexpr std::uint64_t longest_comment = 0xffff;
constexpr std::uint16_t encrypted_flags = 0x2041;  // encrypted, strongly encrypted, masked headers
constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;
constexpr std::uint64_t largest_ratio = 1100;  // deflate reaches 1032 at best
constexpr std::uint64_t chunk = std::uint64_t{1} << 30;

/// Inflates all of `from` into exactly `size` bytes; false if the stream is damaged or has another size.
bool inflate_all(std::span<const std::uint8_t> from, std::uint8_t* to, std::uint64_t size) {
  // A negative window size means a raw stream without zlib header, as zip has it. Counters of z_stream have 32 bits.
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  std::uint64_t fed = 0;
  std::uint64_t made = 0;
  std::uint8_t overflow = 0;  // where a byte too many would go
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.avail_in == 0 && fed < from.size()) {
      const std::uint64_t part = std::min<std::uint64_t>(chunk, from.size() - fed);
      stream.next_in = const_cast<Bytef*>(from.data() + fed);
      stream.avail_in = static_cast<uInt>(part);
      fed += part;
    }
    const std::uint64_t room = std::min(chunk, size - made);
    stream.next_out = room > 0 ? to + made : &overflow;
    stream.avail_out = room > 0 ? static_cast<uInt>(room) : 1;
    const uInt before = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    const uInt produced = before - stream.avail_out;
    if (room == 0 && produced > 0) status = Z_DATA_ERROR;
    made += room > 0 ? produced : 0;
  }
  const bool complete = status == Z_STREAM_END && made == size && stream.avail_in == 0 && fed == from.size();
  inflateEnd(&stream);
  return complete;
}

}  // namespace

void ZipArchive::fail(std::uint64_t byte, const std::string& finding) const {
  throw_input(fmt::format("{} byte {}", path_, byte), finding,
              "the archive is damaged: write it again with numpy.savez");
}

ZipArchive ZipArchive::open(const std::filesystem::path& path) {
  ZipArchive archive;
  archive.path_ = path.string();
  archive.file_ = MappedFile::open(path);
  archive.bytes_ = archive.file_->bytes();
  archive.read_directory();
  archive.check_overlaps();
  return archive;
}

void ZipArchive::read_directory() {
  const std::uint64_t size = bytes_.size();
  const std::uint8_t* data = bytes_.data();
  if (size < end_size) fail(size, "ends before the end record of a zip archive");
  // The end record is followed by a comment of known length, so it is searched from behind.
  std::uint64_t end = size - end_size;
  const std::uint64_t lowest = end > longest_comment ? end - longest_comment : 0;
  while (load<std::uint32_t>(data + end) != end_signature ||
         load<std::uint16_t>(data + end + 20) != size - end - end_size) {
    if (end == lowest) fail(size, "no end record of a zip archive found, the file may be truncated");
    --end;
  }

  const auto disk = load<std::uint16_t>(data + end + 4);
  const auto directory_disk = load<std::uint16_t>(data + end + 6);
  std::uint64_t count = load<std::uint16_t>(data + end + 10);
  std::uint64_t directory_size = load<std::uint32_t>(data + end + 12);
  std::uint64_t directory = load<std::uint32_t>(data + end + 16);
  std::uint64_t directory_limit = end;
  // All ones in any field: the true value stands in the zip64 end record.
  const bool sentinel = count == 0xffff || directory_size == 0xffffffff || directory == 0xffffffff;
  if (sentinel && end >= locator_size && load<std::uint32_t>(data + end - locator_size) == locator_signature) {
    const std::uint64_t locator = end - locator_size;
    const auto end64 = load<std::uint64_t>(data + locator + 8);
    if (locator < end64_size || end64 > locator - end64_size || load<std::uint32_t>(data + end64) != end64_signature) {
      fail(locator, "the zip64 end record is not where it should be");
    }
    if (load<std::uint32_t>(data + locator + 16) > 1) fail(locator, "split archives are not read");
    count = load<std::uint64_t>(data + end64 + 32);
    directory_size = load<std::uint64_t>(data + end64 + 40);
    directory = load<std::uint64_t>(data + end64 + 48);
    directory_limit = end64;
  } else if ((disk != 0 && disk != 0xffff) || (directory_disk != 0 && directory_disk != 0xffff)) {
    fail(end, "split archives are not read");
  }
  if (directory > directory_limit || directory_size > directory_limit - directory) {
    fail(end, fmt::format("a directory of {} bytes at byte {} does not fit the file", directory_size, directory));
  }
  // Bounds the allocation below by the length of the file.
  if (count > directory_size / central_size)
    fail(end, fmt::format("{} entries announced, too many for the directory", count));

  entries_.reserve(count);
  std::uint64_t at = directory;
  for (std::uint64_t i = 0; i < count; ++i) read_central_header(at, directory + directory_size);
  for (ZipEntry& entry : entries_) read_local_header(entry, directory);
}

void ZipArchive::read_central_header(std::uint64_t& at, std::uint64_t end) {
  const std::uint8_t* header = bytes_.data() + at;
  if (end - at < central_size || load<std::uint32_t>(header) != central_signature) fail(at, "no directory entry here");
  ZipEntry entry;
  const auto flags = load<std::uint16_t>(header + 8);
  entry.method = load<std::uint16_t>(header + 10);
  entry.crc = load<std::uint32_t>(header + 16);
  entry.compressed = load<std::uint32_t>(header + 20);
  entry.size = load<std::uint32_t>(header + 24);
  const std::uint64_t name_size = load<std::uint16_t>(header + 28);
  const std::uint64_t extra_size = load<std::uint16_t>(header + 30);
  const std::uint64_t comment_size = load<std::uint16_t>(header + 32);
  const auto disk = load<std::uint16_t>(header + 34);
  entry.header = load<std::uint32_t>(header + 42);
  if (end - at - central_size < name_size + extra_size + comment_size) fail(at, "a directory entry is cut off");
  entry.name.assign(reinterpret_cast<const char*>(header + central_size), name_size);
  if ((flags & encrypted_flags) != 0) fail(at, fmt::format("entry '{}' is encrypted", entry.name));
  if (disk != 0 && disk != 0xffff) fail(at, "split archives are not read");

  // The zip64 field holds, in this order, exactly those values whose 32-bit places are all ones.
  const std::uint8_t* extra = header + central_size + name_size;
  for (std::uint64_t used = 0; extra_size - used >= 4;) {
    const auto id = load<std::uint16_t>(extra + used);
    const std::uint64_t length = load<std::uint16_t>(extra + used + 2);
    if (length > extra_size - used - 4) break;  // padding that is no field; numpy and Python ignore it too
    std::uint64_t field = used + 4;
    const std::uint64_t field_end = field + length;
    if (id == 1) {
      for (std::uint64_t* value : {&entry.size, &entry.compressed, &entry.header}) {
        if (*value != 0xffffffff) continue;
        if (field_end - field < 8) fail(at, "a zip64 field is too short");
        *value = load<std::uint64_t>(extra + field);
        field += 8;
      }
    }
    used = field_end;
  }
  at += central_size + name_size + extra_size + comment_size;
  entries_.push_back(std::move(entry));
}

void ZipArchive::read_local_header(ZipEntry& entry, std::uint64_t directory) const {
  // A zip64 offset may be anything, so it becomes an address only after it was compared.
  if (directory < local_size || entry.header > directory - local_size ||
      load<std::uint32_t>(bytes_.data() + entry.header) != local_signature) {
    fail(entry.header, fmt::format("entry '{}' is not where the directory says", entry.name));
  }
  const std::uint8_t* header = bytes_.data() + entry.header;
  const std::uint64_t name_size = load<std::uint16_t>(header + 26);
  const std::uint64_t extra_size = load<std::uint16_t>(header + 28);
  const std::uint64_t room = directory - entry.header - local_size;
  if (name_size + extra_size > room || entry.compressed > room - name_size - extra_size) {
    fail(entry.header, fmt::format("entry '{}' of {} bytes does not fit the file", entry.name, entry.compressed));
  }
  // Local sizes and CRC may be missing (data descriptor); the directory has them. Name and method must agree.
  const std::string_view name(reinterpret_cast<const char*>(header + local_size), name_size);
  if (name != entry.name || load<std::uint16_t>(header + 8) != entry.method ||
      (load<std::uint16_t>(header + 6) & encrypted_flags) != 0) {
    fail(entry.header, fmt::format("entry '{}' contradicts the directory", entry.name));
  }
  entry.data = entry.header + local_size + name_size + extra_size;
}

void ZipArchive::check_overlaps() const {
  std::vector<const ZipEntry*> order;
  std::unordered_set<std::string_view> names;
  for (const ZipEntry& entry : entries_) {
    order.push_back(&entry);
    if (!names.insert(entry.name).second) fail(entry.header, fmt::format("entry '{}' appears twice", entry.name));
  }
  // Overlapping entries are how small archives unfold to petabytes.
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->header < b->header; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i - 1]->data + order[i - 1]->compressed > order[i]->header) {
      fail(order[i]->header, fmt::format("entries '{}' and '{}' overlap", order[i - 1]->name, order[i]->name));
    }
  }
}

ZipArchive::Content ZipArchive::read(const ZipEntry& entry) const {
  const auto raw = bytes_.subspan(entry.data, entry.compressed);
  Content content;
  if (entry.method == stored) {
    if (entry.size != entry.compressed) fail(entry.header, fmt::format("entry '{}' has two sizes", entry.name));
    content = {raw, file_, true};
  } else if (entry.method == deflated) {
    if (entry.size / largest_ratio > entry.compressed) {
      fail(entry.header, fmt::format("entry '{}' claims {} bytes from {}, more than deflate can do", entry.name,
                                     entry.size, entry.compressed));
    }
    // Not initialised: pages that a lying size announces are never touched.
    std::shared_ptr<std::uint8_t[]> buffer;
    try {
      buffer.reset(new std::uint8_t[entry.size]);
    } catch (const std::bad_alloc&) {
      throw_environment(path_, fmt::format("entry '{}' needs {} bytes of memory", entry.name, entry.size));
    }
    if (!inflate_all(raw, buffer.get(), entry.size)) {
      fail(entry.data, fmt::format("entry '{}' does not inflate to {} bytes", entry.name, entry.size));
    }
    content = {{buffer.get(), entry.size}, buffer};
  } else {
    fail(entry.header, fmt::format("entry '{}' uses compression method {}, only stored and deflate are read",
                                   entry.name, entry.method));
  }
  // Also for stored entries: a flipped bit in a template looks like any other template.
  std::uint32_t crc = 0;
  constexpr std::size_t piece = 1U << 24;
  for (std::size_t at = 0; at < content.bytes.size(); at += piece) {
    const auto part = content.bytes.subspan(at, std::min(piece, content.bytes.size() - at));
    crc = static_cast<std::uint32_t>(crc32_z(crc, part.data(), part.size()));
    if (content.mapped) file_->forget_before(entry.data + at);
  }
  if (crc != entry.crc) {
    fail(entry.data, fmt::format("entry '{}' has CRC {:08x}, expected {:08x}", entry.name, crc, entry.crc));
  }
  return content;
}

}  // namespace bauta
