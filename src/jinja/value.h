// Why this file exists: what a template computes with. A Value points at a Cell in the Heap of the
// render (heap.h), which is freed as a whole: nothing is counted, and lists that contain themselves
// need no care. One pointer travels in a register, which makes all code that handles values small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace strata::jinja {

class Heap;
// In collections.h:
struct Missing;  // why a value is undefined
struct List;     // list and tuple
class Dict;
struct DictView;   // dict.keys(), dict.values(), dict.items()
struct Range;      // range()
struct Iterator;   // what select, map, batch... give: it can be walked once
struct Namespace;  // namespace()
// In object.h:
struct Object;  // callables, loop, cycler, joiner, imported templates

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

/// What each value begins with. `flag` marks Markup, an integer beyond 64 bits, a group of groupby,
/// and an undefined value that is a Missing.
struct Cell {
  constexpr explicit Cell(Type what, bool mark = false, uint32_t bytes = 0)
      : type(what), flag(mark), size(bytes) {}
  Type type;
  bool flag;
  uint32_t size;  ///< Bytes of a string; an integer itself where it fits (`flag` is not set then).
};

/// A value without parts. It never changes.
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
inline constexpr Scalar kEmptyCell{std::string_view()};

/// Bytes of a string live as long as the render: in the Heap, the template, or the context's JSON.
class Value {
 public:
  constexpr Value() : cell_(&kAbsentCell) {}
  /// A list, dict, object... or a constant.
  constexpr Value(const Cell& cell) : cell_(&cell) {}

  static constexpr Value failure() { return kFailureCell; }
  static constexpr Value absent() { return {}; }
  static constexpr Value none() { return kNoneCell; }
  static constexpr Value boolean(bool value) { return kBoolCells[value ? 1 : 0]; }
  static constexpr Value emptyString() { return kEmptyCell; }
  static Value integer(Heap& heap, int64_t value);
  static Value number(Heap& heap, double value);
  /// An integer of the context beyond 64 bits: it is compared as a float
  /// and prints as it is written; computing with it meets a limit.
  static Value longInteger(Heap& heap, std::string_view digits);
  /// `safe` is Markup: autoescape leaves it alone. The bytes are valid UTF-8, at most 4 GiB.
  static Value string(Heap& heap, std::string_view text, bool safe = false);
  /// The undefined variable called `name`.
  static Value undefined(Heap& heap, std::string_view name);
  /// The list itself, which becomes a tuple.
  static Value tuple(List* items);
  /// What groupby gives: a tuple whose two items are called `grouper` and `list` as well.
  static Value group(List* items);

  Type type() const { return cell_->type; }
  bool is(Type wanted) const { return type() == wanted; }
  bool failed() const { return cell_ == &kFailureCell; }
  bool isAbsent() const { return cell_ == &kAbsentCell; }
  bool isUndefined() const { return is(Type::kUndefined); }
  bool isNone() const { return cell_ == &kNoneCell; }
  bool isBool() const { return is(Type::kBool); }
  bool isString() const { return is(Type::kString); }
  bool isDouble() const { return is(Type::kDouble); }
  /// int, and bool as Python has it
  bool isInteger() const { return is(Type::kInt) || is(Type::kBool); }
  /// int, bool or float
  bool isNumber() const { return isInteger() || isDouble(); }
  bool isSequence() const { return is(Type::kList) || is(Type::kTuple); }
  bool isLongInteger() const { return isDouble() && cell_->flag; }
  bool isGroup() const { return is(Type::kTuple) && cell_->flag; }
  /// Markup
  bool isSafe() const { return isString() && cell_->flag; }

  /// Each only on a value of its type.
  bool asBool() const { return cell_->size != 0; }
  int64_t asInteger() const;
  double asDouble() const;
  std::string_view text() const { return {scalar().text, cell_->size}; }
  List& asList() const;
  Dict& asDict() const;
  DictView& asView() const;
  Range& asRange() const;
  Iterator& asIterator() const;
  Namespace& asNamespace() const;
  Object& asObject() const;
  /// Null where only a name is known: `text()` then.
  const Missing* missing() const;

  /// Python's `is`: the same object, or the same small value.
  bool identical(Value other) const;

 private:
  const Scalar& scalar() const { return static_cast<const Scalar&>(*cell_); }

  const Cell* cell_;
};

}  // namespace strata::jinja
