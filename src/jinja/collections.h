// Why this file exists: the payloads behind a Value. A list or dict of the context is filled from
// its JSON when somebody first looks inside, one level at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/heap.h"
#include "jinja/value.h"
#include "json/value.h"

namespace strata::jinja {

/// The items of a list or tuple. Lists are shared and change in place, as in Python.
struct List {
  explicit List(Heap& heap) : heap_(&heap) {}
  List(Heap& heap, json::Value array) : heap_(&heap), source_(array) {}

  std::span<Value> items() {
    if (source_) load();
    return {items_, size_};
  }
  size_t size() { return items().size(); }
  void reserve(size_t count);
  /// Ask the Budget first (`Budget::collection(size() + 1)` for loops of unknown length, or once
  /// for the whole count).
  void append(const Value& value) {
    if (source_) load();
    if (size_ == capacity_) reserve(size_ + 1);
    items_[size_++] = value;
  }
  void insert(size_t at, const Value& value);
  void erase(size_t at);
  void clear() {
    source_ = {};
    size_ = 0;
  }

 private:
  void load();

  Heap* heap_;
  Value* items_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
  json::Value source_;  // absent once loaded
};

/// A dict: members in the order they were added, found by hash when there are many.
class Dict {
 public:
  struct Entry {
    Value key;
    Value value;
  };

  explicit Dict(Heap& heap) : heap_(&heap) {}
  Dict(Heap& heap, json::Value object) : heap_(&heap), source_(object) {}

  /// In insertion order. Invalid once the dict changes.
  std::span<Entry> entries() {
    if (source_) load();
    return {entries_, size_};
  }
  size_t size() { return entries().size(); }
  /// Null if there is none. 1, 1.0 and true are one key. Keys must be hashable (ops.h).
  Value* find(const Value& key);
  Value* find(std::string_view key);
  /// Adds or replaces; the first spelling of a key stays. Ask the Budget first.
  void set(const Value& key, const Value& value);
  /// Whether there was one.
  bool erase(const Value& key);
  void clear();

 private:
  void load();
  void append(const Value& key, const Value& value);
  void grow();
  void link(uint32_t entry);
  void buildIndex(uint32_t slotCount);

  Heap* heap_;
  Entry* entries_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
  uint32_t* slots_ = nullptr;  // open addressing, entry + 1; only for more than a few entries
  uint32_t slotCount_ = 0;
  json::Value source_;  // absent once loaded
};

enum class ViewKind : uint8_t { kKeys, kValues, kItems };

/// What dict.keys(), dict.values() and dict.items() give; it follows its dict.
struct DictView {
  Dict* dict;
  ViewKind kind;
};

struct Range {
  int64_t start;
  int64_t stop;
  int64_t step;

  uint64_t size() const;
  int64_t at(uint64_t index) const { return start + static_cast<int64_t>(index) * step; }
};

/// The results of select, map, batch and the like: worked out at once, handed out once.
struct Iterator {
  List* items;
  size_t next = 0;
};

struct Namespace {
  Dict* members;
};

/// Why a value is undefined: `object` has no `key`, or what `hint` says.
struct Missing {
  Value object;
  Value key;
  std::string_view hint = {};
  bool insecure = false;  ///< Using it is a security error: `''.__class__`.
};

/// A number that equal keys share: 1, 1.0 and true have one.
uint32_t hashOf(const Value& key);
/// Whether two keys are one. Only for hashable values.
bool sameKey(const Value& left, const Value& right);

/// A JSON value as a template sees it. Containers stay unread until somebody looks inside.
Value fromJson(Heap& heap, json::Value value);

}  // namespace strata::jinja
