#include "jinja/filters/sorting.h"

#include <algorithm>
#include <numeric>

#include "jinja/ops.h"

namespace strata::jinja {
namespace {

struct Keys {
  Runtime& runtime;
  std::span<const Value> values;
  size_t width;
  bool listed;

  Answer less(uint32_t left, uint32_t right) const {
    if (!runtime.budget.spend()) {
      runtime.limitFailure();
      return Answer::kFailed;
    }
    for (size_t i = 0; i < width; ++i) {
      const Value& a = values[left * width + i];
      const Value& b = values[right * width + i];
      if (listed) {
        const Answer same = equal(runtime, a, b);
        if (same == Answer::kFailed) return same;
        if (same == Answer::kYes) continue;
      }
      return order(runtime, Operator::kLess, a, b);
    }
    return Answer::kNo;
  }
};

// Merges the ordered runs [begin, middle) and [middle, end) of `from` into `to`.
bool merge(const Keys& keys, bool reverse, const std::vector<uint32_t>& from, size_t begin,
           size_t middle, size_t end, std::vector<uint32_t>& to) {
  size_t left = begin;
  size_t right = middle;
  for (size_t out = begin; out < end; ++out) {
    bool takeRight = left == middle;
    if (!takeRight && right < end) {
      const Answer answer =
          reverse ? keys.less(from[left], from[right]) : keys.less(from[right], from[left]);
      if (answer == Answer::kFailed) return false;
      takeRight = answer == Answer::kYes;
    }
    to[out] = takeRight ? from[right++] : from[left++];
  }
  return true;
}

}  // namespace

bool sortedPositions(Runtime& runtime, std::span<const Value> keys, size_t width, bool listed,
                     bool reverse, std::vector<uint32_t>& positions) {
  const Keys order{runtime, keys, width, listed};
  const size_t count = keys.size() / width;
  positions.resize(count);
  std::iota(positions.begin(), positions.end(), 0U);
  std::vector<uint32_t> other(count);
  for (size_t run = 1; run < count; run *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * run) {
      const size_t middle = std::min(begin + run, count);
      const size_t end = std::min(begin + 2 * run, count);
      if (!merge(order, reverse, positions, begin, middle, end, other)) return false;
    }
    positions.swap(other);
  }
  return true;
}

}  // namespace strata::jinja
