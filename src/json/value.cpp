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
  if (node_->escaped()) return text() == expected;
  // Most keys differ in their length.
  return node_->size == expected.size() + 2 &&
         std::string_view(node_->bytes + 1, expected.size()) == expected;
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
  const Value end = next();
  for (Value name = first(); name.node_ != end.node_; name = name.valueOfKey().next()) {
    if (name.hasText(key)) return name.valueOfKey();
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
