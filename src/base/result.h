// Why this file exists: the core throws nothing. An operation that can fail returns Result<T>: its
// value, or the Error that says what is wrong and where.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace strata {

/// What stopped an operation.
struct Error {
  std::string_view code;  ///< A code of the catalogue, such as "json.invalid"; static storage.
  size_t offset = 0;      ///< Byte offset into the input that was read.
  std::string path;       ///< JSON Pointer of the value that was being read; "" is the whole input.
  std::string detail;     ///< What was expected or found, for the message.
};

/// A value or an Error. Check it before `value()`:
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

/// The outcome of an operation that has nothing to return.
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
