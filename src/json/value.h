// Gives read access to the values of a Tape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/tape.h"

namespace strata::json {

/// A handle to one value of a Tape: two words, cheap to copy. It is valid as long as the tape stays
/// in place and its bytes live; so are all views that it returns. A default Value is absent: every
/// accessor returns an empty result, so lookups can be chained:
///
///     std::string name = part.find("functionCall").find("name").text();
class Value {
 public:
  Value() = default;
  Value(const Tape* tape, uint32_t index) : tape_(tape), index_(index) {}

  explicit operator bool() const { return tape_ != nullptr; }
  bool is(Kind kind) const { return tape_ != nullptr && node().kind() == kind; }
  bool isString() const { return is(Kind::kString); }
  bool isNumber() const { return is(Kind::kNumber); }
  bool isObject() const { return is(Kind::kObject); }
  bool isArray() const { return is(Kind::kArray); }
  bool isTrue() const { return is(Kind::kTrue); }
  bool isBoolean() const { return isTrue() || is(Kind::kFalse); }
  bool isNull() const { return is(Kind::kNull); }
  /// Requires a present value.
  Kind kind() const { return node().kind(); }

  /// Returns the original JSON text of the value, with quotes or brackets.
  std::string_view bytes() const {
    return tape_ == nullptr ? std::string_view() : slice(node().begin, node().end);
  }
  /// Returns the byte offset of `bytes()` in the source of the tape.
  size_t offset() const { return tape_ == nullptr ? 0 : node().begin; }

  /// Returns the content of a string with its escapes unresolved; "" for other values.
  std::string_view raw() const {
    return isString() ? slice(node().begin + 1, node().end - 1) : std::string_view();
  }
  bool hasEscapes() const { return isString() && node().escaped(); }
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
    return isObject() ? node().count() / 2 : node().count();
  }
  /// Returns the value of the member `key`, or an absent Value. Linear in the number of members.
  Value find(std::string_view key) const;
  /// Returns the element at `position`, or an absent Value. Linear in `position`.
  Value at(size_t position) const;

  /// The first node in a container, the node after a value, and its index. Require a present value.
  Value first() const { return Value(tape_, index_ + 1); }
  Value next() const { return Value(tape_, node().next); }
  uint32_t endIndex() const { return node().next; }
  /// Returns how many nodes the value has: itself, and all keys and values in it.
  uint32_t nodes() const { return endIndex() - index_; }
  uint32_t index() const { return index_; }
  const Tape* tape() const { return tape_; }

 private:
  const Tape::Node& node() const { return tape_->node(index_); }
  // Like `equals`, for a string.
  bool hasText(std::string_view expected) const;
  std::string_view slice(uint32_t begin, uint32_t end) const {
    return {tape_->source().data() + begin, end - begin};
  }

  const Tape* tape_ = nullptr;
  uint32_t index_ = 0;
};

inline Value Tape::root() const { return Value(this, 0); }

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
    Member operator*() const { return {key_, key_.next()}; }
    Iterator& operator++() {
      key_ = key_.next().next();
      return *this;
    }
    bool operator!=(const Iterator& other) const { return key_.index() != other.key_.index(); }

   private:
    Value key_;
  };

  explicit MemberRange(Value object) : object_(object.isObject() ? object : Value()) {}
  Iterator begin() const { return Iterator(object_ ? object_.first() : Value()); }
  Iterator end() const {
    return Iterator(object_ ? Value(object_.tape(), object_.endIndex()) : Value());
  }

 private:
  Value object_;
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
    bool operator!=(const Iterator& other) const { return value_.index() != other.value_.index(); }

   private:
    Value value_;
  };

  explicit ElementRange(Value array) {
    if (array.isArray()) *this = ElementRange(array.first(), array);
  }
  static ElementRange orSelf(Value value) {
    return value.isObject() ? ElementRange(value, value) : ElementRange(value);
  }
  Iterator begin() const { return Iterator(begin_); }
  Iterator end() const { return Iterator(end_); }

 private:
  // From `first` to the end of `whole`.
  ElementRange(Value first, Value whole) : begin_(first), end_(whole.tape(), whole.endIndex()) {}

  Value begin_;
  Value end_;
};

/// Iterates over members: `for (Member member : members(value))`.
inline MemberRange members(Value object) { return MemberRange(object); }
/// Iterates over elements: `for (Value element : elements(value))`.
inline ElementRange elements(Value array) { return ElementRange(array); }

}  // namespace strata::json
