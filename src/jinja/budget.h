// Defines the limits of a render and the counter that enforces them. Templates may come from
// untrusted users, so each builtin checks the budget before it works or allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace strata::jinja {

/// What one render may use. The defaults are about a hundred times what real templates need.
struct Limits {
  size_t source = size_t{1} << 20U;   ///< Bytes of one template.
  uint32_t parseDepth = 100;          ///< Nested expressions or blocks.
  uint32_t callDepth = 200;           ///< Macros, callers, recursive loops, includes, super().
  uint32_t includeDepth = 50;         ///< Nested include, import and extends.
  uint64_t fuel = 5'000'000;          ///< One per node, item, 64 bytes copied or 8 bytes examined.
  size_t output = size_t{16} << 20U;  ///< Bytes of the rendered text.
  size_t string = size_t{16} << 20U;  ///< Bytes of one string.
  size_t collection = 1'000'000;      ///< Items of one list, tuple or dict.
  int64_t range = 100'000;            ///< Items of one range().
  uint32_t valueDepth = 200;  ///< Nesting of a value that is printed, compared or serialized.
  size_t memory = size_t{128} << 20U;  ///< Bytes of all values of one render.
};

/// The limit that a template exceeded.
enum class Limit : uint8_t {
  kNone,
  kSource,
  kParseDepth,
  kCallDepth,
  kIncludeDepth,
  kFuel,
  kOutput,
  kString,
  kCollection,
  kRange,
  kValueDepth,
  kMemory,
};

/// Returns the name that error messages use: "parse_depth", "steps", ...
std::string_view nameOf(Limit limit);

/// Counts what a render uses. Each check returns false once its limit is exceeded; the caller then
/// stops and returns Runtime::limitFailure(), which reports `exceeded()`. Every check is O(1).
class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits), fuel_(limits.fuel) {}

  /// Uses up `amount` of fuel.
  bool spend(uint64_t amount = 1) {
    if (amount > fuel_) return exceed(exceeded_ == Limit::kNone ? Limit::kFuel : exceeded_);
    fuel_ -= amount;
    return true;
  }
  /// Returns whether a string of this many bytes may be created, and uses one fuel per 64 bytes.
  /// Call it before the allocation.
  bool string(uint64_t bytes) {
    return bytes <= limits_.string ? spend(bytes / 64) : exceed(Limit::kString);
  }
  /// Returns whether a collection of this many items may be created, and uses one fuel per item.
  /// Call it before the allocation.
  bool collection(uint64_t items) {
    return items <= limits_.collection ? spend(items) : exceed(Limit::kCollection);
  }
  /// Uses one fuel per 8 bytes of a text each of whose characters is examined, which takes longer
  /// than to copy or compare it.
  bool examine(uint64_t bytes) { return spend(bytes / 8); }
  /// Records that `limit` is exceeded. Always returns false.
  bool exceed(Limit limit) {
    exceeded_ = limit;
    return false;
  }

  /// Drops the remaining fuel, so the next check fails and reports `limit`.
  void stop(Limit limit) {
    fuel_ = 0;
    exceeded_ = limit;
  }

  /// Counts allocated memory. When `Limits::memory` is exceeded, the remaining fuel is dropped.
  void chargeMemory(size_t bytes) {
    memory_ += bytes;
    if (memory_ > limits_.memory) stop(Limit::kMemory);
  }

  Limit exceeded() const { return exceeded_; }
  const Limits& limits() const { return limits_; }
  uint64_t fuelLeft() const { return fuel_; }

 private:
  Limits limits_;
  uint64_t fuel_;
  size_t memory_ = 0;
  Limit exceeded_ = Limit::kNone;
};

}  // namespace strata::jinja
