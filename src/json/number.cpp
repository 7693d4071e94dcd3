#include "json/number.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "base/ascii.h"
#include "json/big_integer.h"

namespace strata::json {
namespace {

constexpr uint64_t kHiddenBit = uint64_t{1} << 52U;
// Two decimals of up to 15 digits never round to the same double.
constexpr double kExactDigits = 1e15;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

uint64_t bitsOf(double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

double fromBits(uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// value == mantissa * 2^exponent
struct Binary {
  explicit Binary(double value) {
    const uint64_t bits = bitsOf(value) & ~(uint64_t{1} << 63U);
    const int stored = static_cast<int>(bits >> 52U);
    mantissa = bits & (kHiddenBit - 1);
    if (stored != 0) mantissa |= kHiddenBit;
    exponent = (stored == 0 ? 1 : stored) - 1075;
  }

  uint64_t mantissa;
  int exponent;
};

int floorLog2(const Binary& binary) {
  int log = binary.exponent - 1;
  for (uint64_t rest = binary.mantissa; rest != 0; rest >>= 1U) ++log;
  return log;
}

// floor(exponent * log10(2)); the fraction is exact enough for every exponent of a double.
int floorLog10OfPowerOfTwo(int exponent) {
  const int scaled = exponent * 30103;
  return scaled >= 0 ? scaled / 100000 : -((99999 - scaled) / 100000);
}

double powerOfTen(int exponent) {
  static constexpr double kPowers[] = {1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256};
  double power = 1;
  for (unsigned i = 0; i < 9; ++i) {
    if ((static_cast<unsigned>(exponent) >> i & 1U) != 0) power *= kPowers[i];
  }
  return power;
}

void appendDigits(std::string& out, uint64_t value) {
  char buffer[20];
  char* from = buffer + sizeof buffer;
  do {
    *--from = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  out.append(from, static_cast<size_t>(buffer + sizeof buffer - from));
}

void dropTrailingZeros(std::string& digits) { digits.resize(digits.find_last_not_of('0') + 1); }

// value == ratio / scale * 10^point, with 0.1 <= ratio / scale < 1. `plus` and `minus` are half the
// distances to the neighboring doubles, in the same scale (Steele and White, 1990).
struct Fraction {
  Fraction(double value, bool shortest);

  unsigned nextDigit() {
    ratio.multiply(10);
    plus.multiply(10);
    minus.multiply(10);
    return ratio.divideDigit(scale);
  }
  bool isBelowNeighbor() const {
    const int order = ratio.compare(minus);
    return even ? order <= 0 : order < 0;
  }
  bool isAboveNeighbor() const {
    const int order = BigInteger(ratio).add(plus).compare(scale);
    return even ? order >= 0 : order > 0;
  }
  bool roundsUp(unsigned lastDigit) const {
    const int order = BigInteger(ratio).shiftLeft(1).compare(scale);
    return order > 0 || (order == 0 && lastDigit % 2 != 0);
  }

  BigInteger ratio, scale, plus, minus;
  int point;
  bool even;
};

Fraction::Fraction(double value, bool shortest) {
  const Binary binary(value);
  even = binary.mantissa % 2 == 0;
  const bool unequalGaps = binary.mantissa == kHiddenBit && binary.exponent > -1074;
  ratio = BigInteger(binary.mantissa).shiftLeft(2);
  scale = BigInteger(4);
  if (shortest) {
    plus = BigInteger(2);
    minus = BigInteger(unequalGaps ? 1 : 2);
  }
  if (binary.exponent >= 0) {
    const unsigned up = static_cast<unsigned>(binary.exponent);
    ratio.shiftLeft(up);
    plus.shiftLeft(up);
    minus.shiftLeft(up);
  } else {
    scale.shiftLeft(static_cast<unsigned>(-binary.exponent));
  }
  point = floorLog10OfPowerOfTwo(floorLog2(binary));  // too small by at most 2
  if (point >= 0) {
    scale.multiplyPowerOfTen(static_cast<unsigned>(point));
  } else {
    const unsigned down = static_cast<unsigned>(-point);
    ratio.multiplyPowerOfTen(down);
    plus.multiplyPowerOfTen(down);
    minus.multiplyPowerOfTen(down);
  }
  while (shortest ? isAboveNeighbor() : ratio.compare(scale) >= 0) {
    scale.multiply(10);
    ++point;
  }
}

// Handles most numbers in practice: an integer below 10^15 divided by a small power of ten. Both
// are exact doubles, so one division shows whether the digits read back as `value`.
bool shortDecimal(double value, Decimal& out) {
  if (value < 1e-7 || value >= kExactDigits) return false;
  for (int places = 0; places <= 22; ++places) {
    const double power = powerOfTen(places);
    const double scaled = std::nearbyint(value * power);
    if (scaled >= kExactDigits) return false;
    if (scaled / power != value) continue;
    appendDigits(out.digits, static_cast<uint64_t>(scaled));
    out.point = static_cast<int>(out.digits.size()) - places;
    dropTrailingZeros(out.digits);
    return true;
  }
  return false;
}

void increment(Decimal& decimal) {
  size_t at = decimal.digits.size();
  while (at > 0 && decimal.digits[at - 1] == '9') decimal.digits[--at] = '0';
  if (at > 0) {
    ++decimal.digits[at - 1];
    return;
  }
  decimal.digits.insert(decimal.digits.begin(), '1');
  ++decimal.point;
}

Decimal rounded(double value, int count, bool fixedCount) {
  Decimal out;
  if (value == 0) return out;
  Fraction fraction(value, false);
  out.point = fraction.point;
  if (!fixedCount) count += fraction.point;
  if (count < 0) return out;
  unsigned digit = 0;
  for (int i = 0; i < count; ++i) {
    digit = fraction.nextDigit();
    out.digits.push_back(static_cast<char>('0' + digit));
  }
  if (!fraction.roundsUp(digit)) return out;
  increment(out);
  if (fixedCount) out.digits.resize(static_cast<size_t>(count));
  return out;
}

// A parsed decimal number: 0.DIGITS * 10^point, without leading zeros.
struct ParsedDecimal {
  bool negative = false;
  std::string digits;
  int point = 0;
};

// No midpoint between two doubles has more than 770 digits. Any nonzero digit after them is kept as
// a single 1, which is enough to compare with a midpoint.
void addDigit(ParsedDecimal& out, char digit) {
  constexpr size_t kMaxDigits = 770;
  if (out.digits.empty() && digit == '0') return;
  if (out.digits.size() < kMaxDigits) {
    out.digits.push_back(digit);
  } else if (out.digits.size() == kMaxDigits && digit != '0') {
    out.digits.push_back('1');
  }
}

bool readExponent(std::string_view text, size_t& at, int& exponent) {
  bool negative = false;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) negative = text[at++] == '-';
  const size_t from = at;
  int value = 0;
  for (; at < text.size() && ascii::isDigit(text[at]); ++at) {
    if (value < 100000000) value = value * 10 + (text[at] - '0');
  }
  exponent = negative ? -value : value;
  return at > from;
}

bool parseDecimal(std::string_view text, ParsedDecimal& out) {
  size_t at = 0;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) out.negative = text[at++] == '-';
  bool afterPoint = false;
  bool any = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !afterPoint) {
      afterPoint = true;
    } else if (ascii::isDigit(text[at])) {
      any = true;
      addDigit(out, text[at]);
      const bool leadingZero = out.digits.empty();
      if (!afterPoint && !leadingZero) ++out.point;
      if (afterPoint && leadingZero) --out.point;
    } else {
      break;
    }
  }
  int exponent = 0;
  if (any && at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (!readExponent(text, at, exponent)) return false;
  }
  out.point += exponent;
  return any && at == text.size();
}

// Compares digits * 10^exponent with the midpoint between `value` and the next larger double.
int compareToMidpoint(const BigInteger& digits, int exponent, double value) {
  const Binary binary(value);
  BigInteger left = digits;
  BigInteger right(binary.mantissa * 2 + 1);
  if (exponent >= 0) {
    left.multiplyPowerOfFive(static_cast<unsigned>(exponent));
  } else {
    right.multiplyPowerOfFive(static_cast<unsigned>(-exponent));
  }
  const int shift = exponent - (binary.exponent - 1);
  if (shift >= 0) {
    left.shiftLeft(static_cast<unsigned>(shift));
  } else {
    right.shiftLeft(static_cast<unsigned>(-shift));
  }
  const int order = left.compare(right);
  return order != 0 ? order : (binary.mantissa % 2 == 0 ? -1 : 1);
}

// Steps from an estimate, which is at most a few doubles off, to the nearest double.
double nearestDouble(const std::string& digits, int exponent, double estimate) {
  BigInteger exact;
  for (const char digit : digits) exact.multiply(10).add(static_cast<uint32_t>(digit - '0'));
  uint64_t bits = bitsOf(estimate < kInfinity ? estimate : std::numeric_limits<double>::max());
  while (bits < bitsOf(kInfinity) && compareToMidpoint(exact, exponent, fromBits(bits)) > 0) ++bits;
  while (bits > 0 && compareToMidpoint(exact, exponent, fromBits(bits - 1)) < 0) --bits;
  return fromBits(bits);
}

double scaleByPowerOfTen(double value, int exponent) {
  if (exponent >= 0) return value * powerOfTen(exponent);
  const int first = exponent < -300 ? -300 : exponent;  // 10^-exponent may overflow
  return value / powerOfTen(-first) / powerOfTen(first - exponent);
}

double magnitude(const ParsedDecimal& parsed) {
  const int count = static_cast<int>(parsed.digits.size());
  if (count == 0 || parsed.point < -400) return 0;
  if (parsed.point > 310) return kInfinity;
  uint64_t leading = 0;
  int used = 0;
  for (; used < count && used < 19; ++used) {
    leading = leading * 10 + static_cast<uint64_t>(parsed.digits[static_cast<size_t>(used)] - '0');
  }
  const int exponent = parsed.point - used;
  const double estimate = scaleByPowerOfTen(static_cast<double>(leading), exponent);
  const bool exact =
      used == count && leading <= 2 * kHiddenBit && exponent >= -22 && exponent <= 22;
  return exact ? estimate : nearestDouble(parsed.digits, parsed.point - count, estimate);
}

}  // namespace

