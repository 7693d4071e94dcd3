// Why this file exists: what a template computes with. A Value is 16 bytes and copied like a
// number; what does not fit lives in the Heap of the render (heap.h) and is freed with it as a
// whole, so nothing is counted, and lists that contain themselves need no care.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace strata::jinja {

struct Missing;    // why a value is undefined
struct List;       // list and tuple
class Dict;        // dict.h
struct DictView;   // dict.keys(), dict.values(), dict.items()
struct Range;      // range()
struct Iterator;   // what select, map, batch... give: it can be walked once
struct Namespace;  // namespace()
struct Object;     // callables, loop, cycler, joiner, imported templates

enum class Type : uint8_t {
  kFailure,  ///< An error is waiting in the Runtime: hand it on at once. Templates never see it.
  kAbsent,   ///< An argument that was not given, a variable that was not set. Nor this.
  kUndefined,
  kNone,
  kBool,
  kInt,
  kDouble,
  kString,
  kList,
  kTuple,
  kDict,
  kDictView,
  kRange,
  kIterator,
  kNamespace,
  kObject,
};

/// Bytes of a string live as long as the render: in the Heap, the template, or the context's JSON.
class Value {
 public:
  constexpr Value() : integer_(0) {}

  static constexpr Value failure() { return Value(Type::kFailure); }
  static constexpr Value absent() { return Value(); }
  static constexpr Value none() { return Value(Type::kNone); }
  static constexpr Value boolean(bool value) {
    Value v(Type::kBool);
    v.integer_ = value ? 1 : 0;
    return v;
  }
  static constexpr Value integer(int64_t value) {
    Value v(Type::kInt);
    v.integer_ = value;
    return v;
  }
  static constexpr Value number(double value) {
    Value v(Type::kDouble);
    v.double_ = value;
    return v;
  }
  /// An integer of the context beyond 64 bits: it is compared as a float
  /// and prints as it is written; computing with it meets a limit.
  static constexpr Value longInteger(std::string_view digits) {
    Value v = string(digits, true);
    v.type_ = Type::kDouble;
    return v;
  }
  /// `safe` is Markup: autoescape leaves it alone. The bytes are valid UTF-8, at most 4 GiB.
  static constexpr Value string(std::string_view text, bool safe = false) {
    Value v(Type::kString);
    v.flag_ = safe;
    v.size_ = static_cast<uint32_t>(text.size());
    v.text_ = text.data();
    return v;
  }
  /// The undefined variable called `name`.
  static constexpr Value undefined(std::string_view name) {
    Value v = string(name);
    v.type_ = Type::kUndefined;
    return v;
  }
  static constexpr Value undefined(const Missing* missing) {
    Value v(Type::kUndefined);
    v.flag_ = true;
    v.pointer_ = missing;
    return v;
  }
  static Value list(List* list) { return Value(Type::kList, list); }
  static Value tuple(List* items) { return Value(Type::kTuple, items); }
  /// What groupby gives: a tuple whose two items are called `grouper` and `list` as well.
  static Value group(List* items) {
    Value v(Type::kTuple, items);
    v.flag_ = true;
    return v;
  }
  static Value dict(Dict* dict) { return Value(Type::kDict, dict); }
  static Value view(DictView* view) { return Value(Type::kDictView, view); }
  static Value range(Range* range) { return Value(Type::kRange, range); }
  static Value iterator(Iterator* iterator) { return Value(Type::kIterator, iterator); }
  static Value nameSpace(Namespace* space) { return Value(Type::kNamespace, space); }
  static Value object(Object* object) { return Value(Type::kObject, object); }

  Type type() const { return type_; }
  bool is(Type type) const { return type_ == type; }
  bool failed() const { return type_ == Type::kFailure; }
  bool isAbsent() const { return type_ == Type::kAbsent; }
  bool isUndefined() const { return type_ == Type::kUndefined; }
  bool isNone() const { return type_ == Type::kNone; }
  bool isBool() const { return type_ == Type::kBool; }
  bool isString() const { return type_ == Type::kString; }
  bool isDouble() const { return type_ == Type::kDouble; }
  /// int, and bool as Python has it
  bool isInteger() const { return type_ == Type::kInt || type_ == Type::kBool; }
  /// int, bool or float
  bool isNumber() const { return isInteger() || type_ == Type::kDouble; }
  bool isSequence() const { return type_ == Type::kList || type_ == Type::kTuple; }
  bool isLongInteger() const { return isDouble() && flag_; }
  bool isGroup() const { return type_ == Type::kTuple && flag_; }
  /// Markup
  bool isSafe() const { return isString() && flag_; }

  /// Each only on a value of its type.
  bool asBool() const { return integer_ != 0; }
  int64_t asInteger() const { return integer_; }
  double asDouble() const {
    if (type_ != Type::kDouble) return double(integer_);
    return flag_ ? longIntegerAsDouble() : double_;
  }
  std::string_view text() const { return {text_, size_}; }
  List& asList() const { return *static_cast<List*>(const_cast<void*>(pointer_)); }
  Dict& asDict() const { return *static_cast<Dict*>(const_cast<void*>(pointer_)); }
  DictView& asView() const { return *static_cast<DictView*>(const_cast<void*>(pointer_)); }
  Range& asRange() const { return *static_cast<Range*>(const_cast<void*>(pointer_)); }
  Iterator& asIterator() const { return *static_cast<Iterator*>(const_cast<void*>(pointer_)); }
  Namespace& asNamespace() const { return *static_cast<Namespace*>(const_cast<void*>(pointer_)); }
  Object& asObject() const { return *static_cast<Object*>(const_cast<void*>(pointer_)); }
  /// Null where only a name is known: `text()` then.
  const Missing* missing() const { return flag_ ? static_cast<const Missing*>(pointer_) : nullptr; }

  /// Python's `is`: the same object, or the same small value.
  bool identical(const Value& other) const;

 private:
  explicit constexpr Value(Type type) : type_(type), integer_(0) {}
  Value(Type type, const void* pointer) : type_(type), integer_(0) { pointer_ = pointer; }

  double longIntegerAsDouble() const;

  Type type_ = Type::kAbsent;
  bool flag_ = false;
  uint32_t size_ = 0;
  union {
    int64_t integer_;
    double double_;
    const char* text_;
    const void* pointer_;
  };
};

static_assert(sizeof(Value) == 16);

}  // namespace strata::jinja
