#include "jinja/collections.h"

#include <algorithm>
#include <cmath>

#include "jinja/long_integer.h"
#include "jinja/ops.h"
#include "json/number.h"
#include "json/string.h"

namespace strata::jinja {
namespace {

// Dicts with at most this many keys are searched linearly.
constexpr uint32_t kFewKeys = 8;

uint32_t mix(uint64_t bits) {
  bits *= 0x9E3779B97F4A7C15U;
  return static_cast<uint32_t>(bits >> 32U);
}

uint32_t hashText(std::string_view text) {
  uint32_t hash = 2166136261U;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

// Returns whether the double is an integer that fits 64 bits.
bool isWhole(double value) {
  return value >= -9223372036854775808.0 && value < 9223372036854775808.0 &&
         value == std::trunc(value);
}

// Equal integers, also those that are doubles, have the same hash.
uint32_t hashDouble(double value) {
  if (isWhole(value)) return mix(static_cast<uint64_t>(static_cast<int64_t>(value)));
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return mix(bits);
}

uint32_t hashLong(Value key) {
  const Rounded nearest = rounded(key);
  if (nearest.error == 0) return hashDouble(nearest.value);
  const LongInteger& integer = key.asLong();
  return hashText(
      {reinterpret_cast<const char*>(integer.limbs()), integer.size * sizeof(uint32_t)});
}

// Does not look into items that are tuples: one that is shared many times would take forever.
uint32_t hashItems(Budget& budget, std::span<const Value> items) {
  budget.spend(items.size());
  uint64_t hash = items.size();
  for (const Value item : items) {
    const bool nested = item.is(Type::kTuple);
    hash ^= nested ? item.asList().size() : hashOf(budget, item);
    hash = (hash ^ hash >> 29U) * 0xBF58476D1CE4E5B9U;
  }
  return mix(hash);
}

Value numberFromJson(Heap& heap, std::string_view text) {
  const bool negative = text.front() == '-';
  if (text.size() - negative <= 18 && text.find_first_of(".eE") == std::string_view::npos) {
    int64_t value = 0;
    for (char c : text.substr(negative ? 1 : 0)) value = value * 10 + (c - '0');
    return Value::integer(heap, negative ? -value : value);
  }
  return Value::absent();
}

Value longNumberFromJson(Heap& heap, json::Value value) {
  if (value.bytes().find_first_of(".eE") != std::string_view::npos) {
    return Value::number(heap, json::readDouble(value.bytes()).value_or(0));
  }
  const bool negative = value.bytes().front() == '-';
  return integerOfDigits(heap, value.bytes().substr(negative ? 1 : 0), 10, negative);
}

Value stringFromJson(Heap& heap, json::Value value) {
  if (!value.hasEscapes()) return Value::string(heap, value.raw());
  // The unescaped text is never longer than the escaped one: a lone surrogate, `\udXXX`, becomes at
  // most six bytes.
  const std::string text = value.text();
  return Value::string(heap, heap.copy(text));
}

}  // namespace

Value fromJson(Heap& heap, json::Value value) {
  switch (value.kind()) {
    case json::Kind::kNull:
      return Value::none();
    case json::Kind::kFalse:
      return Value::boolean(false);
    case json::Kind::kTrue:
      return Value::boolean(true);
    case json::Kind::kString:
      return stringFromJson(heap, value);
    case json::Kind::kArray:
      return Value(*heap.make<List>(heap, value));
    case json::Kind::kObject:
      return Value(*heap.make<Dict>(heap, value));
    case json::Kind::kNumber:
      break;
  }
  const Value number = numberFromJson(heap, value.bytes());
  return number.isAbsent() ? longNumberFromJson(heap, value) : number;
}

void List::reserve(size_t count) {
  if (source_) load();
  if (count <= capacity_) return;
  const size_t capacity = std::max<size_t>(count, capacity_ + capacity_ / 2 + 4);
  auto* items = heap_->array<Value>(capacity);
  std::copy(items_, items_ + size_, items);
  items_ = items;
  capacity_ = static_cast<uint32_t>(capacity);
}

void List::insert(size_t at, Value value) {
  append(value);
  std::rotate(items_ + at, items_ + size_ - 1, items_ + size_);
}

void List::erase(size_t at) {
  std::copy(items_ + at + 1, items_ + size_, items_ + at);
  --size_;
}

void List::load() {
  const json::Value array = source_;
  source_ = {};
  reserve(array.size());
  for (json::Value element : json::elements(array)) items_[size_++] = fromJson(*heap_, element);
}

uint64_t weightOf(Value value) {
  if (value.isString()) return value.text().size();
  return value.isLongInteger() ? uint64_t{value.asLong().size} * sizeof(uint32_t) : 0;
}

uint32_t hashOf(Budget& budget, Value key) {
  budget.spend(weightOf(key) / 64);
  switch (key.type()) {
    case Type::kString:
      return hashText(key.text());
    case Type::kInt:
    case Type::kBool:
      return mix(static_cast<uint64_t>(key.asInteger()));
    case Type::kLongInteger:
      return hashLong(key);
    case Type::kDouble:
      return hashDouble(key.asDouble());
    case Type::kTuple:
      return hashItems(budget, key.asList().items());
    default:
      return 7;
  }
}

bool sameKey(Budget& budget, Value left, Value right) {
  if (left.isString() && right.isString()) {
    if (left.text().size() != right.text().size()) return false;
    return budget.spend(weightOf(left) / 64) && left.text() == right.text();
  }
  if (left.isInteger() && right.isInteger()) return left.asInteger() == right.asInteger();
  if (!budget.spend(1 + (weightOf(left) + weightOf(right)) / 64)) return false;
  if (left.isNumber() && right.isNumber()) return compareNumbers(left, right) == 0;
  if (left.is(Type::kTuple) && right.is(Type::kTuple)) {
    const auto a = left.asList().items();
    const auto b = right.asList().items();
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](Value one, Value other) {
      return budget.spend() && sameKey(budget, one, other);
    });
  }
  if (left.isUndefined() && right.isUndefined()) return true;
  return left.identical(right);
}

