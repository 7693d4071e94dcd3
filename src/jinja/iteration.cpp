// Implements iteration and the length of values.
#include <algorithm>

#include "base/utf8.h"
#include "jinja/object.h"
#include "jinja/ops.h"

namespace strata::jinja {
namespace {

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

Value pair(Runtime& runtime, const Dict::Entry& entry) {
  List* items = runtime.makeList();
  items->reserve(2);
  items->append(entry.key);
  items->append(entry.value);
  return Value::tuple(items);
}

}  // namespace

size_t codePoints(std::string_view text) {
  size_t count = text.size();
  for (char c : text) count -= isContinuation(c) ? 1 : 0;
  return count;
}

size_t codePointOffset(std::string_view text, size_t index) {
  size_t at = 0;
  for (; index > 0 && at < text.size(); --index) {
    ++at;
    while (at < text.size() && isContinuation(text[at])) ++at;
  }
  return at;
}

Iteration::Iteration(Runtime& runtime, Value value) : runtime_(runtime), value_(value) {
  switch (value.type()) {
    case Type::kList:
    case Type::kTuple:
      end_ = value.asList().size();
      break;
    case Type::kDict:
      end_ = value.asDict().size();
      break;
    case Type::kDictView:
      end_ = value.asView().dict->size();
      break;
    case Type::kString:
      end_ = value.text().size();
      break;
    case Type::kRange:
      end_ = static_cast<size_t>(value.asRange().size());
      break;
    case Type::kIterator:
      at_ = value.asIterator().next;
      end_ = value.asIterator().items->size();
      break;
    case Type::kUndefined:
      if (runtime.undefinedKind(value) != UndefinedKind::kStrict) break;
      runtime.undefinedFailure(value);
      failed_ = true;
      break;
    default:
      runtime.fail("'{}' object is not iterable", value);
      failed_ = true;
  }
}

bool Iteration::next(Value& item) {
  if (at_ >= end_ || failed_) return false;
  if (!runtime_.budget.spend()) {
    runtime_.limitFailure();
    failed_ = true;
    return false;
  }
  switch (value_.type()) {
    case Type::kList:
    case Type::kTuple: {
      const auto items = value_.asList().items();
      if (at_ >= items.size()) return false;
      item = items[at_++];
      return true;
    }
    case Type::kString: {
      const size_t from = at_;
      decodeUtf8(value_.text(), at_);
      item = runtime_.string(value_.text().substr(from, at_ - from));
      return true;
    }
    case Type::kRange:
      item = runtime_.integer(value_.asRange().at(at_++));
      return true;
    case Type::kIterator: {
      Iterator& iterator = value_.asIterator();
      if (iterator.next >= end_) return false;
      item = iterator.items->items()[iterator.next++];
      at_ = iterator.next;
      return true;
    }
    default:
      return nextOfDict(item);
  }
}

bool Iteration::nextOfDict(Value& item) {
  const bool isDict = value_.is(Type::kDict);
  Dict& dict = isDict ? value_.asDict() : *value_.asView().dict;
  const auto entries = dict.entries();
  if (entries.size() != end_) {
    runtime_.fail("dictionary changed size during iteration");
    failed_ = true;
    return false;
  }
  const Dict::Entry& entry = entries[at_++];
  const ViewKind kind = isDict ? ViewKind::kKeys : value_.asView().kind;
  if (kind == ViewKind::kItems) {
    item = pair(runtime_, entry);
  } else {
    item = kind == ViewKind::kKeys ? entry.key : entry.value;
  }
  return true;
}

size_t Iteration::remaining() const {
  if (value_.isString()) return codePoints(value_.text().substr(at_));
  return end_ - std::min(at_, end_);
}

List* toList(Runtime& runtime, Value value) {
  Iteration each(runtime, value);
  if (each.failed()) return nullptr;
  const size_t count = each.remaining();
  if (count > runtime.budget.limits().collection) {
    runtime.limitFailure(Limit::kCollection);
    return nullptr;
  }
  List* list = runtime.makeList();
  list->reserve(count);
  for (Value item; each.next(item);) list->append(item);
  return each.failed() ? nullptr : list;
}

Value length(Runtime& runtime, Value value) {
  switch (value.type()) {
    case Type::kString:
      if (!runtime.canRead(value.text())) return Value::failure();
      return runtime.integer(static_cast<int64_t>(codePoints(value.text())));
    case Type::kList:
    case Type::kTuple:
    case Type::kDict:
    case Type::kDictView:
    case Type::kRange:
    case Type::kUndefined: {
      const Iteration each(runtime, value);
      if (each.failed()) return Value::failure();
      return runtime.integer(static_cast<int64_t>(each.remaining()));
    }
    case Type::kObject: {
      const Value count = objectAttribute(runtime, value.asObject(), "length");
      if (value.asObject().kind == ObjectKind::kLoop) return count;
      break;
    }
    default:
      break;
  }
  return runtime.fail("object of type '{}' has no len()", value);
}

}  // namespace strata::jinja
