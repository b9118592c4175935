#include "bauta/protocol/selection.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

std::string Selection::size_text() const {
  return count > 0 ? std::to_string(count) : fmt::format("{:g} %", 100 * share);
}

void require_selection(std::string_view by, const std::string& where) {
  const std::vector<std::string> known = {"random"};
  if (std::find(known.begin(), known.end(), by) == known.end()) {
    throw_usage(where, fmt::format("'{}' is no way to choose people", by), suggest(by, known));
  }
}

std::vector<std::string> selected(const Selection& selection, const std::vector<std::string>& people,
                                  std::uint64_t seed, std::size_t draw) {
  require_selection(selection.by, "protocol.selection");
  if (selection.everybody()) return people;
  const std::size_t wanted =
      selection.count > 0 ? selection.count
                          : static_cast<std::size_t>(std::lround(selection.share * static_cast<double>(people.size())));
  if (wanted < 2 || wanted > people.size()) {
    throw_usage("protocol.identities",
                fmt::format("{} comes to {} people of {}", selection.size_text(), wanted, people.size()),
                fmt::format("2 to {} people can be chosen", people.size()));
  }
  std::vector<std::string> chosen = people;
  Stream(seed, "people who take part", draw).shuffle(std::span(chosen));
  chosen.resize(wanted);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace bauta