Value* Dict::find(std::string_view key) {
  if (source_) load();
  if (slotCount_ != 0) {
    const Scalar cell(key);
    return find(Value(cell));
  }
  for (uint32_t i = 0; i < size_; ++i) {
    const Value other = entries_[i].key;
    if (other.isString() && other.text() == key) return &entries_[i].value;
  }
  return nullptr;
}

Value* Dict::find(Value key) {
  if (source_) load();
  if (slotCount_ == 0) {
    for (uint32_t i = 0; i < size_; ++i) {
      if (sameKey(heap_->budget, entries_[i].key, key)) return &entries_[i].value;
    }
    return nullptr;
  }
  Budget& budget = heap_->budget;
  for (uint32_t slot = hashOf(budget, key);; ++slot) {
    const uint32_t entry = slots_[slot & (slotCount_ - 1)];
    if (entry == 0) return nullptr;
    if (sameKey(budget, entries_[entry - 1].key, key)) return &entries_[entry - 1].value;
    if (!budget.spend()) return nullptr;
  }
}

void Dict::set(Value key, Value value) {
  if (Value* known = find(key)) {
    *known = value;
  } else {
    append(key, value);
  }
}

void Dict::append(Value key, Value value) {
  if (size_ == capacity_) grow();
  entries_[size_++] = {key, value};
  if (slotCount_ != 0 && size_ * 2 <= slotCount_) {
    link(size_ - 1);
  } else if (size_ > kFewKeys) {
    buildIndex(std::max(32U, slotCount_ * 2));
  }
}

void Dict::grow() {
  const uint32_t capacity = capacity_ == 0 ? 4 : capacity_ * 2;
  auto* entries = heap_->array<Entry>(capacity);
  std::copy(entries_, entries_ + size_, entries);
  entries_ = entries;
  capacity_ = capacity;
}

void Dict::link(uint32_t entry) {
  Budget& budget = heap_->budget;
  uint32_t slot = hashOf(budget, entries_[entry].key);
  // Where the Budget ends, the entry stays out of the index: the render fails.
  for (; slots_[slot & (slotCount_ - 1)] != 0; ++slot) {
    if (!budget.spend()) return;
  }
  slots_[slot & (slotCount_ - 1)] = entry + 1;
}

void Dict::buildIndex(uint32_t slotCount) {
  if (slotCount > slotCount_) slots_ = heap_->array<uint32_t>(slotCount);
  slotCount_ = slotCount;
  std::fill(slots_, slots_ + slotCount, 0U);
  for (uint32_t i = 0; i < size_; ++i) link(i);
}

bool Dict::erase(Value key) {
  Value* value = find(key);
  if (value == nullptr) return false;
  const auto at = static_cast<uint32_t>(reinterpret_cast<Entry*>(value - 1) - entries_);
  if (!heap_->budget.spend(size_ / 8)) return false;
  std::copy(entries_ + at + 1, entries_ + size_, entries_ + at);
  --size_;
  if (slotCount_ != 0) buildIndex(slotCount_);
  return true;
}

void Dict::clear() {
  source_ = {};
  size_ = 0;
  slotCount_ = 0;
}

void Dict::load() {
  const json::Value object = source_;
  source_ = {};
  const auto count = static_cast<uint32_t>(object.size());
  entries_ = heap_->array<Entry>(count);
  capacity_ = count;
  for (json::Member member : json::members(object)) {
    entries_[size_++] = {stringFromJson(*heap_, member.key), fromJson(*heap_, member.value)};
  }
  if (size_ <= kFewKeys) return;
  uint32_t slotCount = 32;
  while (slotCount < size_ * 2) slotCount *= 2;
  buildIndex(slotCount);
}

uint64_t Range::size() const {
  // Unsigned, because stop - start may overflow int64.
  const auto first = static_cast<uint64_t>(start);
  const auto last = static_cast<uint64_t>(stop);
  if (step > 0) return start < stop ? (last - first - 1) / static_cast<uint64_t>(step) + 1 : 0;
  return stop < start ? (first - last - 1) / (0 - static_cast<uint64_t>(step)) + 1 : 0;
}

}  // namespace strata::jinja
