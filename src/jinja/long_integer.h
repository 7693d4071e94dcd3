// Computes with integers beyond 64 bits. The results are those of Python's int.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jinja/limbs.h"
#include "jinja/ops.h"
#include "jinja/runtime.h"
#include "jinja/value.h"

namespace strata::jinja {

/// An integer that does not fit 64 bits; each smaller one is a plain integer. `flag` marks a
/// negative one. `size` limbs of its magnitude follow.
struct LongInteger : Cell {
  LongInteger(bool negative, uint32_t limbs) : Cell(Type::kLongInteger, negative, limbs) {}
  uint32_t* limbs() { return reinterpret_cast<uint32_t*>(this + 1); }
  const uint32_t* limbs() const { return reinterpret_cast<const uint32_t*>(this + 1); }
};

inline const LongInteger& Value::asLong() const { return static_cast<const LongInteger&>(*cell_); }

/// CPython converts longer decimal texts from and to integers only on request.
inline constexpr size_t kMaxDecimalDigits = 4300;
/// The start of the message of its ValueError. The rest says how to change the limit of CPython.
inline constexpr const char* kTooManyDigits =
    "Exceeds the limit (4300 digits) for integer string conversion";

/// Returns the value of 0 to 9, a to z or A to Z, and a large number for any other character.
uint32_t digitValue(char c);
/// Returns the base that x, o or b names, in either case: that of `0x1f`. Otherwise 10.
uint32_t baseOfLetter(char letter);

/// Returns whether int(digits, base) fails in Python because of kMaxDecimalDigits. Underscores do
/// not count.
bool exceedsMaxDigits(std::string_view digits, uint32_t base);

/// Returns the integer with these digits in `base` (2 to 36) and with this sign. Underscores are
/// skipped. If that needs more fuel than there is, the Budget is emptied, so the render stops at
/// its next check, and the result is any long integer.
Value integerOfDigits(Heap& heap, std::string_view digits, uint32_t base, bool negative);
/// Returns the integer part of a finite double.
Value integerOfDouble(Heap& heap, double value);

/// Applies + - * / // % or ** to integers of any size. Inlined, it would slow the code of small
/// ones.
[[gnu::noinline]] Value integerArithmetic(Runtime& runtime, Operator op, Value left, Value right);

/// Returns -1, 0 or 1 for two integers, one of which is a long one.
int compareIntegers(Value left, Value right);

/// Rounds any number. The value is infinite if an integer is too large.
Rounded rounded(Value number);
/// Sets `out` to float(number). Fails if an integer is too large for it.
bool toDouble(Runtime& runtime, Value number, double& out);

/// Appends the digits of the absolute value of an integer in base 2, 8, 10 or 16. Returns false
/// after a failure: too many decimal digits, or an exceeded limit.
bool appendMagnitude(Runtime& runtime, std::string& out, Value integer, uint32_t base);

/// Returns whether the integer is negative, and the number of bits of its absolute value.
bool isNegative(Value integer);
uint64_t bitLength(Heap& heap, Value integer);

}  // namespace strata::jinja
