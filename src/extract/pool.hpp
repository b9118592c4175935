// Things that only one thread may use at a time, made as many as there are threads that ask at once.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace bauta {

template <class T>
class Pool {
 public:
  explicit Pool(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}

  /// use(thing) with one that nobody else has meanwhile. One whose use threw is not used again.
  template <class Use>
  auto with(Use&& use) {
    std::unique_ptr<T> thing = take();
    auto result = use(*thing);
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(thing));
    return result;
  }

 private:
  std::unique_ptr<T> take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<T> thing = std::move(free_.back());
        free_.pop_back();
        return thing;
      }
    }
    return make_();
  }

  std::function<std::unique_ptr<T>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace bauta
