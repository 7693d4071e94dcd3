#include "jinja/value.h"

#include <cstring>

#include "jinja/heap.h"
#include "jinja/long_integer.h"

namespace strata::jinja {

Value Value::integer(Heap& heap, int64_t value) {
  const auto small = static_cast<int32_t>(value);
  if (small == value) return *heap.make<Cell>(Type::kInt, false, static_cast<uint32_t>(small));
  return *heap.make<Scalar>(value);
}

Value Value::number(Heap& heap, double value) { return *heap.make<Scalar>(value); }

Value Value::string(Heap& heap, std::string_view text, bool safe) {
  return *heap.make<Scalar>(text, Type::kString, safe);
}

Value Value::undefined(Heap& heap, std::string_view name) {
  return *heap.make<Scalar>(name, Type::kUndefined);
}

double Value::asDouble() const {
  if (isDouble()) return scalar().number;
  return isLongInteger() ? rounded(*this).value : static_cast<double>(asInteger());
}

bool Value::identical(Value other) const {
  if (cell_ == other.cell_) return true;
  if (type() != other.type()) return false;
  switch (type()) {
    case Type::kDouble: {
      const double left = asDouble();
      const double right = other.asDouble();
      return std::memcmp(&left, &right, sizeof left) == 0;
    }
    case Type::kInt:
      return asInteger() == other.asInteger();
    case Type::kLongInteger:
      return compareIntegers(*this, other) == 0;
    case Type::kString:
      return text() == other.text();
    case Type::kUndefined:
      return !cell_->flag && !other.cell_->flag && text().data() == other.text().data();
    default:
      return false;
  }
}

}  // namespace strata::jinja
