// Loops over items on all threads. Results may not depend on which thread does what: bodies write to their own item's
// place, and reductions add partial results in item order.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace bauta {

/// Threads that loops may use; 0 asks for all cores. Also keeps BLAS single-threaded, because tiles are the parallel
/// unit.
void set_threads(int count);
int threads();

/// Calls body(i, worker) for i in [0, n); `worker` in [0, threads()) names the thread's scratch space. Items are handed
/// out dynamically. The exception of the lowest failing item is rethrown here, after all started items ended.
void parallel_for(std::size_t n, const std::function<void(std::size_t item, int worker)>& body);

/// map(i) for every item, then add(total, part) in item order: same bits for any number of threads.
template <class T, class Map, class Add>
T parallel_reduce(std::size_t n, T total, Map&& map, Add&& add) {
  std::vector<T> parts(n);
  parallel_for(n, [&](std::size_t i, int) { parts[i] = map(i); });
  for (T& part : parts) add(total, part);
  return total;
}

}  // namespace bauta
