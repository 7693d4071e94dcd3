// Defines the values that a template computes with. A Value is one pointer to a Cell in the Heap of
// the render (heap.h), which is freed as a whole, so cycles need no special care. One pointer fits
// in a register, which keeps the code that handles values small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace strata::jinja {

class Heap;
struct LongInteger;  // in long_integer.h
// In collections.h:
struct Missing;  // the reason why a value is undefined
struct List;     // list and tuple
class Dict;
struct DictView;   // dict.keys(), dict.values(), dict.items()
struct Range;      // range()
struct Iterator;   // the result of select, map, batch, ...; can be iterated once
struct Namespace;  // namespace()
// In object.h:
struct Object;  // callables, loop, cycler, joiner, imported templates

enum class Type : uint8_t {
  kFailure,  ///< An error is recorded in the Runtime; return it. Never visible to templates.
  kAbsent,   ///< An omitted argument or an unset variable. Never visible to templates.
  kUndefined,
  kNone,
  kBool,
  kInt,          ///< An integer that fits 64 bits.
  kLongInteger,  ///< Any other integer.
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

/// The header of every value. `flag` marks Markup, an integer beyond 32 bits, a negative long
/// integer, a group of groupby, and an undefined value that is a Missing.
struct alignas(8) Cell {
  constexpr explicit Cell(Type what, bool mark = false, uint32_t bytes = 0)
      : type(what), flag(mark), size(bytes) {}
  Type type;
  bool flag;
  /// Bytes of a string, limbs of a long integer, or a small integer (then `flag` is not set).
  uint32_t size;
};

/// An immutable value without items.
struct Scalar : Cell {
  constexpr explicit Scalar(int64_t value) : Cell(Type::kInt, true), integer(value) {}
  constexpr explicit Scalar(double value) : Cell(Type::kDouble), number(value) {}
  constexpr explicit Scalar(std::string_view bytes, Type what = Type::kString, bool mark = false)
      : Cell(what, mark, static_cast<uint32_t>(bytes.size())), text(bytes.data()) {}
  union {
    int64_t integer;
    double number;
    const char* text;
  };
};

inline constexpr Cell kFailureCell(Type::kFailure);
inline constexpr Cell kAbsentCell(Type::kAbsent);
inline constexpr Cell kNoneCell(Type::kNone);
inline constexpr Cell kBoolCells[] = {Cell(Type::kBool), Cell(Type::kBool, false, 1)};
inline constexpr Cell kZeroCell(Type::kInt);
inline constexpr Scalar kEmptyCell{std::string_view()};

/// A reference to a value, copied freely. It is valid as long as its Heap. The bytes of a string
/// live as long as the render: in the Heap, in the template, or in the context's JSON.
class Value {
 public:
  constexpr Value() : cell_(&kAbsentCell) {}
  /// Refers to a list, dict, object or constant.
  constexpr Value(const Cell& cell) : cell_(&cell) {}

  static constexpr Value failure() { return kFailureCell; }
  static constexpr Value absent() { return {}; }
  static constexpr Value none() { return kNoneCell; }
  static constexpr Value boolean(bool value) { return kBoolCells[value ? 1 : 0]; }
  static constexpr Value emptyString() { return kEmptyCell; }
  static Value integer(Heap& heap, int64_t value);
  static Value number(Heap& heap, double value);
  /// `safe` marks Markup, which autoescape leaves unchanged. The bytes must be valid UTF-8, at most
  /// 4 GiB, and must outlive the Heap.
  static Value string(Heap& heap, std::string_view text, bool safe = false);
  /// The undefined variable `name`.
  static Value undefined(Heap& heap, std::string_view name);
  /// Turns the list into a tuple and returns it.
  static Value tuple(List* items);
  /// The result of groupby: a tuple whose two items are also named `grouper` and `list`.
  static Value group(List* items);

  Type type() const { return cell_->type; }
  bool is(Type wanted) const { return type() == wanted; }
  bool failed() const { return cell_ == &kFailureCell; }
  bool isAbsent() const { return cell_ == &kAbsentCell; }
  bool isUndefined() const { return is(Type::kUndefined); }
  bool isNone() const { return is(Type::kNone); }
  bool isBool() const { return is(Type::kBool); }
  bool isString() const { return is(Type::kString); }
  bool isDouble() const { return is(Type::kDouble); }
  /// A bool, or an int that fits 64 bits; a bool is an int in Python.
  bool isInteger() const { return is(Type::kInt) || is(Type::kBool); }
  /// An int that does not fit 64 bits.
  bool isLongInteger() const { return is(Type::kLongInteger); }
  /// A bool, or an int of any size.
  bool isAnyInteger() const { return isInteger() || isLongInteger(); }
  /// int, bool or float
  bool isNumber() const { return isAnyInteger() || isDouble(); }
  bool isSequence() const { return is(Type::kList) || is(Type::kTuple); }
  bool isGroup() const { return is(Type::kTuple) && cell_->flag; }
  /// Whether the string is Markup.
  bool isSafe() const { return isString() && cell_->flag; }

  /// Each requires a value of its type.
  bool asBool() const { return cell_->size != 0; }
  int64_t asInteger() const {
    return cell_->flag ? scalar().integer : static_cast<int32_t>(cell_->size);
  }
  const LongInteger& asLong() const;
  /// Accepts any number. Returns infinity for an integer that is too large.
  double asDouble() const;
  std::string_view text() const { return {scalar().text, cell_->size}; }
  List& asList() const;
  Dict& asDict() const;
  DictView& asView() const;
  Range& asRange() const;
  Iterator& asIterator() const;
  Namespace& asNamespace() const;
  Object& asObject() const;
  /// Null if only a name is known; `text()` returns it.
  const Missing* missing() const;

  /// Python's `is`: the same object, or equal small values.
  bool identical(Value other) const;

 private:
  const Scalar& scalar() const { return static_cast<const Scalar&>(*cell_); }

  const Cell* cell_;
};

}  // namespace strata::jinja
