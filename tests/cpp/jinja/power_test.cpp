// Tests powers of numbers against libm, which is within one unit in the last place.
#include "jinja/power.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace strata::jinja {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int64_t bitsOf(double value) {
  int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

TEST(Power, HasTheSpecialValuesOfC) {
  const double values[] = {0.0,  -0.0,  1.0,    -1.0,      0.5,        -0.5,
                           2.0,  -2.0,  3.0,    -3,        1.5,        -1.5,
                           4e15, 1e300, 1e-300, kInfinity, -kInfinity, std::nan("")};
  for (const double base : values) {
    for (const double exponent : values) {
      const double expected = std::pow(base, exponent);
      const double result = power(base, exponent);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(result)) << base << " ** " << exponent;
      } else {
        EXPECT_EQ(result, expected) << base << " ** " << exponent;
        EXPECT_EQ(std::signbit(result), std::signbit(expected)) << base << " ** " << exponent;
      }
    }
  }
}

TEST(Power, IsExactWhereTheResultIsADoubleOrHalfwayBetweenTwo) {
  for (int i = 1; i < 3000; ++i) {
    const double n = 94906265 + 2 * i;  // the square has 54 bits
    ASSERT_EQ(power(n, 2), n * n);
    ASSERT_EQ(power(i, 3), static_cast<double>(i) * i * i);
    ASSERT_EQ(power(static_cast<double>(i) * i, 0.5), i);
  }
  for (int i = -1074; i < 1024; ++i) ASSERT_EQ(power(2, i), std::ldexp(1, i)) << i;
  double tenTo = 1;
  for (int i = 0; i <= 22; ++i, tenTo *= 10) ASSERT_EQ(power(10, i), tenTo) << i;
  EXPECT_EQ(power(10, 308), 1e308);
  EXPECT_EQ(power(10, -300), 1e-300);
}

TEST(Power, IsTheSameAsLibmNearlyAlways) {
  uint64_t state = 1;
  const auto random = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 11U) / 9007199254740992.0;
  };
  int different = 0;
  constexpr int kSamples = 100000;
  for (int i = 0; i < kSamples; ++i) {
    const double base = std::ldexp(random() + 0.5, static_cast<int>(random() * 40) - 20);
    const double exponent = (random() - 0.5) * 40;
    const int64_t distance = bitsOf(power(base, exponent)) - bitsOf(std::pow(base, exponent));
    ASSERT_LE(std::abs(distance), 1) << base << " ** " << exponent;
    if (distance != 0) ++different;
  }
  // libm rounds about one result in a thousand the other way.
  EXPECT_LT(different, kSamples / 200);
}

TEST(Power, OverflowsAndUnderflows) {
  EXPECT_EQ(power(1e300, 2), kInfinity);
  EXPECT_EQ(power(-1e300, 3), -kInfinity);
  EXPECT_EQ(power(1e-300, 2), 0);
  EXPECT_EQ(power(1.0000000000000002, 1e300), kInfinity);
  EXPECT_EQ(power(1.0000000000000002, 1e-300), 1);
  EXPECT_EQ(power(2, -1075), 0);
  EXPECT_GT(power(3, -677), 0);
}

}  // namespace
}  // namespace strata::jinja
