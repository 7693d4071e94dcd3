#include "base/keyed.h"

#include "base/heap_sort.h"

namespace strata {

void sortByKey(std::vector<Keyed>& keyed) {
  heapSort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
    const int order = a.key.compare(b.key);
    return order != 0 ? order < 0 : a.at < b.at;
  });
}

}  // namespace strata
