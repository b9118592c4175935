#include "bauta/protocol/pep.hpp"

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "bauta/core/error.hpp"
#include "bauta/core/random.hpp"

namespace bauta {

namespace {

constexpr std::size_t most_folds = 1000;
constexpr auto kinds = std::to_array<std::pair<std::string_view, PepKind>>(
    {{"PEP-LBS", PepKind::lbs}, {"PEP-LBL", PepKind::lbl}, {"PEP-TF", PepKind::tf}});

/// "-N" at the front of `text`, which it is taken from; 0 if there is none.
std::size_t take_count(std::string_view& text) {
  if (text.empty() || text[0] != '-') return 0;
  std::size_t count = 0;  // and stays so where no number follows
  const char* const stop = std::from_chars(text.data() + 1, text.data() + text.size(), count).ptr;
  if (count > most_folds) return 0;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return count;
}

/// D_test in three, where it is not made of folds that can be divided by three.
void cut_test(const std::vector<std::size_t>& rows, const Dataset& dataset, const std::string& attribute,
              std::size_t rotation, std::uint64_t seed, PepParts& parts) {
  std::vector<bool> within(dataset.size(), false);
  for (const std::size_t row : rows) within[row] = true;
  try {
    const Folds thirds = subject_folds(dataset, attribute, 3, Stream(seed, "thirds", rotation).next64(), within);
    parts.train = thirds.rows(0);
    parts.dev = thirds.rows(1);
    parts.test = thirds.rows(2);
  } catch (const Error& error) {
    throw_input(fmt::format("{}, D_test of rotation {}", error.where, rotation + 1), error.finding,
                "give D_test more folds, or use PEP-LBL");
  }
}

}  // namespace

Pep parse_pep(std::string_view text) {
  for (const auto& [name, kind] : kinds) {
    if (!text.starts_with(name)) continue;
    std::string_view rest = text.substr(name.size());
    Pep pep{.kind = kind};
    for (std::size_t* count : {&pep.train, &pep.dev, &pep.test}) *count = take_count(rest);
    if (rest.empty() && pep.train > 0 && pep.dev > 0 && pep.test > 0) return pep;
  }
  throw_usage(fmt::format("protocol '{}'", text),
              "PEP-LBS, PEP-LBL or PEP-TF is expected, and then the numbers of folds to train, tune and test on, each "
              "at least 1",
              "e.g. PEP-TF-3-1-1");
}

std::string to_text(PepKind kind) {
  for (const auto& [name, known] : kinds) {
    if (known == kind) return std::string(name);
  }
  BAUTA_ASSERT(false);
  return {};
}

std::string to_text(const Pep& pep) {
  return fmt::format("{}-{}-{}-{}", to_text(pep.kind), pep.train, pep.dev, pep.test);
}

std::vector<std::string> pep_warnings(const Pep& pep) {
  if (pep.kind != PepKind::lbs || pep.test >= 3) return {};
  return {
      fmt::format("{} has {} for D_test, which is cut in three again; the protocol's authors recommend at least 3 "
                  "folds",
                  to_text(pep), pep.test == 1 ? "1 fold" : fmt::format("{} folds", pep.test))};
}

void require_suits(const Pep& pep, const Declaration& technique) {
  if (!technique.masks || technique.learns == (pep.kind != PepKind::tf)) return;
  if (technique.learns) {
    throw_usage(
        fmt::format("protocol '{}'", to_text(pep)),
        fmt::format("'{}' learns from data, and this protocol has no part for it to learn from", technique.name),
        "use PEP-LBS-2-1-3, or PEP-LBL-3-1-1 where data is scarce");
  }
  throw_usage(fmt::format("protocol '{}'", to_text(pep)),
              fmt::format("'{}' learns nothing, and this protocol keeps data for learning that would be lost to the "
                          "estimators",
                          technique.name),
              "use PEP-TF-3-1-1");
}

std::vector<PepParts> pep_rotations(const Pep& pep, const Dataset& dataset, const Folds& folds,
                                    const std::string& attribute, std::uint64_t seed) {
  BAUTA_ASSERT(folds.count == pep.folds() && folds.of_row.size() == dataset.size());
  std::vector<PepParts> rotations;
  for (std::size_t r = 0; r < folds.count; ++r) {
    PepParts parts;
    const std::size_t dev = r + pep.train, test = dev + pep.dev;
    if (pep.kind != PepKind::tf) {
      parts.fit = folds.rows(r, pep.train);
      parts.fit_dev = folds.rows(dev, pep.dev);
    }
    if (pep.kind != PepKind::lbs) {
      parts.train = folds.rows(r, pep.train);
      parts.dev = folds.rows(dev, pep.dev);
      parts.test = folds.rows(test, pep.test);
    } else if (pep.test % 3 == 0) {
      const std::size_t third = pep.test / 3;
      parts.train = folds.rows(test, third);
      parts.dev = folds.rows(test + third, third);
      parts.test = folds.rows(test + 2 * third, third);
    } else {
      cut_test(folds.rows(test, pep.test), dataset, attribute, r, seed, parts);
    }
    rotations.push_back(std::move(parts));
  }
  return rotations;
}

}  // namespace bauta
