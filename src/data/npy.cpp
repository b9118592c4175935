// Reading .npy: the header is a Python dictionary literal, of which exactly the form that numpy writes is accepted.
#include "bauta/data/npy.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "bauta/core/checked.hpp"
#include "bauta/core/error.hpp"
#include "bauta/data/mapped_file.hpp"
#include "text.hpp"

namespace bauta {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
// numpy itself refuses headers of more than 10,000 characters unless told otherwise.
constexpr std::uint64_t longest_header = 1U << 20;
constexpr std::size_t most_dimensions = 32;

/// A dictionary literal with three keys in any order. Anything else in the header is an error that names its byte.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::size_t offset, const std::string& origin)
      : text_(text), offset_(offset), origin_(origin) {}

  void parse(NpyArray& array) {
    bool descr = false;
    bool order = false;
    bool shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      // A key that comes twice would leave open which value numpy takes.
      if (key == "descr" && !descr) {
        descr = true;
        if (peek() == '[') refuse("a structured array, expected plain numbers or texts", "save each field on its own");
        parse_descr(quoted(), array);
      } else if (key == "fortran_order" && !order) {
        order = true;
        array.fortran = boolean();
      } else if (key == "shape" && !shape) {
        shape = true;
        array.shape = tuple();
      } else {
        fail(fmt::format("key '{}'", key), "descr, fortran_order and shape, once each");
      }
      if (!accept(',') && peek() != '}') fail(found(), "',' or '}'");
    }
    skip_space();
    if (at_ != text_.size()) fail("more text behind the dictionary", "only padding");
    if (!descr || !order || !shape) fail("an incomplete dictionary", "descr, fortran_order and shape");
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
    throw_input(origin_, "holds " + what, hint);
  }
  [[noreturn]] void fail(const std::string& was, const std::string& expected) const {
    throw_input(fmt::format("{} byte {}", origin_, offset_ + at_),
                fmt::format("header has {}, expected {}", was, expected),
                "the file is damaged or not a .npy file: write it again with numpy.save");
  }
  // What stands at the current byte, fit for a message.
  [[nodiscard]] std::string found() const {
    if (at_ >= text_.size()) return "its end";
    const char c = text_[at_];
    return c >= 0x20 && c < 0x7f ? fmt::format("'{}'", c) : fmt::format("byte 0x{:02x}", static_cast<unsigned char>(c));
  }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(found(), fmt::format("'{}'", c));
  }
  std::string_view quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail(found(), "a quoted text");
    const std::size_t end = text_.find(quote, ++at_);
    if (end == std::string_view::npos) fail("an unfinished text", "a closing quote");
    const std::string_view value = text_.substr(at_, end - at_);
    at_ = end + 1;
    return value;
  }
  bool boolean() {
    skip_space();
    for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {std::string_view("False"), false}}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    fail(found(), "True or False");
  }
  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> values;
    expect('(');
    while (!accept(')')) {
      skip_space();
      std::uint64_t value = 0;
      const char* begin = text_.data() + at_;
      const auto [stop, status] = std::from_chars(begin, text_.data() + text_.size(), value);
      if (status != std::errc()) fail(found(), "a dimension below 2^64");
      at_ += static_cast<std::size_t>(stop - begin);
      accept('L');  // Python 2 wrote long integers so
      values.push_back(value);
      if (values.size() > most_dimensions) fail("more than 32 dimensions", "at most 32, as in numpy");
      if (!accept(',') && peek() != ')') fail(found(), "',' or ')'");
    }
    return values;
  }

  void parse_descr(std::string_view descr, NpyArray& array) const {
    const auto unsupported = [&] {
      refuse(fmt::format("elements of type '{}'", descr), "convert it first, e.g. X.astype('float32')");
    };
    if (descr.size() < 2) unsupported();
    // Objects can hide inside other descriptions, so the letter is refused wherever it stands.
    if (descr.find('O') != std::string_view::npos) {
      refuse("Python objects, which would have to be unpickled; that can run any code and is never done",
             "save plain arrays: numpy.save(path, X.astype('float32')), texts with .astype(str)");
    }
    if (descr[0] == '>') {
      array.order = ByteOrder::big;
    } else if (descr[0] != '<' && descr[0] != '|' && descr[0] != '=') {
      unsupported();
    }
    std::uint32_t size = 0;
    const char* end = descr.data() + descr.size();
    const auto [stop, status] = std::from_chars(descr.data() + 2, end, size);
    if (status != std::errc() || stop != end) unsupported();
    // Sizes are checked per type: a float of one byte or an integer of three does not exist.
    const bool integer_size = size == 1 || size == 2 || size == 4 || size == 8;
    array.item_size = size;
    switch (descr[1]) {
      case 'f':
        array.type = NpyType::real;
        if (size != 2 && size != 4 && size != 8) unsupported();
        break;
      case 'i':
        array.type = NpyType::signed_integer;
        if (!integer_size) unsupported();
        break;
      case 'u':
        array.type = NpyType::unsigned_integer;
        if (!integer_size) unsupported();
        break;
      case 'b':
        array.type = NpyType::boolean;
        if (size != 1) unsupported();
        break;
      case 'S':
        array.type = NpyType::byte_text;
        break;
      case 'U':
        array.type = NpyType::unicode_text;
        array.item_size = std::size_t{size} * 4;
        break;
      default:
        unsupported();
    }
  }

  std::string_view text_;
  std::size_t offset_;
  const std::string& origin_;
  std::size_t at_ = 0;
};

}  // namespace

