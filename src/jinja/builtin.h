// Why this file exists: a filter, test, method or global function is one row of a table; how
// arguments meet parameters, and what is wrong when they do not, is decided here once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/runtime.h"

namespace strata::jinja {

class Call;

/// One row:
///
///     {"truncate", "s length? killwords? end? leeway?", truncate}
///     {"map", "value *args **kwargs", map}
///     {"replace", "self old new count? /", strReplace}
///
/// Parameters are separated by one space; `?` may be left out; `/` at the end means that none has a
/// keyword. A filter's or test's value and a method's receiver are parameter 0.
struct Builtin {
  std::string_view name;
  std::string_view parameters;
  Value (*function)(Call& call);
};

/// A call whose arguments have been bound to the parameters of its row.
class Call {
 public:
  static constexpr size_t kMaxParameters = 8;

  /// `receiver` absent: none. False after a failure ("truncate() got an unexpected keyword...").
  bool bind(const Builtin& builtin, const Value& receiver, const Arguments& arguments);

  explicit Call(Runtime& render) : runtime(render) {}

  /// Parameter `at`, absent if it was not given.
  const Value& operator[](size_t at) const { return values_[at]; }
  bool has(size_t at) const { return !values_[at].isAbsent(); }
  /// What went to *args and **kwargs.
  std::span<const Value> rest() const { return rest_; }
  std::span<const NamedValue> named() const { return named_; }

  // Reads parameter `at` into `out`, which keeps its value where none was given. False after a
  // failure: 'str' object cannot be interpreted as an integer.
  bool integer(size_t at, int64_t& out) const;
  bool text(size_t at, std::string_view& out) const;
  /// bool(value)
  bool truth(size_t at, bool& out) const;

  Runtime& runtime;

 private:
  bool bindNamed(const Builtin& builtin, const Arguments& arguments, bool takesNamed);

  std::array<Value, kMaxParameters> values_;
  std::span<const Value> rest_;
  std::span<const NamedValue> named_;
};

/// Binds and runs.
Value invoke(Runtime& runtime, const Builtin& builtin, const Value& receiver,
             const Arguments& arguments);

// The tables, each sorted by name; null where there is no such row.

/// filters/
const Builtin* findFilter(std::string_view name);
/// tests/; the function returns a bool.
const Builtin* findTest(std::string_view name);
/// methods/ of str, list, dict, tuple, int, float and range.
const Builtin* findMethod(Type type, std::string_view name);
/// Whether that method changes its receiver (append, update...): refused when `immutable`.
bool changesReceiver(Type type, std::string_view name);
/// globals.cpp: range, dict, namespace, cycler, joiner, lipsum, raise_exception, strftime_now.
const Builtin* findGlobal(std::string_view name);

/// The row with that name in a sorted table.
const Builtin* findIn(std::span<const Builtin> table, std::string_view name);

}  // namespace strata::jinja
