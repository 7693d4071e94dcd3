// Generates random JSON texts that use every freedom of RFC 8259: white space, escapes, spellings
// of numbers, and nesting.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "json/tape.h"

namespace strata::test {

/// Generates documents from a seed, the same ones on every platform. Most are valid JSON that every
/// parser accepts. A few repeat a key, nest deeper than kMaxDepth, or have lone surrogates or
/// numbers beyond the range of doubles.
class RandomJson {
 public:
  explicit RandomJson(uint32_t seed) : random_(seed) {}

  std::string document() { return space() + (below(10) == 0 ? deep() : container(0)) + space(); }

 private:
  size_t below(size_t end) { return random_() % end; }
  template <typename List>
  std::string oneOf(const List& list) {
    return *(std::begin(list) + below(std::size(list)));
  }

  std::string space() {
    std::string out;
    for (size_t i = below(4) == 0 ? below(4) : 0; i > 0; --i) out += " \t\r\n"[below(4)];
    return out;
  }

  std::string value(size_t depth) {
    const size_t choice = below(depth < 4 ? 10 : 7);
    if (choice == 0) return oneOf(std::vector<const char*>{"null", "true", "false"});
    if (choice < 4) return number();
    return choice < 7 ? string() : container(depth);
  }

  std::string container(size_t depth) {
    const bool object = below(2) == 0;
    std::string out = (object ? "{" : "[") + space();
    const size_t size = below(30) == 0 ? 20 : below(6);
    // Sometimes one key appears again, in its own spelling.
    const size_t repeated = below(40) == 0 ? below(size + 1) : size;
    for (size_t i = 0; i < size; ++i) {
      if (i > 0) out += "," + space();
      if (object) out += key(i == repeated ? 0 : i) + space() + ":" + space();
      out += value(depth + 1) + space();
    }
    return out + (object ? "}" : "]");
  }

  /// Returns an unpredictable spelling of the key with this number.
  std::string key(size_t number) {
    std::string out = "\"";
    for (const char c : "key " + std::to_string(number)) {
      char escape[8];
      std::snprintf(escape, sizeof escape, below(2) == 0 ? "\\u%04x" : "\\u%04X", c);
      out += below(6) == 0 ? std::string(escape) : std::string(1, c);
    }
    return out + "\"";
  }

  /// Returns containers nested about as deep as the limit.
  std::string deep() {
    std::string out;
    std::string closing;
    for (size_t i = json::kMaxDepth - 6 + below(8); i > 0; --i) {
      const bool object = below(2) == 0;
      out += (object ? "{\"a\":" : "[") + space();
      if (!object && below(3) == 0) out += number() + ",";
      closing += object ? "}" : "]";
    }
    return out + string() + std::string(closing.rbegin(), closing.rend());
  }

  std::string string() {
    std::string out = "\"";
    for (size_t i = below(6); i > 0; --i) out += piece();
    return out + "\"";
  }

  std::string piece() {
    constexpr char kPlain[] = "abcdefghijklmnopqrstuvwxyz 0123456789/{}[]:,'\x7f";
    static const std::vector<const char*> kEscapes = {R"(\")", R"(\\)", R"(\/)", R"(\b)",
                                                      R"(\f)", R"(\n)", R"(\r)", R"(\t)"};
    const size_t choice = below(8);
    std::string out;
    if (choice < 3) {
      for (size_t i = below(24); i > 0; --i) out += kPlain[below(sizeof kPlain - 1)];
    } else if (choice == 3) {
      appendUtf8(out, std::max(codePoint(), uint32_t{0x80}));
    } else if (choice < 6) {
      out = escaped(codePoint());
    } else {
      out = oneOf(kEscapes);
    }
    return below(300) == 0 ? out + unit(0xD800 + below(0x800)) : out;
  }

  uint32_t codePoint() {
    const uint32_t limits[] = {0x20, 0x80, 0x800, 0x10000, 0x110000};
    const uint32_t chosen = static_cast<uint32_t>(below(limits[below(5)]));
    const bool surrogate = chosen >= 0xD800 && chosen < 0xE000;
    return surrogate || chosen < 0x20 ? chosen + 0x2000 : chosen;
  }

  std::string escaped(uint32_t codePoint) {
    if (below(4) == 0) return unit(codePoint % 0x20);
    if (codePoint < 0x10000) return unit(codePoint);
    const uint32_t rest = codePoint - 0x10000;
    return unit(0xD800 + (rest >> 10U)) + unit(0xDC00 + (rest & 0x3FFU));
  }

  /// Returns the escape of one UTF-16 unit, with upper-case and lower-case digits.
  std::string unit(size_t value) {
    char out[8];
    std::snprintf(out, sizeof out, "\\u%04x", static_cast<unsigned>(value));
    for (char* at = out + 2; *at != 0; ++at) {
      if (*at >= 'a' && below(2) == 0) *at = static_cast<char>(*at - 'a' + 'A');
    }
    return out;
  }

  std::string digits(size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += static_cast<char>('0' + below(10));
    return out;
  }
  std::string whole(size_t count) { return std::to_string(1 + below(9)) + digits(count - 1); }

  std::string exponent(int low, int high) {
    const int value = low + static_cast<int>(below(static_cast<size_t>(high - low)));
    const std::string sign = value < 0 ? "-" : below(2) == 0 ? "+" : "";
    return oneOf(std::vector<const char*>{"e", "E"}) + sign + std::string(below(3), '0') +
           std::to_string(std::abs(value));
  }

  std::string number() { return (below(3) == 0 ? "-" : "") + magnitude(); }

  std::string magnitude() {
    static const std::vector<const char*> kExtremes = {"9223372036854775807",
                                                       "9223372036854775808",
                                                       "9223372036854775809",
                                                       "18446744073709551615",
                                                       "18446744073709551616",
                                                       "0",
                                                       "0.0",
                                                       "0e0",
                                                       "0E+99999999999",
                                                       "0.000e-99999999999",
                                                       "1e-99999999999",
                                                       "5e-324",
                                                       "2.4703282292062327e-324",
                                                       "2.4703282292062328e-324",
                                                       "1.7976931348623157e308",
                                                       "1.7976931348623158079e308"};
    if (below(300) == 0) return oneOf(std::vector<const char*>{"1e309", "1E+99999999999"});
    switch (below(8)) {
      case 0:
        return std::to_string(below(1000));
      case 1:
        return oneOf(kExtremes);
      case 2:
        return whole(1 + below(60));
      case 3:  // the middle between two doubles
        return std::to_string((((uint64_t{1} << 53U) | random_()) * 2 + 1) << below(9));
      case 4:
        return printed();
      case 5:  // often a subnormal
        return whole(1) + "." + digits(1 + below(25)) + exponent(-330, -300);
      case 6:
        return "0." + std::string(below(320), '0') + whole(1 + below(500));
      default:
        return whole(1 + below(20)) + "." + digits(1 + below(20)) + exponent(-300, 280);
    }
  }

  /// Returns a random double with a random number of digits.
  std::string printed() {
    const uint64_t bits = (uint64_t{random_()} << 32U | random_()) & ~(uint64_t{1} << 63U);
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value) || value > 1e300) return "1";
    char out[64];
    std::snprintf(out, sizeof out, "%.*e", static_cast<int>(below(21)), value);
    return out;
  }

  std::mt19937 random_;
};

}  // namespace strata::test
