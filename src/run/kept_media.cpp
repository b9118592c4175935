#include "kept_media.hpp"

namespace bauta {

namespace {

std::uint64_t bytes_of(const Image& image) {
  return image.pixels.size();
}
std::uint64_t bytes_of(const Recording& recording) {
  return recording.samples.size() * sizeof(recording.samples[0]);
}
std::uint64_t bytes_of(const Motion& motion) {
  return motion.positions.size() * sizeof(motion.positions[0]);
}

}  // namespace

KeptMedia::KeptMedia(std::shared_ptr<const MediaSource> source, std::uint64_t budget)
    : source_(std::move(source)), budget_(budget), media_(source_->size()) {}

Medium KeptMedia::load(std::size_t row) const {
  std::shared_ptr<const Medium> known;
  {
    const std::lock_guard lock(mutex_);
    known = media_[row];
  }
  if (known) return *known;
  Medium medium = source_->load(row);
  if (closed_) return medium;
  const std::uint64_t bytes = std::visit([](const auto& one) { return bytes_of(one); }, medium);
  const std::lock_guard lock(mutex_);
  if (media_[row] || bytes_ + bytes > budget_) return medium;
  bytes_ += bytes;
  media_[row] = std::make_shared<const Medium>(medium);
  return medium;
}

}  // namespace bauta
