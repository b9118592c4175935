// Media that several recoveries learn from one after the other, decoded once as far as memory allows.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "bauta/data/media_source.hpp"

namespace bauta {

class KeptMedia : public MediaSource {
 public:
  /// `budget`: bytes that decoded media may take; what does not fit is decoded anew each time.
  KeptMedia(std::shared_ptr<const MediaSource> source, std::uint64_t budget);

  [[nodiscard]] std::size_t size() const override { return source_->size(); }
  [[nodiscard]] Medium load(std::size_t row) const override;
  [[nodiscard]] std::string digest(std::size_t row) const override { return source_->digest(row); }
  [[nodiscard]] bool present(std::size_t row) const override { return source_->present(row); }
  [[nodiscard]] std::string_view kind(std::size_t row) const override { return source_->kind(row); }
  [[nodiscard]] std::uint64_t decoded() const override { return source_->decoded(); }
  /// From now on nothing is added: whoever goes through all of them reads each once anyway.
  void close() { closed_ = true; }

 private:
  std::shared_ptr<const MediaSource> source_;
  std::uint64_t budget_;
  bool closed_ = false;
  mutable std::mutex mutex_;
  mutable std::uint64_t bytes_ = 0;
  mutable std::vector<std::shared_ptr<const Medium>> media_;
};

}  // namespace bauta
