#include "json/value.h"

#include "json/string.h"

namespace strata::json {

std::string Value::text() const {
  std::string out;
  if (hasEscapes()) {
    appendUnescaped(out, raw());
  } else {
    out = raw();
  }
  return out;
}

bool Value::hasText(std::string_view expected) const {
  const Tape::Node& own = node();
  if (own.escaped()) return text() == expected;
  // Most keys differ in their length.
  return own.end - own.begin == expected.size() + 2 && slice(own.begin + 1, own.end - 1) == expected;
}

bool Value::equals(std::string_view expected) const { return isString() && hasText(expected); }

int64_t Value::integer(int64_t fallback) const {
  if (!isNumber()) return fallback;
  std::string_view digits = bytes();
  const bool negative = digits.front() == '-';
  if (negative) digits.remove_prefix(1);
  const uint64_t limit = negative ? uint64_t{1} << 63U : uint64_t{INT64_MAX};
  uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return fallback;
    const auto digit = static_cast<uint64_t>(c - '0');
    if (value > (limit - digit) / 10) return fallback;
    value = value * 10 + digit;
  }
  return static_cast<int64_t>(negative ? 0 - value : value);
}

Value Value::find(std::string_view key) const {
  if (!isObject()) return {};
  const uint32_t end = endIndex();
  for (uint32_t name = index_ + 1; name != end; name = tape_->node(name + 1).next) {
    if (Value(tape_, name).hasText(key)) return Value(tape_, name + 1);
  }
  return {};
}

Value Value::at(size_t position) const {
  for (const Value element : elements(*this)) {
    if (position-- == 0) return element;
  }
  return {};
}

}  // namespace strata::json
