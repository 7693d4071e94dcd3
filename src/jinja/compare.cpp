// Implements truth, equality, order and membership, and the names of types.
#include <algorithm>
#include <cmath>

#include "jinja/long_integer.h"
#include "jinja/object.h"
#include "jinja/ops.h"
#include "jinja/text/search.h"

namespace strata::jinja {
namespace {

Tristate toTristate(bool yes) { return yes ? Tristate::kYes : Tristate::kNo; }

Tristate equalNested(Runtime& runtime, Value left, Value right, uint32_t depth);

Tristate equalItems(Runtime& runtime, std::span<const Value> left, std::span<const Value> right,
                    uint32_t depth) {
  if (left.size() != right.size()) return Tristate::kNo;
  for (size_t i = 0; i < left.size(); ++i) {
    const Tristate same = equalNested(runtime, left[i], right[i], depth);
    if (same != Tristate::kYes) return same;
  }
  return Tristate::kYes;
}

Tristate equalDicts(Runtime& runtime, Dict& left, Dict& right, uint32_t depth) {
  if (left.size() != right.size()) return Tristate::kNo;
  for (const Dict::Entry& entry : left.entries()) {
    const Value* other = right.find(entry.key);
    if (other == nullptr) return Tristate::kNo;
    const Tristate same = equalNested(runtime, entry.value, *other, depth);
    if (same != Tristate::kYes) return same;
  }
  return Tristate::kYes;
}

Tristate equalRanges(const Range& left, const Range& right) {
  const uint64_t size = left.size();
  if (size != right.size()) return Tristate::kNo;
  if (size == 0) return Tristate::kYes;
  return toTristate(left.start == right.start && (size == 1 || left.step == right.step));
}

Tristate equalViews(Runtime& runtime, Value left, Value right) {
  const DictView& a = left.asView();
  if (a.kind == ViewKind::kValues || a.kind != right.asView().kind) return Tristate::kNo;
  if (a.dict->size() != right.asView().dict->size()) return Tristate::kNo;
  Iteration each(runtime, left);
  for (Value item; each.next(item);) {
    const Tristate found = contains(runtime, right, item);
    if (found != Tristate::kYes) return found;
  }
  return each.failed() ? Tristate::kFailed : Tristate::kYes;
}

Tristate equalContainers(Runtime& runtime, Value left, Value right, uint32_t depth) {
  if (depth > runtime.budget.limits().valueDepth) {
    runtime.limitFailure(Limit::kValueDepth);
    return Tristate::kFailed;
  }
  switch (left.type()) {
    case Type::kList:
    case Type::kTuple:
      return equalItems(runtime, left.asList().items(), right.asList().items(), depth);
    case Type::kDict:
      return equalDicts(runtime, left.asDict(), right.asDict(), depth);
    case Type::kRange:
      return equalRanges(left.asRange(), right.asRange());
    case Type::kDictView:
      return equalViews(runtime, left, right);
    default:
      return Tristate::kNo;
  }
}

// Undefined values of the same kind are equal.
Tristate equalUndefined(Runtime& runtime, Value left, Value right) {
  for (const Value side : {left, right}) {
    if (!side.isUndefined() || runtime.undefinedKind(side) != UndefinedKind::kStrict) continue;
    runtime.undefinedFailure(side);
    return Tristate::kFailed;
  }
  return toTristate(left.type() == right.type() &&
                    runtime.undefinedKind(left) == runtime.undefinedKind(right));
}

Tristate equalTexts(Runtime& runtime, std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return Tristate::kNo;
  return runtime.canRead(left) ? toTristate(left == right) : Tristate::kFailed;
}

Tristate equalNumbers(Runtime& runtime, Value left, Value right, bool nested) {
  if (!runtime.budget.spend((weightOf(left) + weightOf(right)) / 64)) {
    runtime.limitFailure();
    return Tristate::kFailed;
  }
  const bool same = compareNumbers(left, right) == 0;
  return toTristate(same || (nested && left.identical(right)));
}

Tristate equalNested(Runtime& runtime, Value left, Value right, uint32_t depth) {
  if (!runtime.canStep()) return Tristate::kFailed;
  if (left.isString() && right.isString()) return equalTexts(runtime, left.text(), right.text());
  if (left.isNumber() && right.isNumber()) return equalNumbers(runtime, left, right, depth > 0);
  if (left.isUndefined() || right.isUndefined()) return equalUndefined(runtime, left, right);
  if (left.type() != right.type()) return Tristate::kNo;
  if (left.identical(right)) return Tristate::kYes;
  return equalContainers(runtime, left, right, depth + 1);
}

bool satisfies(Operator op, int comparison) {
  switch (op) {
    case Operator::kLess:
      return comparison == -1;
    case Operator::kLessEqual:
      return comparison == -1 || comparison == 0;
    case Operator::kGreater:
      return comparison == 1;
    default:
      return comparison == 1 || comparison == 0;
  }
}

std::string_view spelling(Operator op) {
  switch (op) {
    case Operator::kLess:
      return "<";
    case Operator::kLessEqual:
      return "<=";
    case Operator::kGreater:
      return ">";
    default:
      return ">=";
  }
}

Tristate orderNested(Runtime& runtime, Operator op, Value left, Value right, uint32_t depth);

// The first pair of items that differ decides, otherwise the lengths.
Tristate orderItems(Runtime& runtime, Operator op, std::span<const Value> left,
                    std::span<const Value> right, uint32_t depth) {
  if (depth > runtime.budget.limits().valueDepth) {
    runtime.limitFailure(Limit::kValueDepth);
    return Tristate::kFailed;
  }
  const size_t common = std::min(left.size(), right.size());
  for (size_t i = 0; i < common; ++i) {
    const Tristate same = equalNested(runtime, left[i], right[i], depth);
    if (same == Tristate::kFailed) return same;
    if (same == Tristate::kNo) return orderNested(runtime, op, left[i], right[i], depth);
  }
  return toTristate(
      satisfies(op, left.size() < right.size() ? -1 : int{left.size() > right.size()}));
}

Tristate orderNested(Runtime& runtime, Operator op, Value left, Value right, uint32_t depth) {
  if (left.isNumber() && right.isNumber())
    return toTristate(satisfies(op, compareNumbers(left, right)));
  if (left.isString() && right.isString()) {
    const size_t common = std::min(left.text().size(), right.text().size());
    if (!runtime.canRead(left.text().substr(0, common))) return Tristate::kFailed;
    // Byte order of UTF-8 equals code point order.
    const int order = left.text().compare(right.text());
    return toTristate(satisfies(op, order < 0 ? -1 : int{order > 0}));
  }
  if (left.isUndefined() || right.isUndefined()) {
    runtime.undefinedFailure(left.isUndefined() ? left : right);
    return Tristate::kFailed;
  }
  if (left.isSequence() && left.type() == right.type()) {
    return orderItems(runtime, op, left.asList().items(), right.asList().items(), depth + 1);
  }
  runtime.fail(ErrorKind::kRuntime, "'{}' not supported between instances of '{}' and '{}'",
               spelling(op), typeName(left), typeName(right));
  return Tristate::kFailed;
}

Tristate containsText(Runtime& runtime, Value container, Value item) {
  if (!item.isString()) {
    runtime.fail("'in <string>' requires string as left operand, not {}", item);
    return Tristate::kFailed;
  }
  if (!runtime.canRead(container)) return Tristate::kFailed;
  return toTristate(text::find(container.text(), item.text()) != std::string_view::npos);
}

Tristate containsKey(Runtime& runtime, Dict& dict, Value key) {
  return checkKey(runtime, key) ? toTristate(dict.find(key) != nullptr) : Tristate::kFailed;
}

Tristate containsItem(Runtime& runtime, Value container, Value item) {
  Iteration each(runtime, container);
  for (Value other; each.next(other);) {
    const Tristate same = equalNested(runtime, other, item, 1);
    if (same != Tristate::kNo) return same;
  }
  return each.failed() ? Tristate::kFailed : Tristate::kNo;
}

}  // namespace

int compareNumbers(Value left, Value right) {
  if (left.isInteger() && right.isInteger()) {
    return left.asInteger() < right.asInteger() ? -1 : int{left.asInteger() > right.asInteger()};
  }
  if (!left.isDouble() && !right.isDouble()) return compareIntegers(left, right);
  // One of them is a double, which has no error.
  const Rounded a = rounded(left);
  const Rounded b = rounded(right);
  if (a.value == b.value) return a.error - b.error;
  return a.value < b.value ? -1 : (a.value > b.value ? 1 : 2);
}

Tristate truth(Runtime& runtime, Value value) {
  switch (value.type()) {
    case Type::kBool:
    case Type::kInt:
      return toTristate(value.asInteger() != 0);
    case Type::kDouble:
      return toTristate(value.asDouble() != 0);
    case Type::kString:
      return toTristate(!value.text().empty());
    case Type::kList:
    case Type::kTuple:
      return toTristate(value.asList().size() != 0);
    case Type::kDict:
      return toTristate(value.asDict().size() != 0);
    case Type::kDictView:
      return toTristate(value.asView().dict->size() != 0);
    case Type::kRange:
      return toTristate(value.asRange().size() != 0);
    case Type::kNone:
      return Tristate::kNo;
    case Type::kUndefined:
      if (runtime.undefinedKind(value) != UndefinedKind::kStrict) return Tristate::kNo;
      runtime.undefinedFailure(value);
      return Tristate::kFailed;
    default:
      return Tristate::kYes;
  }
}

Tristate equal(Runtime& runtime, Value left, Value right) {
  return equalNested(runtime, left, right, 0);
}

Tristate order(Runtime& runtime, Operator op, Value left, Value right) {
  return orderNested(runtime, op, left, right, 0);
}

Tristate contains(Runtime& runtime, Value container, Value item) {
  switch (container.type()) {
    case Type::kString:
      return containsText(runtime, container, item);
    case Type::kDict:
      return containsKey(runtime, container.asDict(), item);
    case Type::kDictView:
      if (container.asView().kind != ViewKind::kKeys) break;
      return containsKey(runtime, *container.asView().dict, item);
    case Type::kNone:
    case Type::kBool:
    case Type::kInt:
    case Type::kLongInteger:
    case Type::kDouble:
    case Type::kNamespace:
      runtime.fail("argument of type '{}' is not iterable", container);
      return Tristate::kFailed;
    default:
      break;
  }
  return containsItem(runtime, container, item);
}

std::string_view typeName(Value value) {
  switch (value.type()) {
    case Type::kUndefined:
      return "Undefined";
    case Type::kNone:
      return "NoneType";
    case Type::kBool:
      return "bool";
    case Type::kInt:
    case Type::kLongInteger:
      return "int";
    case Type::kDouble:
      return "float";
    case Type::kString:
      return value.isSafe() ? "Markup" : "str";
    case Type::kList:
      return "list";
    case Type::kTuple:
      return "tuple";
    case Type::kDict:
      return "dict";
    case Type::kDictView: {
      const ViewKind kind = value.asView().kind;
      if (kind == ViewKind::kKeys) return "dict_keys";
      return kind == ViewKind::kValues ? "dict_values" : "dict_items";
    }
    case Type::kRange:
      return "range";
    case Type::kIterator:
      return "generator";
    case Type::kNamespace:
      return "Namespace";
    case Type::kObject:
      return typeNameOf(value.asObject());
    default:
      return "object";
  }
}

std::string describeType(Value value) {
  if (value.isNone()) return "None";
  if (value.isGroup()) return "jinja2.filters._GroupTuple object";
  std::string out;
  if (value.isSafe()) out = "markupsafe.";
  if (value.isUndefined()) out = "jinja2.runtime.";
  if (value.is(Type::kNamespace)) out = "jinja2.utils.";
  if (value.is(Type::kObject)) out = moduleOf(value.asObject());
  return out.append(typeName(value)).append(" object");
}

}  // namespace strata::jinja
