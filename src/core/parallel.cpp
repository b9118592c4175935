#include "bauta/core/parallel.hpp"

#include <atomic>
#include <exception>
#include <limits>
#include <mutex>

#include <cblas.h>
#include <omp.h>

namespace bauta {

namespace {
int thread_count = 0;
}

void set_threads(int count) {
  thread_count = count > 0 ? count : omp_get_num_procs();
  openblas_set_num_threads(1);
}

int threads() {
  if (thread_count == 0) set_threads(0);
  return thread_count;
}

void parallel_for(std::size_t n, const std::function<void(std::size_t, int)>& body) {
  const int workers = threads();
  std::mutex mutex;
  std::exception_ptr failure;
  std::atomic<std::size_t> failed_item{std::numeric_limits<std::size_t>::max()};
  const auto run = [&](std::size_t item, int worker) {
    // Items before the failed one still run, so that the lowest failure is the one that is told.
    if (item > failed_item.load(std::memory_order_relaxed)) return;
    try {
      body(item, worker);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (item < failed_item) {
        failed_item = item;
        failure = std::current_exception();
      }
    }
  };
  if (workers == 1 || n <= 1 || omp_in_parallel() != 0) {
    for (std::size_t i = 0; i < n; ++i) run(i, 0);
  } else {
#pragma omp parallel for schedule(dynamic, 1) num_threads(workers)
    for (std::size_t i = 0; i < n; ++i) run(i, omp_get_thread_num());
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bauta
