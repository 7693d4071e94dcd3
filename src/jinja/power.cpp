#include "jinja/power.h"

#include <cmath>
#include <limits>

namespace strata::jinja {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The sum of two doubles, for about 106 bits of precision; `low` is at most half a unit in the last
// place of `high`. See T. J. Dekker, "A floating-point technique for extending the available
// precision", https://doi.org/10.1007/BF01397083.
struct Double2 {
  double high = 0;
  double low = 0;
};

constexpr Double2 kLn2 = {0.6931471805599453, 2.3190468138462996e-17};

// Requires |a| >= |b|.
Double2 normalized(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

Double2 exactSum(double a, double b) {
  const double sum = a + b;
  const double second = sum - a;
  return {sum, (a - (sum - second)) + (b - second)};
}

// Returns the upper half of the bits of `a`.
double upperHalf(double a) {
  const double scaled = 134217729 * a;  // 2^27 + 1
  return scaled - (scaled - a);
}

Double2 exactProduct(double a, double b) {
  const double product = a * b;
  const double a1 = upperHalf(a);
  const double b1 = upperHalf(b);
  const double a2 = a - a1;
  const double b2 = b - b1;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

Double2 operator+(Double2 a, Double2 b) {
  const Double2 sum = exactSum(a.high, b.high);
  return normalized(sum.high, sum.low + a.low + b.low);
}

Double2 operator*(Double2 a, Double2 b) {
  const Double2 product = exactProduct(a.high, b.high);
  return normalized(product.high, product.low + a.high * b.low + a.low * b.high);
}

Double2 operator/(Double2 a, Double2 b) {
  const double quotient = a.high / b.high;
  const Double2 rest = a + Double2{-quotient} * b;
  return normalized(quotient, rest.high / b.high);
}

// ln(x) = e ln 2 + 2 artanh((m - 1) / (m + 1)) for x = m 2^e with m near 1. Requires x > 0.
Double2 logarithm(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.7071067811865476) {
    m *= 2;
    exponent -= 1;
  }
  const Double2 s = Double2{m - 1} / exactSum(m, 1);
  const Double2 square = s * s;
  Double2 series;
  for (int k = 43; k > 0; k -= 2) {
    series = Double2{1} / Double2{static_cast<double>(k)} + square * series;
  }
  return kLn2 * Double2{static_cast<double>(exponent)} + Double2{2 * s.high, 2 * s.low} * series;
}

// e^x = 2^k (e^r)^16 for x = k ln 2 + 16 r, with the Taylor series for e^r. Requires |x| < 800.
double exponential(Double2 x) {
  const double k = std::nearbyint(x.high / kLn2.high);
  const Double2 rest = x + Double2{-k} * kLn2;
  const Double2 r = {rest.high / 16, rest.low / 16};
  Double2 series = {1};
  for (int n = 15; n > 0; --n) {
    series = Double2{1} + r * series / Double2{static_cast<double>(n)};
  }
  for (int i = 0; i < 4; ++i) series = series * series;
  return std::ldexp(series.high, static_cast<int>(k));
}

// Requires base > 0 and finite arguments.
double positivePower(double base, double exponent) {
  const Double2 log = logarithm(base);
  const double size = log.high * exponent;
  if (size > 710) return kInfinity;
  if (size < -746) return 0;
  // Only these powers can lie halfway between two doubles. Multiplying is exact for them.
  const bool mayTie = exponent > 0 && exponent < 64 && exponent == std::floor(exponent);
  if (!mayTie || std::fabs(size) > 500) return exponential(log * Double2{exponent});
  Double2 result = {1};
  for (int i = 0; i < exponent; ++i) result = result * Double2{base};
  return result.high;
}

}  // namespace

double power(double base, double exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (std::isnan(base) || std::isnan(exponent)) return base + exponent;
  const bool odd = std::fabs(std::fmod(exponent, 2)) == 1;
  const double sign = std::signbit(base) && odd ? -1 : 1;
  const double size = std::fabs(base);
  if (std::isinf(exponent)) {
    if (size == 1) return 1;
    return (size > 1) == (exponent > 0) ? kInfinity : 0;
  }
  if (size == 0 || std::isinf(size)) {
    return (size == 0) == (exponent > 0) ? sign * 0 : sign * kInfinity;
  }
  if (base < 0 && exponent != std::floor(exponent)) return std::nan("");
  return sign * positivePower(size, exponent);
}

}  // namespace strata::jinja
