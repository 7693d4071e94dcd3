// Gives read access to the values of a Tape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/tape.h"

namespace strata::json {

/// A handle to one value of a Tape, which is a pointer. It is valid as long as the tape, moved or
/// not, and its bytes live; so are all views that it returns. A default Value is absent: every
/// accessor returns an empty result, so lookups can be chained:
///
///     std::string name = part.find("functionCall").find("name").text();
class Value {
 public:
  Value() = default;
  explicit Value(const Tape::Node* node) : node_(node) {}

  /// Returns whether both are the same place of the same tape.
  bool operator==(const Value&) const = default;

  explicit operator bool() const { return node_ != nullptr; }
  bool is(Kind kind) const { return node_ != nullptr && node_->kind() == kind; }
  bool isString() const { return is(Kind::kString); }
  bool isNumber() const { return is(Kind::kNumber); }
  bool isObject() const { return is(Kind::kObject); }
  bool isArray() const { return is(Kind::kArray); }
  bool isTrue() const { return is(Kind::kTrue); }
  bool isBoolean() const { return isTrue() || is(Kind::kFalse); }
  bool isNull() const { return is(Kind::kNull); }
  /// Requires a present value.
  Kind kind() const { return node_->kind(); }

  /// Returns the original JSON text of the value, with quotes or brackets.
  std::string_view bytes() const {
    if (node_ == nullptr) return {};
    return {node_->bytes, node_->size};
  }
  /// Returns the byte offset of `bytes()` in the source of the tape.
  size_t offset() const { return node_ == nullptr ? 0 : node_->offset; }

  /// Returns the content of a string with its escapes unresolved; "" for other values.
  std::string_view raw() const {
    if (!isString()) return {};
    return {node_->bytes + 1, node_->size - 2};
  }
  bool hasEscapes() const { return isString() && node_->escaped(); }
  /// Returns the string as UTF-8 with its escapes resolved; "" for other values. A lone surrogate
  /// becomes U+FFFD.
  std::string text() const;
  /// Returns whether this is a string whose text, with escapes resolved, is `expected`.
  bool equals(std::string_view expected) const;
  /// Returns the number if it is written as an integer (no fraction, no exponent) and fits;
  /// otherwise `fallback`.
  int64_t integer(int64_t fallback) const;

  /// Returns the number of elements or members; 0 for other values.
  size_t size() const {
    if (!isArray() && !isObject()) return 0;
    return isObject() ? node_->count() / 2 : node_->count();
  }
  /// Returns the value of the member `key`, or an absent Value. Linear in the number of members.
  Value find(std::string_view key) const;
  /// Returns the element at `position`, or an absent Value. Linear in `position`.
  Value at(size_t position) const;

  /// The first node in a container, and the node after a value. Require a present value.
  Value first() const { return Value(node_ + 1); }
  Value next() const { return Value(node_ + node_->span); }
  /// Returns the value of this key, which is one node. Requires the key of a member.
  Value valueOfKey() const { return Value(node_ + 1); }
  /// Returns how many nodes the value has: itself, and all keys and values in it.
  uint32_t nodes() const { return node_->span; }

 private:
  // Like `equals`, for a string.
  bool hasText(std::string_view expected) const;

  const Tape::Node* node_ = nullptr;
};

inline Value Tape::root() const { return Value(nodes_.data()); }

/// One member of an object.
struct Member {
  Value key;
  Value value;
};

/// The members of an object in text order; empty for other values.
class MemberRange {
 public:
  class Iterator {
   public:
    explicit Iterator(Value key) : key_(key) {}
    Member operator*() const { return {key_, key_.valueOfKey()}; }
    Iterator& operator++() {
      key_ = key_.valueOfKey().next();
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    Value key_;
  };

  explicit MemberRange(Value object) {
    if (!object.isObject()) return;
    begin_ = object.first();
    end_ = object.next();
  }
  Iterator begin() const { return Iterator(begin_); }
  Iterator end() const { return Iterator(end_); }

 private:
  Value begin_;
  Value end_;
};

/// The elements of an array in text order; empty for other values. `orSelf` makes an object
/// the only element of its list.
class ElementRange {
 public:
  class Iterator {
   public:
    explicit Iterator(Value value) : value_(value) {}
    Value operator*() const { return value_; }
    Iterator& operator++() {
      value_ = value_.next();
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    Value value_;
  };

  explicit ElementRange(Value array) {
    if (array.isArray()) *this = ElementRange(array.first(), array.next());
  }
  static ElementRange orSelf(Value value) {
    return value.isObject() ? ElementRange(value, value.next()) : ElementRange(value);
  }
  Iterator begin() const { return Iterator(begin_); }
  Iterator end() const { return Iterator(end_); }

 private:
  ElementRange(Value begin, Value end) : begin_(begin), end_(end) {}

  Value begin_;
  Value end_;
};

/// Iterates over members: `for (Member member : members(value))`.
inline MemberRange members(Value object) { return MemberRange(object); }
/// Iterates over elements: `for (Value element : elements(value))`.
inline ElementRange elements(Value array) { return ElementRange(array); }

}  // namespace strata::json
