// Defines the return types of operations that can fail. The core is built without exceptions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace strata {

/// Why an operation failed, and at which place of its input.
struct Error {
  std::string_view code;  ///< A code of the catalogue, such as "json.invalid"; static storage.
  size_t offset = 0;      ///< Byte offset into the input.
  std::string path;       ///< JSON Pointer (RFC 6901) of the value; "" is the whole input.
  std::string detail;     ///< What was expected or found; part of the message.
};

/// A value or an Error. `value()` requires that the Result is true, `error()` that it is false:
///
///     Result<Tape> tape = Tape::read(bytes);
///     if (!tape) return tape.error();
template <typename T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& value() { return *std::get_if<0>(&state_); }
  const T& value() const { return *std::get_if<0>(&state_); }
  Error& error() { return *std::get_if<1>(&state_); }
  const Error& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success or an Error. `error()` requires that the Status is false.
class Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_; }
  Error& error() { return *error_; }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace strata
