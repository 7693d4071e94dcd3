// Describes filters, tests, methods and global functions as rows of tables, and binds call
// arguments to their parameters.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/runtime.h"

namespace strata::jinja {

class Call;

/// One row of a table:
///
///     {"truncate s length? killwords? end? leeway?", truncate}
///     {"map value *args **kwargs", map}
///     {"replace self old new count? /", strReplace}
///
/// The signature is the name and the parameters, each separated by one space. `?` marks an optional
/// parameter. A final `/` makes all parameters positional-only. Parameter 0 is the value of a
/// filter or test, or the receiver of a method.
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
  uint8_t count = 0;        ///< Parameters other than *args and **kwargs.
  uint8_t required = 0;     ///< The number of leading parameters without a default.
  bool takesRest = false;   ///< *args
  bool takesNamed = false;  ///< **kwargs
};

/// A call with its arguments bound to the parameters of a row.
class Call {
 public:
  static constexpr size_t kMaxParameters = 8;

  /// Binds the arguments. An absent `receiver` means there is none. Returns false after a failure
  /// such as "truncate() got an unexpected keyword argument". `arguments` must outlive the call.
  bool bind(const Builtin& builtin, Value receiver, const Arguments& arguments);

  explicit Call(Runtime& render) : runtime(render) {}

  /// Returns parameter `at`, or an absent value if it was omitted.
  Value operator[](size_t at) const { return values_[at]; }
  bool has(size_t at) const { return !values_[at].isAbsent(); }
  /// The arguments collected by *args and **kwargs.
  std::span<const Value> rest() const { return rest_; }
  std::span<const NamedValue> named() const { return named_; }

  // Each reads parameter `at` into `out` and leaves `out` unchanged if the parameter was omitted.
  // Returns false after a failure such as "'str' object cannot be interpreted as an integer".
  bool integer(size_t at, int64_t& out) const;
  /// The same, but clamps an integer beyond 64 bits.
  bool clampedInteger(size_t at, int64_t& out) const;
  /// A number that is compared with a size, so that it may be a fraction.
  bool amount(size_t at, double& out) const;
  bool text(size_t at, std::string_view& out) const;
  /// Reads bool(value).
  bool truth(size_t at, bool& out) const;

  Runtime& runtime;

 private:
  bool bindNamed(const Builtin& builtin, const Arguments& arguments);

  std::array<Value, kMaxParameters> values_;
  std::span<const Value> rest_;
  std::span<const NamedValue> named_;
};

/// A function of a row that reads the text of parameter 0 as a whole, if it is one.
template <Value (*function)(Call& call)>
Value reading(Call& call) {
  return call.runtime.canExamine(call[0]) ? function(call) : Value::failure();
}

/// Binds the arguments and calls the function. Returns Value::failure() if binding fails.
Value invoke(Runtime& runtime, const Builtin& builtin, Value receiver, const Arguments& arguments);

// Table lookups, O(log n) per table. Each returns null if there is no such row.

/// Finds a filter; see filters/.
const Builtin* findFilter(std::string_view name);
/// Finds a test; see tests/. Its function returns a bool.
const Builtin* findTest(std::string_view name);
/// Finds a method of str, list, dict, tuple, int or float; see methods/.
const Builtin* findMethod(Type type, std::string_view name);
/// Returns whether that method changes its receiver (append, update, ...). The option `immutable`
/// rejects those.
bool changesReceiver(Type type, std::string_view name);
/// Finds one of range, dict, namespace, cycler, joiner, lipsum, raise_exception and strftime_now
/// (globals.cpp).
const Builtin* findGlobal(std::string_view name);

/// Finds a row by name in a table that is sorted by name.
const Builtin* findIn(std::span<const Builtin> table, std::string_view name);

}  // namespace strata::jinja
