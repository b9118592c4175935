// Field numbers are those of onnx.proto3 of ONNX 1.12.
#include "onnx_check.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "bauta/core/error.hpp"

namespace bauta {
namespace {

constexpr int deepest = 32;
// More elements than any file holds; the product of the next dimension fits.
constexpr std::uint64_t most_elements = std::uint64_t{1} << 40;

enum Wire : unsigned { varint = 0, fixed64 = 1, block = 2, fixed32 = 5 };

struct Field {
  std::uint64_t number = 0;
  unsigned wire = 0;
  std::uint64_t value = 0;      ///< of a varint
  std::string_view bytes = {};  ///< of all others
};

/// The fields of a message of protocol buffers, in their order.
class Fields {
 public:
  Fields(std::string_view bytes, const std::string& origin) : rest_(bytes), origin_(origin) {}

  std::optional<Field> next() {
    if (rest_.empty()) return std::nullopt;
    const std::uint64_t key = number();
    Field field{.number = key >> 3, .wire = static_cast<unsigned>(key & 7)};
    switch (field.wire) {
      case varint:
        field.value = number();
        break;
      case fixed64:
        field.bytes = take(8);
        break;
      case block:
        field.bytes = take(number());
        break;
      case fixed32:
        field.bytes = take(4);
        break;
      default:
        fail();
    }
    return field;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    fail();
  }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) fail();
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }
  [[noreturn]] void fail() const { throw_input(origin_, "is no ONNX file, or damaged"); }

  std::string_view rest_;
  const std::string& origin_;
};

/// Integers of a repeated field: one of its own, or many in a block.
void each_integer(const Field& field, const std::string& origin, const std::function<void(std::uint64_t)>& use) {
  if (field.wire == varint) return use(field.value);
  Fields packed(field.bytes, origin);
  while (!packed.empty()) use(packed.number());
}

/// Bytes of an element as raw data has it, and the field that holds elements otherwise.
struct Element {
  std::uint64_t size = 0;
  std::uint64_t field = 0;
};

enum : std::uint64_t {
  float_data = 4,
  int32_data = 5,
  string_data = 6,
  int64_data = 7,
  raw_data = 9,
  double_data = 10,
  uint64_data = 11
};

std::optional<Element> element_of(std::uint64_t type) {
  switch (type) {
    case 1:  // float
      return Element{4, float_data};
    case 2:  // uint8, int8, bool
    case 3:
    case 9:
      return Element{1, int32_data};
    case 4:  // uint16, int16, float16, bfloat16
    case 5:
    case 10:
    case 16:
      return Element{2, int32_data};
    case 6:  // int32
      return Element{4, int32_data};
    case 7:  // int64
      return Element{8, int64_data};
    case 11:  // double
      return Element{8, double_data};
    case 12:  // uint32
      return Element{4, uint64_data};
    case 13:  // uint64
      return Element{8, uint64_data};
    default:  // texts and complex numbers are no weights
      return std::nullopt;
  }
}

class Checker {
 public:
  explicit Checker(const std::string& origin) : origin_(origin) {}

  void model(std::string_view bytes) {
    bool found = false;
    for (Fields fields(bytes, origin_); const auto field = fields.next();) {
      if (field->number != 7 || field->wire != block) continue;
      once(found, "graphs");
      graph(field->bytes, 0);
    }
  }

 private:
  void graph(std::string_view bytes, int depth) {
    if (depth > deepest) throw_input(origin_, fmt::format("nests graphs more than {} deep", deepest));
    for (Fields fields(bytes, origin_); const auto field = fields.next();) {
      if (field->wire != block) continue;
      if (field->number == 1) node(field->bytes, depth);
      if (field->number == 5) tensor(field->bytes);
    }
  }

  void node(std::string_view bytes, int depth) {
    for (Fields fields(bytes, origin_); const auto field = fields.next();) {
      if (field->number == 5 && field->wire == block) attribute(field->bytes, depth);
    }
  }

  void attribute(std::string_view bytes, int depth) {
    bool one_tensor = false, one_graph = false;
    for (Fields fields(bytes, origin_); const auto field = fields.next();) {
      if (field->wire != block) continue;
      if (field->number == 5) once(one_tensor, "values of an attribute");
      if (field->number == 6) once(one_graph, "graphs of an attribute");
      if (field->number == 5 || field->number == 10) tensor(field->bytes);
      if (field->number == 6 || field->number == 11) graph(field->bytes, depth + 1);
    }
  }

  void tensor(std::string_view bytes) {
    std::uint64_t elements = 1, type = 0;
    std::string name;
    std::set<std::uint64_t> present;
    for (Fields fields(bytes, origin_); const auto field = fields.next();) {
      if (field->number == 1)
        each_integer(*field, origin_, [&](std::uint64_t size) { elements = product(elements, size); });
      if (field->number == 2) type = field->value;
      if (field->number == 8) name = field->bytes.substr(0, 60);
      if (field->number == 13 || (field->number == 14 && field->value != 0)) {
        throw_input(origin_, fmt::format("has its weights '{}' in another file", name),
                    "save the network with its weights in one file");
      }
      if ((field->number >= float_data && field->number <= int64_data) ||
          (field->number >= raw_data && field->number <= uint64_data)) {
        present.insert(field->number);
      }
    }
    const std::optional<Element> element = element_of(type);
    if (!element) return;
    const std::uint64_t there = count(bytes, *element, present);
    if (there == elements) return;
    throw_input(origin_, fmt::format("array '{}' has {} elements, its shape says {}", name, there, elements),
                "the file is damaged or was cut: write it again");
  }

  /// Elements that a tensor holds, in one place.
  [[nodiscard]] std::uint64_t count(std::string_view bytes, const Element& element,
                                    const std::set<std::uint64_t>& present) const {
    if (present.empty()) return 0;
    if (present.size() > 1 || (*present.begin() != raw_data && *present.begin() != element.field)) {
      throw_input(origin_, "an array has elements of another type than it says");
    }
    std::uint64_t found = 0;
    std::size_t blocks = 0;
    for (Fields fields(bytes, origin_); const auto field = fields.next();) {
      if (field->number != *present.begin()) continue;
      if (field->number == raw_data && (++blocks > 1 || field->bytes.size() % element.size != 0)) {
        throw_input(origin_,
                    fmt::format("an array of {} bytes, expected a multiple of {}", field->bytes.size(), element.size));
      }
      if (field->number == raw_data) {
        found += field->bytes.size() / element.size;
      } else if (field->number == float_data || field->number == double_data) {
        found += field->bytes.size() / (field->number == float_data ? 4 : 8);
      } else {
        each_integer(*field, origin_, [&](std::uint64_t) { ++found; });
      }
    }
    return found;
  }

  [[nodiscard]] std::uint64_t product(std::uint64_t elements, std::uint64_t size) const {
    if (size > most_elements || (size > 0 && elements > most_elements / size)) {
      throw_input(origin_, fmt::format("has an array with a dimension of {}", static_cast<std::int64_t>(size)));
    }
    return elements * size;
  }

  // Readers merge what stands twice, which makes one array of two.
  void once(bool& found, const char* what) const {
    if (found) throw_input(origin_, fmt::format("has several {} where one may be", what));
    found = true;
  }

  const std::string& origin_;
};

}  // namespace

void check_onnx(std::span<const std::uint8_t> bytes, const std::string& origin) {
  Checker(origin).model({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace bauta
