#include "jinja/filters/sorting.h"

#include <algorithm>
#include <utility>

#include "jinja/ops.h"

namespace strata::jinja {
namespace {

struct Keys {
  Runtime& runtime;
  const Value* values;
  Less isLess;
  size_t width;

  Tristate less(uint32_t left, uint32_t right) const {
    if (!runtime.budget.spend()) {
      runtime.limitFailure();
      return Tristate::kFailed;
    }
    for (size_t i = 0; i < width; ++i) {
      const Value a = values[left * width + i];
      const Value b = values[right * width + i];
      const Tristate result = isLess(runtime, a, b);
      if (result != Tristate::kNo || i + 1 == width) return result;
      const Tristate reversed = isLess(runtime, b, a);
      if (reversed != Tristate::kNo) return reversed == Tristate::kYes ? Tristate::kNo : reversed;
    }
    return Tristate::kNo;
  }
};

// Merges the sorted runs [begin, middle) and [middle, end) of `from` into `to`.
bool merge(const Keys& keys, bool reverse, const uint32_t* from, size_t begin, size_t middle,
           size_t end, uint32_t* to) {
  size_t left = begin;
  size_t right = middle;
  for (size_t out = begin; out < end; ++out) {
    bool takeRight = left == middle;
    if (!takeRight && right < end) {
      uint32_t first = from[right];
      uint32_t second = from[left];
      if (reverse) std::swap(first, second);
      const Tristate result = keys.less(first, second);
      if (result == Tristate::kFailed) return false;
      takeRight = result == Tristate::kYes;
    }
    to[out] = takeRight ? from[right++] : from[left++];
  }
  return true;
}

}  // namespace

Tristate isLess(Runtime& runtime, Value left, Value right) {
  return order(runtime, Operator::kLess, left, right);
}

Tristate isLessItem(Runtime& runtime, Value left, Value right) {
  const Tristate same = equal(runtime, left, right);
  if (same == Tristate::kNo) return isLess(runtime, left, right);
  return same == Tristate::kYes ? Tristate::kNo : same;
}

uint32_t* sortedPositions(Runtime& runtime, std::span<const Value> keys, Less less, bool reverse,
                          size_t width) {
  const Keys order{runtime, keys.data(), less, width};
  const size_t count = keys.size() / width;
  auto* positions = runtime.heap.array<uint32_t>(count);
  auto* other = runtime.heap.array<uint32_t>(count);
  for (size_t i = 0; i < count; ++i) positions[i] = static_cast<uint32_t>(i);
  for (size_t run = 1; run < count; run *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * run) {
      const size_t middle = std::min(begin + run, count);
      const size_t end = std::min(begin + 2 * run, count);
      if (!merge(order, reverse, positions, begin, middle, end, other)) return nullptr;
    }
    std::swap(positions, other);
  }
  return positions;
}

}  // namespace strata::jinja
