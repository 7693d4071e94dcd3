#include "jinja/value.h"

#include <cstring>

#include "json/number.h"

namespace strata::jinja {

bool Value::identical(const Value& other) const {
  if (type_ != other.type_) return false;
  switch (type_) {
    case Type::kNone:
      return true;
    case Type::kDouble: {
      const double left = asDouble();
      const double right = other.asDouble();
      return std::memcmp(&left, &right, sizeof left) == 0;
    }
    case Type::kString:
      return text() == other.text();
    case Type::kUndefined:
      return flag_ == other.flag_ && pointer_ == other.pointer_;
    default:
      return integer_ == other.integer_;
  }
}

double Value::longIntegerAsDouble() const { return json::readDouble(text()).value_or(0); }

}  // namespace strata::jinja
