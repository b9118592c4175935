// Averaging of several masked images of one person: what differs between them, noise above all, falls with the square
// root of their number. Attackers must know which of the masked images are of one person, but not of whom: of people
// whom they have enrolled they do, of others where images come in albums or from one camera. Where repeated enrolments
// of one image are at hand (by=original), nothing but the noise differs.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "bauta/data/media_source.hpp"
#include "medium_recovery.hpp"

namespace bauta {
namespace {

class AverageMedia : public ImageRecovery {
 public:
  explicit AverageMedia(const Parameters& parameters)
      : ImageRecovery("average-media"), by_(parameters.text("by")), most_(parameters.integer("most")) {}

  [[nodiscard]] std::unique_ptr<const Recovery> among(const Dataset& masked) const override {
    const std::string column = by_ == "identity" && !masked.identity_column.empty() ? masked.identity_column : by_;
    if (!masked.labels.has(column)) {
      throw_input(masked.origin, fmt::format("has no column '{}' that says which images are of one person", column),
                  "name one: average-media:by=COLUMN");
    }
    auto there = std::make_unique<AverageMedia>(*this);
    there->media_ = masked.media;
    there->group_of_.assign(masked.size(), 0);
    std::map<std::string, std::size_t> numbers;
    const std::vector<bool> failed = masked.failed();
    const auto& values = masked.labels.column(column);
    for (std::size_t row = 0; row < masked.size(); ++row) {
      // Whoever has no name is alone.
      const std::string name = values[row].empty() ? fmt::format("\n{}", row) : values[row];
      const auto [group, is_new] = numbers.try_emplace(name, there->groups_.size());
      if (is_new) there->groups_.emplace_back();
      there->group_of_[row] = group->second;
      if (!failed[row]) there->groups_[group->second].push_back(row);
    }
    return there;
  }

 protected:
  /// With its neighbours in the group, in a circle; those that cannot be read or have another size are passed over.
  [[nodiscard]] Image undone(const Image& image, std::size_t sample) const override {
    BAUTA_ASSERT(media_ != nullptr);
    const std::vector<std::size_t>& group = groups_[group_of_[sample]];
    std::vector<double> sum(image.pixels.begin(), image.pixels.end());
    std::size_t count = 1;
    const auto own = static_cast<std::size_t>(std::ranges::find(group, sample) - group.begin());
    for (std::size_t i = 1; i < group.size() && (most_ == 0 || count < static_cast<std::size_t>(most_)); ++i) {
      const std::optional<Image> other = load(group[(own + i) % group.size()]);
      if (!other || other->pixels.size() != sum.size() || other->width != image.width) continue;
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += other->pixels[k];
      ++count;
    }
    std::vector<float> mean(sum.size());
    std::ranges::transform(sum, mean.begin(),
                           [&](double value) { return static_cast<float>(value / static_cast<double>(count)); });
    return with_pixels(image, mean);
  }

 private:
  [[nodiscard]] std::optional<Image> load(std::size_t row) const {
    try {
      return medium_as<Image>(media_->load(row), name());
    } catch (const Error& error) {
      if (error.fault != Fault::input) throw;
      return std::nullopt;
    }
  }

  std::string by_;
  std::int64_t most_;
  std::shared_ptr<const MediaSource> media_;
  std::vector<std::size_t> group_of_;             // by row
  std::vector<std::vector<std::size_t>> groups_;  // rows
};

}  // namespace

Entry<Recovery> average_media_recovery() {
  return {{.name = "average-media",
           .paper = "",
           .doc = "any technique: the mean of the masked images of a person, by attackers who know which are of one",
           .medium = "image",
           .parameters = {{"by", ParameterType::text, "identity",
                           "column whose value images of one person share; original: repeated enrolments of an image"},
                          {"most", ParameterType::integer, "0", "images of a mean at most; 0: all", 0, 1 << 20}},
           .mixes = true},
          [](const Parameters& parameters) { return std::make_unique<AverageMedia>(parameters); }};
}

}  // namespace bauta
