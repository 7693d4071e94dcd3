// Why this file exists: the core throws nothing. An operation that can fail returns Result<T>: its
// value, or the Error that says what is wrong and where.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::make_unique<Error>(std::move(error))) {}

  explicit operator bool() const { return error_ == nullptr; }
  T& value() { return *value_; }
  const T& value() const { return *value_; }
  Error& error() { return *error_; }
  const Error& error() const { return *error_; }

 private:
  std::optional<T> value_;
  std::unique_ptr<Error> error_;  // apart, so that a Result is hardly larger than its value
};

/// The outcome of an operation that has nothing to return.
class Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::make_unique<Error>(std::move(error))) {}

  explicit operator bool() const { return error_ == nullptr; }
  Error& error() { return *error_; }
  const Error& error() const { return *error_; }

 private:
  std::unique_ptr<Error> error_;
};

}  // namespace strata