std::uint64_t NpyArray::count() const {
  std::uint64_t product = 1;
  for (const std::uint64_t extent : shape) product = checked_multiply(product, extent, origin);
  return product;
}

std::string NpyArray::type_name() const {
  switch (type) {
    case NpyType::boolean:
      return "bool";
    case NpyType::signed_integer:
      return fmt::format("int{}", item_size * 8);
    case NpyType::unsigned_integer:
      return fmt::format("uint{}", item_size * 8);
    case NpyType::real:
      return fmt::format("float{}", item_size * 8);
    case NpyType::byte_text:
    case NpyType::unicode_text:
      return "text";
  }
  return "unknown";
}

std::string NpyArray::shape_text() const {
  if (shape.empty()) return "()";
  return join(shape, " x ");
}

NpyArray parse_npy(std::span<const std::uint8_t> bytes, std::shared_ptr<const void> owner, std::string origin) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(magic)) {
    // Pickle protocols 2 and later start with this byte.
    const bool pickle = !bytes.empty() && bytes[0] == 0x80;
    throw_input(origin, pickle ? "is a Python pickle, which can run any code and is never read" : "is not a .npy file",
                "write it with numpy.save(path, X)");
  }
  if (bytes.size() < 10) throw_input(origin, fmt::format("ends after {} bytes, inside its header", bytes.size()));
  const std::uint8_t version = bytes[6];
  if (version < 1 || version > 3) {
    throw_input(fmt::format("{} byte 6", origin), fmt::format("version {} of .npy, expected 1, 2 or 3", version));
  }
  const std::size_t start = version == 1 ? 10 : 12;
  if (bytes.size() < start) throw_input(origin, fmt::format("ends after {} bytes, inside its header", bytes.size()));
  const std::uint64_t length =
      version == 1 ? load<std::uint16_t>(bytes.data() + 8) : load<std::uint32_t>(bytes.data() + 8);
  if (length > longest_header || length > bytes.size() - start) {
    throw_input(fmt::format("{} byte 8", origin),
                fmt::format("header of {} bytes announced, {} are left", length, bytes.size() - start),
                "the file is damaged or truncated");
  }

  NpyArray array;
  array.origin = std::move(origin);
  array.owner = std::move(owner);
  HeaderParser(text.substr(start, length), start, array.origin).parse(array);
  // From here on, sizes from the header are compared with the bytes that are really there.
  const std::uint64_t count = array.count();
  if (array.item_size == 0 && count > 0)
    throw_input(array.origin, "holds texts of length 0", "there is nothing to read");
  const std::uint64_t size = checked_multiply(count, array.item_size, array.origin);
  array.data = bytes.subspan(start + length);
  if (array.data.size() != size) {
    throw_input(array.origin,
                fmt::format("{} bytes of data, expected {} for {} {}", array.data.size(), size, array.shape_text(),
                            array.type_name()),
                array.data.size() < size ? "the file is truncated: copy or write it again"
                                         : "one array per file is read: save each on its own, or all with numpy.savez");
  }
  return array;
}

NpyArray read_npy(const std::filesystem::path& path) {
  auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  NpyArray array = parse_npy(bytes, std::move(file), path.string());
  array.mapped = true;
  return array;
}

}  // namespace bauta
