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
///     {"truncate s length? killwords? end? leeway?", truncate}
///     {"map value *args **kwargs", map}
///     {"replace self old new count? /", strReplace}
///
/// The name, then the parameters, separated by one space; `?` may be left out; `/` at the end means
/// that none has a keyword. A filter's or test's value and a method's receiver are parameter 0.
struct Builtin {
  constexpr Builtin(const char* words, Value (*code)(Call& call))
      : signature(words), function(code) {
    size_t at = 0;
    while (words[at] != ' ') ++at;
    nameSize = static_cast<uint8_t>(at);
    while (words[at] != 0) {
      const char first = words[++at];
      const bool doubled = words[at + 1] == '*';
      char last = first;
      for (; words[at] != ' ' && words[at] != 0; ++at) last = words[at];
      if (first == '/') break;
      takesNamed = takesNamed || doubled;
      takesRest = takesRest || (first == '*' && !doubled);
      if (first == '*') continue;
      ++count;
      if (last != '?') required = count;
    }
  }

  std::string_view name() const { return {signature, nameSize}; }
  std::string_view parameters() const { return signature + nameSize + 1; }

  const char* signature;
  Value (*function)(Call& call);
  uint8_t nameSize = 0;
  uint8_t count = 0;        ///< Of parameters that are not collected.
  uint8_t required = 0;     ///< So many of them, the first ones, must be given.
  bool takesRest = false;   ///< *args
  bool takesNamed = false;  ///< **kwargs
};

/// A call whose arguments have been bound to the parameters of its row.
class Call {
 public:
  static constexpr size_t kMaxParameters = 8;

  /// `receiver` absent: none. False after a failure ("truncate() got an unexpected keyword...").
  bool bind(const Builtin& builtin, Value receiver, const Arguments& arguments);

  explicit Call(Runtime& render) : runtime(render) {}

  /// Parameter `at`, absent if it was not given.
  Value operator[](size_t at) const { return values_[at]; }
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
  bool bindNamed(const Builtin& builtin, const Arguments& arguments);

  std::array<Value, kMaxParameters> values_;
  std::span<const Value> rest_;
  std::span<const NamedValue> named_;
};

/// Binds and runs.
Value invoke(Runtime& runtime, const Builtin& builtin, Value receiver, const Arguments& arguments);

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
