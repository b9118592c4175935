#include "bauta/compare/nearest.hpp"

#include "screen.hpp"

namespace bauta {

namespace {

// Smaller searches are faster without a screen: too little is ruled out for what rounding costs.
constexpr std::size_t least_references = 1000;
constexpr std::size_t least_columns = 8;
constexpr std::size_t least_references_per_neighbour = 64;

std::unique_ptr<const Screen> screen_of(const Prepared& prepared) {
  const auto* const rows = dynamic_cast<const PreparedRows*>(&prepared);
  if (rows == nullptr || !Screen::available()) return nullptr;
  if (rows->rows() < least_references || rows->templates.cols() < least_columns) return nullptr;
  return std::make_unique<const Screen>(*rows);
}

}  // namespace

NeighbourSearch::NeighbourSearch(const Comparator& comparator, const Templates& references, const std::string& where)
    : comparator_(comparator),
      references_(comparator.prepare(references, Side::reference, where)),
      screen_(screen_of(*references_)) {}

NeighbourSearch::~NeighbourSearch() = default;

TopN NeighbourSearch::nearest(const Templates& probes, std::size_t n, std::uint64_t seed,
                              const std::string& where) const {
  const auto prepared = comparator_.prepare(probes, Side::probe, where);
  TopN result(n, prepared->rows(), references_->rows(), seed);
  const bool screened = screen_ != nullptr && n <= references_->rows() / least_references_per_neighbour &&
                        screen_->nearest(as_rows(*prepared), result);
  if (!screened) {
    TileConsumer* const consumers[] = {&result};
    compare_all(comparator_, *prepared, *references_, Pairs::all, consumers, "finding neighbours");
  }
  return result;
}

}  // namespace bauta
