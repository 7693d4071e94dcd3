#include "jinja/value.h"

#include <cstring>

namespace strata::jinja {

bool Value::identical(const Value& other) const {
  if (type_ != other.type_) return false;
  switch (type_) {
    case Type::kNone:
      return true;
    case Type::kDouble: {
      return std::memcmp(&double_, &other.double_, sizeof double_) == 0;
    }
    case Type::kString:
      return text() == other.text();
    case Type::kUndefined:
      return flag_ == other.flag_ && pointer_ == other.pointer_;
    default:
      return integer_ == other.integer_;
  }
}

}  // namespace strata::jinja
