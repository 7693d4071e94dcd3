// Defines the return types of operations that can fail. The core is built without exceptions.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace strata {

/// Why an operation failed, and at which place of its input.
struct Error {
  std::string_view code;  ///< A code of the catalogue, such as "json.invalid"; static storage.
  size_t offset = 0;      ///< Byte offset into the input.
  std::string path;       ///< JSON Pointer (RFC 6901) of the value; "" is the whole input.
  std::string detail;     ///< What was expected or found; part of the message.
};

/// Success or an Error. `error()` requires that the Status is false. It is as large as a pointer,
/// and an Error is allocated only for a failure.
class Status {
 public:
  Status() = default;
  Status(Error error);

  explicit operator bool() const { return error_ == nullptr; }
  Error& error() { return *error_; }
  const Error& error() const { return *error_; }

 private:
  std::unique_ptr<Error> error_;
};

/// A value or an Error. `value()` requires that the Result is true, `error()` that it is false:
///
///     Result<Tape> tape = Tape::read(bytes);
///     if (!tape) return tape.error();
template <typename T>
class Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : status_(std::move(error)) {}
  /// Requires a Status that is false.
  Result(Status failed) : status_(std::move(failed)) {}

  explicit operator bool() const { return value_.has_value(); }
  T& value() { return *value_; }
  const T& value() const { return *value_; }
  Error& error() { return status_.error(); }
  const Error& error() const { return status_.error(); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace strata
