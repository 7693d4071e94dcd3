// Defines what builtins can use of the render that they run in: errors, the budget, and factories
// for values.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "jinja/budget.h"
#include "jinja/collections.h"
#include "jinja/error.h"
#include "jinja/heap.h"
#include "jinja/options.h"
#include "jinja/value.h"

namespace strata::jinja {

/// The result of a predicate that can fail, such as a comparison of values that nest too deeply.
enum class Tristate : int8_t { kFailed = -1, kNo = 0, kYes = 1 };

struct NamedValue {
  std::string_view name;
  Value value;
};

/// The arguments of a call. The spans must outlive the call.
struct Arguments {
  std::span<const Value> positional;
  std::span<const NamedValue> named;
};

/// One render: an Interpreter, or a pongo2::Machine, which calls no callable values and applies no
/// filters or tests by name.
class Runtime {
 public:
  explicit Runtime(const Options& settings)
      : options(settings), budget(settings.limits), heap(budget) {}
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// Records an error at the current position and returns Value::failure(). Only the first error is
  /// kept. `pattern` is as in compose().
  Value fail(ErrorKind kind, const char* pattern, std::string_view first = {},
             std::string_view second = {}, std::string_view third = {});
  // The same with kind kRuntime. The last form inserts the name of the value's type.
  Value fail(const char* pattern);
  Value fail(const char* pattern, std::string_view part);
  Value fail(const char* pattern, Value value);
  /// Reports the limit that the Budget exceeded, or the given one.
  Value limitFailure();
  Value limitFailure(Limit limit);
  /// Reports the use of an undefined value: "'x' is undefined".
  Value undefinedFailure(Value undefined);

  /// Calls a macro, function, method or any other callable value.
  Value call(Value callee, const Arguments& arguments);
  /// Applies `value | name(...)`, including filters of the host.
  Value applyFilter(std::string_view name, Value value, const Arguments& arguments);
  /// Applies `value is name(...)`.
  Tristate applyTest(std::string_view name, Value value, const Arguments& arguments);

  // Create values from existing data, without checking the Budget.
  Value integer(int64_t value) { return Value::integer(heap, value); }
  Value number(double value) { return Value::number(heap, value); }
  Value string(std::string_view text, bool safe = false) { return Value::string(heap, text, safe); }
  Value undefined(std::string_view name) { return Value::undefined(heap, name); }
  /// Returns an undefined value whose use fails with the message `hint`.
  Value undefinedFor(std::string_view hint, Value object = {}, Value key = {}) {
    return *heap.make<Missing>(hint, object, key);
  }

  /// Returns how that undefined value behaves.
  UndefinedKind undefinedKind(Value undefined) const {
    const Missing* missing = undefined.missing();
    return missing != nullptr && missing->plain ? UndefinedKind::kDefault : options.undefined;
  }

  // Create values of exactly the given size, after checking the Budget. Each returns failure() if a
  // limit is exceeded.
  Value newString(std::string_view text, bool safe = false);
  Value newList(std::span<const Value> items);
  Value newTuple(std::span<const Value> items);
  /// Returns an iterator, the result of select() and similar filters.
  Value newIterator(List* items) { return Value(*heap.make<Iterator>(items)); }
  List* makeList() { return heap.make<List>(heap); }
  Dict* makeDict() { return heap.make<Dict>(heap); }
  /// Returns whether a text may be read as a whole, and uses one fuel per 64 bytes. Fails if not.
  bool canRead(std::string_view text) {
    return budget.spend(text.size() / 64) || !limitFailure().failed();
  }
  /// The same for a value, if it is a text.
  bool canRead(Value value) { return !value.isString() || canRead(value.text()); }
  /// The same for a text of which each character is examined, such as by isupper(): one fuel per 8
  /// bytes.
  bool canExamine(std::string_view text) {
    return budget.examine(text.size()) || !limitFailure().failed();
  }
  /// The same for a value, if it is a text.
  bool canExamine(Value value) { return !value.isString() || canExamine(value.text()); }
  /// The same for a text whose characters are looked up in the tables of Unicode: one fuel more per
  /// byte beyond ASCII.
  bool canClassify(std::string_view text);
  /// Uses one fuel. Fails if there is none.
  bool canStep() { return budget.spend() || !limitFailure().failed(); }
  /// Appends to `list` after checking the Budget. Returns false if a limit is exceeded.
  bool push(List& list, Value value) {
    if (list.size() >= budget.limits().collection) return budget.exceed(Limit::kCollection);
    if (!budget.spend()) return false;
    list.append(value);
    return true;
  }

  /// Returns whether no limit is exceeded. Reports the limit if one is, since a Dict and the Heap
  /// cannot.
  bool isWithinBudget() { return budget.exceeded() == Limit::kNone || !limitFailure().failed(); }

  const Options& options;
  Budget budget;
  Heap heap;
  std::string_view now;     ///< RenderInput::now
  bool autoescape = false;  ///< The escaping mode at the current position.

 protected:
  /// Sets the current position in `error_`.
  virtual void locateError() = 0;

  std::optional<TemplateError> error_;
};

/// Builds a string in the Heap and checks the Budget before it grows:
///
///     Text out(runtime);
///     out.append("[").append(text).append("]");
///     return out.take();
class Text {
 public:
  explicit Text(Runtime& runtime) : runtime_(runtime) {}

  Text& append(std::string_view text);
  Text& append(char c) { return append(std::string_view(&c, 1)); }
  Text& append(uint32_t codePoint);
  Text& repeat(std::string_view text, uint64_t times);
  /// Returns whether a limit is exceeded. A long loop should stop then; appended text is dropped.
  bool failed() const { return failed_; }
  std::string_view view() const { return {data_, size_}; }
  /// Returns the string, or failure() if a limit is exceeded.
  Value take(bool safe = false);

 private:
  bool reserve(uint64_t more);

  Runtime& runtime_;
  char* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
  bool failed_ = false;
};

}  // namespace strata::jinja
