// Why this file exists: the one way to look at JSON that was read into a Tape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/tape.h"

namespace strata::json {

/// One value in a Tape: two words, cheap to copy, valid while the tape and its bytes live.
/// A default Value is absent and answers every question with nothing, so look-ups chain:
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
  /// Only on a present value.
  Kind kind() const { return node().kind(); }

  /// The value's JSON text exactly as it came, quotes and brackets included.
  std::string_view bytes() const {
    if (tape_ == nullptr) return {};
    return tape_->source().substr(node().begin, node().end - node().begin);
  }
  /// Byte offset of `bytes()` in the whole text.
  size_t offset() const { return tape_ == nullptr ? 0 : node().begin; }

  /// What stands between the quotes of a string, escapes unresolved; empty for anything else.
  std::string_view raw() const {
    if (!isString()) return {};
    return tape_->source().substr(node().begin + 1, node().end - node().begin - 2);
  }
  bool hasEscapes() const { return isString() && node().escaped(); }
  /// The string as UTF-8, escapes resolved; a lone surrogate becomes U+FFFD.
  std::string text() const;
  /// Whether this is a string that spells `expected` once its escapes are resolved.
  bool equals(std::string_view expected) const;
  /// The number where it is written as an integer and fits, otherwise `fallback`.
  int64_t integer(int64_t fallback) const;

  /// Elements of an array, members of an object; 0 for anything else.
  size_t size() const {
    if (!isArray() && !isObject()) return 0;
    return isObject() ? node().count() / 2 : node().count();
  }
  /// The member called `key`, or an absent Value.
  Value find(std::string_view key) const;
  /// The element at `position`, or an absent Value; walks the elements before it.
  Value at(size_t position) const;

  /// The first node inside a container, the node behind a value, and where the walk ends.
  Value first() const { return Value(tape_, index_ + 1); }
  Value next() const { return Value(tape_, node().next); }
  uint32_t endIndex() const { return node().next; }
  uint32_t index() const { return index_; }
  const Tape* tape() const { return tape_; }

 private:
  const Tape::Node& node() const { return tape_->node(index_); }

  const Tape* tape_ = nullptr;
  uint32_t index_ = 0;
};

inline Value Tape::root() const { return Value(this, 0); }

/// One member of an object; as an iterator it walks them in the order of the text.
struct Member {
  Value key;
  Value value;
};

/// `for (Member m : members(value))`: nothing for what is not an object.
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

/// `for (Value v : elements(value))`: nothing for what is not an array.
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

  explicit ElementRange(Value array) : array_(array.isArray() ? array : Value()) {}
  Iterator begin() const { return Iterator(array_ ? array_.first() : Value()); }
  Iterator end() const {
    return Iterator(array_ ? Value(array_.tape(), array_.endIndex()) : Value());
  }

 private:
  Value array_;
};

inline MemberRange members(Value object) { return MemberRange(object); }
inline ElementRange elements(Value array) { return ElementRange(array); }

}  // namespace strata::json
