// Why this file exists: what a builtin may ask of the render it runs in.
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

/// The outcome of a question that can itself fail (comparing values that nest too deep).
enum class Tristate : int8_t { kFailed = -1, kNo = 0, kYes = 1 };

struct NamedValue {
  std::string_view name;
  Value value;
};

/// What a call passes.
struct Arguments {
  std::span<const Value> positional;
  std::span<const NamedValue> named;
};

/// One render. Its one implementation is the Interpreter.
class Runtime {
 public:
  explicit Runtime(const Options& settings)
      : options(settings), budget(settings.limits), heap(budget) {}

  /// Keeps the first error, placed where the interpreter stands, and returns Value::failure(). The
  /// pattern is that of compose().
  Value fail(ErrorKind kind, const char* pattern, std::string_view first = {},
             std::string_view second = {}, std::string_view third = {});
  // TypeError, ValueError and all else that is kRuntime: the last with the value's type.
  Value fail(const char* pattern);
  Value fail(const char* pattern, std::string_view part);
  Value fail(const char* pattern, Value value);
  /// The error of the limit that the Budget met.
  Value limitFailure();
  Value limitFailure(Limit limit);
  /// `Value::undefined` used where it must not be: 'x' is undefined.
  Value undefinedFailure(Value undefined);

  /// Calls a macro, function, method, cycler...: whatever `{{ callee(...) }}` could.
  Value call(Value callee, const Arguments& arguments);
  /// `value | name(...)`, host filters included.
  Value applyFilter(std::string_view name, Value value, const Arguments& arguments);
  /// `value is name(...)`
  Tristate applyTest(std::string_view name, Value value, const Arguments& arguments);

  // Values whose parts exist already.
  Value integer(int64_t value) { return Value::integer(heap, value); }
  Value number(double value) { return Value::number(heap, value); }
  Value string(std::string_view text, bool safe = false) { return Value::string(heap, text, safe); }
  Value undefined(std::string_view name) { return Value::undefined(heap, name); }
  /// An undefined value whose use is the error `hint`.
  Value undefinedFor(std::string_view hint, Value object = {}, Value key = {}) {
    return *heap.make<Missing>(hint, object, key);
  }

  /// How that undefined value behaves.
  UndefinedKind kindOf(Value undefined) const {
    const Missing* missing = undefined.missing();
    return missing != nullptr && missing->plain ? UndefinedKind::kDefault : options.undefined;
  }

  // Values that take no more than their size, after asking the Budget; failure() if it says no.
  Value newString(std::string_view text, bool safe = false);
  Value newList(std::span<const Value> items);
  Value newTuple(std::span<const Value> items);
  /// What select() and the like return.
  Value newIterator(List* items) { return Value(*heap.make<Iterator>(items)); }
  List* makeList() { return heap.make<List>(heap); }
  Dict* makeDict() { return heap.make<Dict>(heap); }
  /// `list.append` after asking the Budget: false once it is empty.
  bool push(List& list, Value value) {
    if (list.size() >= budget.limits().collection) return budget.meet(Limit::kCollection);
    if (!budget.spend()) return false;
    list.append(value);
    return true;
  }

  const Options& options;
  Budget budget;
  Heap heap;
  std::string_view now;     ///< RenderInput::now
  bool autoescape = false;  ///< At the place that is being rendered.

 protected:
  /// Writes where the render stands into `error_`.
  void placeError();

  std::optional<TemplateError> error_;
};

/// Builds a string in the Heap, asking the Budget before it grows:
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
  /// Whether the limit was met: a long loop may stop then. What is appended is dropped.
  bool failed() const { return failed_; }
  std::string_view view() const { return {data_, size_}; }
  /// The string, or failure().
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
