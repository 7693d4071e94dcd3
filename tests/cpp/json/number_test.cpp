#include "json/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace strata::json {
namespace {

std::string toText(const Decimal& decimal) {
  if (decimal.digits.empty()) return "0";
  return "0." + decimal.digits + "e" + std::to_string(decimal.point);
}

// The digits of Python's repr: the lowest precision whose text, or whose text with the last digit
// increased, reads back.
std::string expectedDigits(double value) {
  for (int precision = 0; precision < 17; ++precision) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*e", precision, value);
    for (int up = 0; up < 2; ++up) {
      char& last = text[precision == 0 ? 0 : precision + 1];
      if (up == 1 && last++ == '9') break;
      if (std::strtod(text, nullptr) != value) continue;
      std::string digits(1, text[0]);
      if (precision > 0) digits.append(text + 2, static_cast<size_t>(precision));
      digits.resize(digits.find_last_not_of('0') + 1);
      const int exponent = std::atoi(std::strchr(text, 'e') + 1);
      return "0." + digits + "e" + std::to_string(exponent + 1);
    }
  }
  return "none";
}

double fromBits(uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::vector<double> samples() {
  std::vector<double> out = {1.0,
                             0.1,
                             25.0,
                             9007199254740993.0,
                             5e-324,
                             2.2250738585072014e-308,
                             1.7976931348623157e308,
                             123456789012345680.0,
                             1e23,
                             9.5,
                             0.3 + 0.6};
  for (int exponent = -1074; exponent < 1024; ++exponent) out.push_back(std::ldexp(1.0, exponent));
  std::mt19937_64 random(7);
  while (out.size() < 30000) {
    const double value = fromBits(random() & ~(uint64_t{1} << 63U));
    if (std::isfinite(value)) out.push_back(value);
  }
  for (int i = 0; i < 20000; ++i) {
    out.push_back(static_cast<double>(random() % 1000000000) / std::pow(10, i % 9));
  }
  return out;
}

TEST(Number, WritesTheShortestDigits) {
  for (const double value : samples()) {
    if (value == 0) continue;
    ASSERT_EQ(toText(shortestDecimal(value)), expectedDigits(value)) << value;
  }
  EXPECT_EQ(toText(shortestDecimal(0)), "0");
}

TEST(Number, RoundTrips) {
  for (const double value : samples()) {
    const auto read = readDouble(toText(shortestDecimal(value)));
    ASSERT_TRUE(read);
    ASSERT_EQ(*read, value);
  }
}

TEST(Number, ReadsTheNearestDouble) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 30000; ++i) {
    std::string text = std::to_string(random());
    if (i % 3 == 0) text += std::to_string(random());
    text.insert(random() % text.size(), ".");
    text += "e" + std::to_string(static_cast<int>(random() % 700) - 350);
    const auto read = readDouble(text);
    ASSERT_TRUE(read) << text;
    ASSERT_EQ(*read, std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(Number, RoundsMidpointsToEven) {
  size_t count = 0;
  for (const double value : samples()) {
    const double next = std::nextafter(value, std::numeric_limits<double>::infinity());
    if (!std::isfinite(next) || ++count % 20 != 0) continue;
    char midpoint[1200];  // exact in long double: 64 bits of mantissa
    const long double exact = (static_cast<long double>(value) + next) / 2;
    std::snprintf(midpoint, sizeof midpoint, "%.1100Le", exact);
    ASSERT_EQ(*readDouble(midpoint), std::strtod(midpoint, nullptr)) << value;
    const std::string above = std::string(midpoint, std::strchr(midpoint, 'e')) + "1" +
                              std::string(std::strchr(midpoint, 'e'));
    ASSERT_EQ(*readDouble(above), next) << value;
  }
}

TEST(Number, RejectsTextsThatAreNotNumbers) {
  for (const char* text :
       {"", ".", "-", "e5", "1e", "1e+", " 1", "1 ", "inf", "nan", "1.2.3", "0x1"}) {
    EXPECT_FALSE(readDouble(text)) << text;
  }
  EXPECT_EQ(*readDouble("+.5"), 0.5);
  EXPECT_EQ(*readDouble("5."), 5.0);
  EXPECT_EQ(*readDouble("1e99999999999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(*readDouble("1e-99999999999"), 0.0);
  EXPECT_TRUE(std::signbit(*readDouble("-0")));
  EXPECT_EQ(*readDouble("0.000" + std::string(400, '0') + "1e404"), 1.0);
}

TEST(Number, RoundsExactlyToPlaces) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const double value = static_cast<double>(random() % 100000000) / (i % 2 == 0 ? 1024.0 : 1000.0);
    const int places = i % 6;
    char expected[60];
    std::snprintf(expected, sizeof expected, "%.*f", places, value);
    std::string digits;
    for (const char* at = expected; *at != 0; ++at) {
      if (*at != '.') digits.push_back(*at);
    }
    digits.erase(0, digits.find_first_not_of('0'));
    const Decimal decimal = roundToPlaces(value, places);
    ASSERT_EQ(decimal.digits, digits) << value << " to " << places;
    if (digits.empty()) continue;
    ASSERT_EQ(decimal.point, static_cast<int>(digits.size()) - places);
  }
  EXPECT_EQ(toText(roundToPlaces(0.5, 0)), "0");
  EXPECT_EQ(toText(roundToPlaces(1.5, 0)), "0.2e1");
  EXPECT_EQ(toText(roundToPlaces(9.96, 1)), "0.100e2");
  EXPECT_EQ(toText(roundToPlaces(1250, -2)), "0.12e4");
  EXPECT_EQ(toText(roundToPlaces(0.001, 0)), "0");
}

TEST(Number, RoundsExactlyToDigits) {
  EXPECT_EQ(toText(roundToDigits(9.996, 3)), "0.100e2");
  EXPECT_EQ(toText(roundToDigits(2.5, 1)), "0.2e1");
  EXPECT_EQ(toText(roundToDigits(1234567, 6)), "0.123457e7");
}

TEST(Number, WritesIntegers) {
  std::string out;
  for (const int64_t value : {int64_t{0}, int64_t{-7}, std::numeric_limits<int64_t>::max(),
                              std::numeric_limits<int64_t>::min()}) {
    appendInteger(out, value);
    out += ' ';
  }
  EXPECT_EQ(out, "0 -7 9223372036854775807 -9223372036854775808 ");
}

}  // namespace
}  // namespace strata::json
