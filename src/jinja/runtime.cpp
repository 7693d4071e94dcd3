#include "jinja/runtime.h"

#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "jinja/ops.h"
#include "jinja/repr.h"

namespace strata::jinja {

Value Runtime::fail(ErrorKind kind, const char* pattern, std::string_view first,
                    std::string_view second, std::string_view third) {
  if (error_) return Value::failure();
  error_ = TemplateError{kind, compose(pattern, first, second, third), {}, 0, 0, 0, {}};
  locateError();
  return Value::failure();
}

Value Runtime::fail(const char* pattern) { return fail(ErrorKind::kRuntime, pattern); }

Value Runtime::fail(const char* pattern, std::string_view part) {
  return fail(ErrorKind::kRuntime, pattern, part);
}

Value Runtime::fail(const char* pattern, Value value) { return fail(pattern, typeName(value)); }

Value Runtime::limitFailure() { return limitFailure(budget.exceeded()); }

Value Runtime::limitFailure(Limit limit) {
  return fail(ErrorKind::kLimit, "the template exceeds the limit {}", nameOf(limit));
}

Value Runtime::undefinedFailure(Value undefined) {
  const Missing* missing = undefined.missing();
  if (missing == nullptr) {
    return fail(ErrorKind::kUndefined, "'{}' is undefined", undefined.text());
  }
  if (!missing->hint.empty()) return fail(ErrorKind::kUndefined, "{}", missing->hint);
  if (missing->insecure) {
    return fail(ErrorKind::kSecurity, "access to attribute '{}' of '{}' object is unsafe.",
                missing->key.text(), typeName(missing->object));
  }
  const std::string type = describeType(missing->object);
  if (missing->key.isString()) {
    return fail(ErrorKind::kUndefined, "'{}' has no attribute '{}'", type, missing->key.text());
  }
  std::string key;
  if (!appendRepr(*this, key, missing->key)) return Value::failure();
  return fail(ErrorKind::kUndefined, "{} has no element {}", type, key);
}

Value Runtime::newString(std::string_view text, bool safe) {
  if (!budget.string(text.size())) return limitFailure();
  return string(heap.copy(text), safe);
}

Value Runtime::newList(std::span<const Value> items) {
  if (!budget.collection(items.size())) return limitFailure();
  List* list = makeList();
  list->reserve(items.size());
  for (const Value item : items) list->append(item);
  return Value(*list);
}

Value Runtime::newTuple(std::span<const Value> items) {
  const Value list = newList(items);
  return list.failed() ? list : Value::tuple(&list.asList());
}

bool Runtime::canClassify(std::string_view text) {
  const auto foreign =
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
  return canExamine(text) &&
         (budget.spend(static_cast<uint64_t>(foreign)) || !limitFailure().failed());
}

bool Text::reserve(uint64_t more) {
  if (failed_ || size_ + more > runtime_.budget.limits().string) {
    if (!failed_) runtime_.budget.exceed(Limit::kString);
    failed_ = true;
    return false;
  }
  if (size_ + more <= capacity_) return true;
  const size_t capacity = std::max(static_cast<size_t>(size_ + more), capacity_ * 2 + 32);
  if (data_ != nullptr && runtime_.heap.texts.extend(data_, capacity_, capacity - capacity_)) {
    capacity_ = capacity;
    return true;
  }
  char* data = runtime_.heap.texts.take(capacity);
  std::copy(data_, data_ + size_, data);
  data_ = data;
  capacity_ = capacity;
  return true;
}

Text& Text::append(std::string_view text) {
  if (!reserve(text.size())) return *this;
  std::copy(text.begin(), text.end(), data_ + size_);
  size_ += text.size();
  return *this;
}

Text& Text::append(uint32_t codePoint) {
  std::string bytes;
  appendUtf8(bytes, codePoint);
  return append(bytes);
}

Text& Text::repeat(std::string_view text, uint64_t times) {
  const uint64_t limit = runtime_.budget.limits().string;
  if (!text.empty() && times > limit / text.size()) {
    reserve(limit + 1);
    return *this;
  }
  for (uint64_t i = 0; i < times && reserve(text.size()); ++i) append(text);
  return *this;
}

Value Text::take(bool safe) {
  if (failed_ || !runtime_.budget.spend(size_ / 64)) return runtime_.limitFailure();
  runtime_.heap.texts.releaseTail(data_, size_, capacity_);
  capacity_ = size_;
  return runtime_.string(view(), safe);
}

}  // namespace strata::jinja
