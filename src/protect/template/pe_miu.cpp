// PE-MIU (Terhorst et al. 2020): privacy by a fresh random permutation of the template's blocks. The permutation is not
// kept; the technique's own comparator finds the best alignment of two shuffled templates.
#include <algorithm>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "bauta/core/progress.hpp"
#include "bauta/protect/protection.hpp"

namespace bauta {
namespace {

class PeMiu : public Protection {
 public:
  explicit PeMiu(const Parameters& parameters) : block_(static_cast<std::size_t>(parameters.integer("block"))) {}

  void check(const Templates& input, const std::string& where, const ProtectContext&) const override {
    require_floats(input, "pe-miu", where);
    if (input.cols() == 0 || input.cols() % block_ != 0) {
      throw_input(where, fmt::format("templates of {} features cannot be cut into blocks of {}", input.cols(), block_),
                  "choose a pe-miu:block that divides the number of features");
    }
    if (input.cols() == block_) {
      warn(fmt::format("pe-miu: one block of {} features is the whole template, so nothing is shuffled", block_));
    }
  }

  [[nodiscard]] KnownMask known_mask(const ImageShape&) const override { return {.block = block_}; }

  [[nodiscard]] Templates protect(const Templates& input, std::size_t first,
                                  const ProtectContext& context) const override {
    const MatrixView<const float> source = input.floats();
    Matrix<float> shuffled(source.rows, source.cols);
    std::vector<std::size_t> order(source.cols / block_);
    for (std::size_t i = 0; i < source.rows; ++i) {
      std::iota(order.begin(), order.end(), std::size_t{0});
      context.randomness.stream("pe-miu", first + i).shuffle(std::span(order));
      float* target = shuffled.row(i).data();
      for (const std::size_t from : order) {
        std::memcpy(target, source.row(i).data() + from * block_, block_ * sizeof(float));
        target += block_;
      }
    }
    return Templates(std::move(shuffled));
  }

 private:
  std::size_t block_;
};

}  // namespace

Entry<Protection> pe_miu_protection() {
  return {
      {.name = "pe-miu",
       .paper = "Terhorst et al. 2020, PE-MIU: A Training-Free Privacy-Enhancing Face Recognition Approach Based on "
                "Minimum Information Units",
       .doc = "blocks of the template in a fresh random order",
       .medium = "template",
       .comparator = "pe-miu:block={block},cost={cost}",
       .claim = "attributes cannot be estimated from shuffled blocks, while recognition stays nearly as it was",
       .broken_by = "aligning the blocks to a mean template, which undoes most of the shuffle, and the similarity "
                    "attack, which reads attributes through the technique's own comparator",
       .parameters = {{"block", ParameterType::integer, "16", "features per block; must divide the dimension", 1,
                       1 << 20},
                      {.name = "cost",
                       .type = ParameterType::choice,
                       .default_value = "l2",
                       .doc = "what the comparator's alignment minimises; l2 is the published one",
                       .choices = {"l2", "l2sq", "dot"}}},
       .does = Operation::shuffles_blocks},
      [](const Parameters& parameters) { return std::make_unique<PeMiu>(parameters); }};
}

}  // namespace bauta
