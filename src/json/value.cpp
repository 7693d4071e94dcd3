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

bool Value::equals(std::string_view expected) const {
  if (!isString()) return false;
  return node_->escaped() ? text() == expected : raw() == expected;
}

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
  for (const Member member : members(*this)) {
    if (member.key.equals(key)) return member.value;
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
