// Declares the generated Unicode tables and their reader. src/jinja/text/generate_unicode.py
// documents the layout of each table. Only characters.cpp and case.cpp use them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strata::jinja::text {

/// A position in kClasses where a lookup can start: the first code point and the first byte of a
/// run.
struct Anchor {
  uint32_t codePoint;
  uint32_t byte;
};

extern const Anchor kClassAnchors[];
extern const size_t kClassAnchorCount;

extern const uint8_t kClasses[];
extern const uint8_t kUpper[];
extern const size_t kUpperSize;
extern const uint8_t kLowerExceptions[];
extern const size_t kLowerExceptionsSize;
extern const uint8_t kTitleExceptions[];
extern const size_t kTitleExceptionsSize;
extern const uint8_t kUpperSpecial[];
extern const size_t kUpperSpecialSize;
extern const uint8_t kTitleSpecial[];
extern const size_t kTitleSpecialSize;
extern const uint8_t kLowerOddities[];
extern const size_t kLowerOdditiesSize;
extern const uint8_t kUpperOddities[];
extern const size_t kUpperOdditiesSize;
extern const uint8_t kDecimalStarts[];
extern const size_t kDecimalStartsSize;
extern const uint8_t kIdentifierStartOddities[];
extern const size_t kIdentifierStartOdditiesSize;
extern const uint8_t kIdentifierOddities[];
extern const size_t kIdentifierOdditiesSize;
extern const uint8_t kOtherDigits[];
extern const size_t kOtherDigitsSize;

/// Reads the LEB128 numbers of one table. Each number is a sequence of bytes with 7 bits each,
/// least significant first; the high bit marks a continuation:
///
///     [1xxxxxxx] [1xxxxxxx] [0xxxxxxx]
class TableReader {
 public:
  TableReader(const uint8_t* table, size_t size) : at_(table), end_(table + size) {}

  bool done() const { return at_ == end_; }
  uint32_t next() {
    uint32_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint32_t byte = *at_++;
      number |= (byte & 127U) << shift;
      if (byte < 128) return number;
    }
  }
  int32_t nextSigned() {
    const uint32_t number = next();
    const auto half = static_cast<int32_t>(number / 2);
    return number % 2 == 0 ? half : -half - 1;
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

}  // namespace strata::jinja::text
