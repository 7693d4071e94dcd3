// Defines the data that a Value can refer to: lists, dicts, ranges, iterators and undefined values.
// A list or dict of the context is converted from its JSON on first access, one level at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/heap.h"
#include "jinja/value.h"
#include "json/value.h"

namespace strata::jinja {

/// The items of a list or tuple. Lists are shared by reference and change in place, as in Python.
struct List : Cell {
  explicit List(Heap& heap) : Cell(Type::kList), heap_(&heap) {}
  List(Heap& heap, json::Value array) : Cell(Type::kList), heap_(&heap), source_(array) {}

  /// The items. The span is invalid after the list grows.
  std::span<Value> items() {
    if (source_) load();
    return {items_, size_};
  }
  size_t size() { return items().size(); }
  void reserve(size_t count);
  /// Appends in amortized O(1). Check the Budget first: `Budget::collection(size() + 1)` in loops
  /// of unknown length, or once for the whole count.
  void append(Value value) {
    if (source_) load();
    if (size_ == capacity_) reserve(size_ + 1);
    items_[size_++] = value;
  }
  /// Inserts before position `at`. O(n).
  void insert(size_t at, Value value);
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
  json::Value source_;  // absent after load()
};

/// A dict. It keeps insertion order and finds keys by hash once there are more than a few.
class Dict : public Cell {
 public:
  struct Entry {
    Value key;
    Value value;
  };

  explicit Dict(Heap& heap) : Cell(Type::kDict), heap_(&heap) {}
  Dict(Heap& heap, json::Value object) : Cell(Type::kDict), heap_(&heap), source_(object) {}

  /// The entries in insertion order. The span is invalid after the dict changes.
  std::span<Entry> entries() {
    if (source_) load();
    return {entries_, size_};
  }
  size_t size() { return entries().size(); }
  /// Returns the value of `key`, or null if it is missing. 1, 1.0 and true are the same key. `key`
  /// must be hashable (ops.h). O(1) on average. Searching pays for each key that it compares, since
  /// hashes can be made to collide. Null where the Budget ends: the render then fails.
  Value* find(Value key);
  Value* find(std::string_view key);
  /// Adds or replaces a value. A replaced entry keeps its original key. Check the Budget first.
  void set(Value key, Value value);
  void set(std::string_view key, Value value) { set(Value::string(*heap_, key), value); }
  /// Removes a key. Returns false if it is missing. O(n), and pays for it.
  bool erase(Value key);
  void clear();

 private:
  void load();
  void append(Value key, Value value);
  void grow();
  void link(uint32_t entry);
  void buildIndex(uint32_t slotCount);

  Heap* heap_;
  Entry* entries_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
  uint32_t* slots_ = nullptr;  // open addressing, entry + 1; unused for a few entries
  uint32_t slotCount_ = 0;
  json::Value source_;  // absent after load()
};

enum class ViewKind : uint8_t { kKeys, kValues, kItems };

/// The result of dict.keys(), dict.values() or dict.items(). It reflects later changes of the dict.
struct DictView : Cell {
  DictView(Dict* of, ViewKind what) : Cell(Type::kDictView), dict(of), kind(what) {}
  Dict* dict;
  ViewKind kind;
};

struct Range : Cell {
  Range(int64_t from, int64_t to, int64_t by)
      : Cell(Type::kRange), start(from), stop(to), step(by) {}
  int64_t start;
  int64_t stop;
  int64_t step;

  uint64_t size() const;
  int64_t at(uint64_t index) const { return start + static_cast<int64_t>(index) * step; }
};

/// The result of select, map, batch and similar filters. The items are computed at once and can be
/// iterated only once, as with a Python generator.
struct Iterator : Cell {
  explicit Iterator(List* all) : Cell(Type::kIterator), items(all) {}
  List* items;
  size_t next = 0;
};

struct Namespace : Cell {
  explicit Namespace(Dict* all) : Cell(Type::kNamespace), members(all) {}
  Dict* members;
};

/// The reason why a value is undefined: `object` has no `key`, or the message `hint`.
struct Missing : Cell {
  explicit Missing(std::string_view why, Value of = {}, Value what = {})
      : Cell(Type::kUndefined, true), object(of), key(what), hint(why) {}
  Missing(Value of, Value what, bool unsafe = false)
      : Cell(Type::kUndefined, true), object(of), key(what), insecure(unsafe) {}
  Value object;
  Value key;
  std::string_view hint = {};
  bool insecure = false;  ///< Using it is a security error, as with `''.__class__`.
  bool plain = false;     ///< Behaves as the default kind, regardless of Options::undefined.
};

inline Value Value::tuple(List* items) {
  items->type = Type::kTuple;
  return *items;
}
inline Value Value::group(List* items) {
  items->flag = true;
  return tuple(items);
}

// A Value has no constness of its own: lists and dicts of the Heap are mutable.
inline List& Value::asList() const { return const_cast<List&>(static_cast<const List&>(*cell_)); }
inline Dict& Value::asDict() const { return const_cast<Dict&>(static_cast<const Dict&>(*cell_)); }
inline DictView& Value::asView() const {
  return const_cast<DictView&>(static_cast<const DictView&>(*cell_));
}
inline Range& Value::asRange() const {
  return const_cast<Range&>(static_cast<const Range&>(*cell_));
}
inline Iterator& Value::asIterator() const {
  return const_cast<Iterator&>(static_cast<const Iterator&>(*cell_));
}
inline Namespace& Value::asNamespace() const {
  return const_cast<Namespace&>(static_cast<const Namespace&>(*cell_));
}
inline const Missing* Value::missing() const {
  return cell_->flag ? static_cast<const Missing*>(cell_) : nullptr;
}

/// Returns the bytes of a text or of an integer beyond 64 bits, whose comparison takes longer than
/// a step. 0 for any other value.
uint64_t weightOf(Value value);
/// Returns a hash that equal keys share: 1, 1.0 and true have the same hash. Pays for what it
/// reads.
uint32_t hashOf(Budget& budget, Value key);
/// Returns whether two hashable values are the same key. Pays for what it compares; false where the
/// Budget ends.
bool sameKey(Budget& budget, Value left, Value right);

/// Converts a JSON value. Containers are converted on first access; strings without escapes are
/// views into the JSON text, which must outlive the Heap.
Value fromJson(Heap& heap, json::Value value);

}  // namespace strata::jinja
