// Why this file exists: templates may come from strangers, so every render has a budget, and each
// builtin asks it before it works or allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace strata::jinja {

/// What one render may use. The defaults are those of real templates times a hundred.
struct Limits {
  size_t source = size_t{1} << 20U;   ///< Bytes of one template.
  uint32_t parseDepth = 100;          ///< Nested expressions or blocks.
  uint32_t callDepth = 200;           ///< Macros, callers, recursive loops, includes, super().
  uint32_t includeDepth = 50;         ///< Include, import and extends inside one another.
  uint64_t fuel = 5'000'000;          ///< One a node, one a produced item or 64 bytes.
  size_t output = size_t{16} << 20U;  ///< Bytes.
  size_t string = size_t{16} << 20U;  ///< Bytes of one string.
  size_t collection = 1'000'000;      ///< Items of one list, tuple or dict.
  int64_t range = 100'000;            ///< Items of one range().
  uint32_t valueDepth = 200;          ///< Nesting of a value that is printed, compared, serialised.
  size_t memory = size_t{128} << 20U;  ///< Bytes of all values of one render.
};

/// Which limit was met.
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
  kInteger,  ///< A result outside of 64 bits.
};

/// "parse_depth", "steps", ...
std::string_view nameOf(Limit limit);

/// Counts what a render uses. Every question answers false once its limit is met; the caller stops
/// then (with Runtime::limitFailure(), which makes the error out of `met()`).
class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits), fuel_(limits.fuel) {}

  /// Takes `amount` of fuel.
  bool spend(uint64_t amount = 1) {
    if (amount > fuel_) return meet(met_ == Limit::kNone ? Limit::kFuel : met_);
    fuel_ -= amount;
    return true;
  }
  /// May a string of this many bytes be made? Takes one fuel for each 64. Ask before making it.
  bool string(uint64_t bytes) {
    return bytes <= limits_.string ? spend(bytes / 64) : meet(Limit::kString);
  }
  /// May a collection of this many items be made? Takes one fuel for each item.
  bool collection(uint64_t items) {
    return items <= limits_.collection ? spend(items) : meet(Limit::kCollection);
  }
  bool meet(Limit limit) {
    met_ = limit;
    return false;
  }

  /// Once all memory is used up, nothing more can be spent.
  void takeMemory(size_t bytes) {
    memory_ += bytes;
    if (memory_ <= limits_.memory) return;
    fuel_ = 0;
    met_ = Limit::kMemory;
  }

  Limit met() const { return met_; }
  const Limits& limits() const { return limits_; }
  uint64_t fuelLeft() const { return fuel_; }

 private:
  Limits limits_;
  uint64_t fuel_;
  size_t memory_ = 0;
  Limit met_ = Limit::kNone;
};

}  // namespace strata::jinja