Decimal shortestDecimal(double value) {
  Decimal out;
  value = std::fabs(value);
  if (value == 0 || shortDecimal(value, out)) return out;
  Fraction fraction(value, true);
  out.point = fraction.point;
  for (;;) {
    unsigned digit = fraction.nextDigit();
    const bool low = fraction.isBelowNeighbor();
    const bool high = fraction.isAboveNeighbor();
    if (high && (!low || fraction.roundsUp(digit))) ++digit;
    out.digits.push_back(static_cast<char>('0' + digit));
    if (low || high) return out;
  }
}

std::string decimalText(double value) {
  Decimal decimal = shortestDecimal(value);
  std::string& digits = decimal.digits;
  if (digits.empty()) return "0";
  const int size = static_cast<int>(digits.size());
  const int point = decimal.point;
  if (point <= -6 || point > 21) {
    if (size > 1) digits.insert(1, 1, '.');
    digits.append(point > 0 ? "e+" : "e");
    appendInteger(digits, point - 1);
  } else if (point <= 0) {
    digits.insert(0, "0." + std::string(static_cast<size_t>(-point), '0'));
  } else if (point < size) {
    digits.insert(static_cast<size_t>(point), 1, '.');
  } else {
    digits.append(static_cast<size_t>(point - size), '0');
  }
  return value < 0 ? "-" + digits : digits;
}

Decimal roundToPlaces(double value, int places) { return rounded(value, places, false); }

Decimal roundToDigits(double value, int count) { return rounded(value, count, true); }

std::optional<double> readDouble(std::string_view text) {
  ParsedDecimal parsed;
  if (!parseDecimal(text, parsed)) return std::nullopt;
  const double value = magnitude(parsed);
  return parsed.negative ? -value : value;
}

void appendInteger(std::string& out, int64_t value) {
  if (value < 0) out.push_back('-');
  const uint64_t bits = static_cast<uint64_t>(value);
  appendDigits(out, value < 0 ? 0 - bits : bits);
}

}  // namespace strata::json
