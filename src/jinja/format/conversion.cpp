#include "jinja/format/conversion.h"

#include <cmath>
#include <string>

#include "base/ascii.h"
#include "base/utf8.h"
#include "jinja/long_integer.h"
#include "jinja/ops.h"
#include "jinja/text/characters.h"

namespace strata::jinja {
namespace {

// Returns whether the Budget allows `count` more characters.
bool hasRoom(Runtime& runtime, int64_t count) {
  if (count <= 0 || runtime.budget.string(static_cast<uint64_t>(count))) return true;
  runtime.limitFailure();
  return false;
}

}  // namespace

int64_t readCount(std::string_view text, size_t& at) {
  int64_t count = 0;
  for (; at < text.size() && ascii::isDigit(text[at]); ++at) {
    count = count > INT64_MAX / 10 - 1 ? INT64_MAX : count * 10 + (text[at] - '0');
  }
  return count;
}

Value toInteger(Runtime& runtime, Value value) {
  if (value.isAnyInteger()) return value;
  if (!value.isDouble()) {
    return runtime.fail("%d format: a real number is required, not {}", value);
  }
  const double number = value.asDouble();
  if (std::isnan(number)) return runtime.fail("cannot convert float NaN to integer");
  if (std::isinf(number)) return runtime.fail("cannot convert float infinity to integer");
  return integerOfDouble(runtime.heap, number);
}

bool appendInteger(Runtime& runtime, Text& out, const FormatSpec& spec, Value integer) {
  if (!hasRoom(runtime, spec.width) || !hasRoom(runtime, spec.precision)) return false;
  const uint32_t base = baseOfLetter(spec.type);
  std::string digits;
  if (!appendMagnitude(runtime, digits, integer, base)) return false;
  if (spec.precision > static_cast<int64_t>(digits.size())) {
    digits.insert(0, static_cast<size_t>(spec.precision) - digits.size(), '0');
  }
  std::string prefix;
  if (spec.alternate && base != 10) prefix = {'0', spec.type};
  if (spec.type == 'X') {
    for (char& c : digits) c = static_cast<char>(c >= 'a' ? c - 32 : c);
  }
  appendNumber(out, spec, isNegative(integer), prefix, digits);
  return true;
}

bool appendDouble(Runtime& runtime, Text& out, const FormatSpec& spec, Value number) {
  double value = 0;
  if (!toDouble(runtime, number, value)) return false;
  if (!hasRoom(runtime, spec.width) || !hasRoom(runtime, spec.precision)) return false;
  const int precision = spec.precision < 0 ? 6 : static_cast<int>(spec.precision);
  const bool percent = spec.type == '%';
  std::string digits = formatDouble(percent ? value * 100 : value, percent ? 'f' : spec.type,
                                    precision, spec.alternate);
  if (percent) digits += '%';
  appendNumber(out, spec, std::signbit(value) && !std::isnan(value), {}, digits);
  return true;
}

Value toAscii(Runtime& runtime, Value text) {
  Text out(runtime);
  for (size_t at = 0; at < text.text().size() && !out.failed();) {
    const uint32_t c = decodeUtf8(text.text(), at);
    if (c < 0x80) {
      out.append(static_cast<char>(c));
    } else {
      std::string escape = "\\";
      text::appendEscapeCode(escape, c);
      out.append(escape);
    }
  }
  return out.take();
}

}  // namespace strata::jinja
