// Defines template errors and their source positions. The template engine reports every error as a
// value; it never throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace strata::jinja {

/// The kind of a failure. Each kind groups the Python exceptions that Jinja2 raises in that place.
enum class ErrorKind : uint8_t {
  kSyntax,        ///< TemplateSyntaxError, TemplateAssertionError
  kUndefined,     ///< UndefinedError
  kNotFound,      ///< TemplateNotFound
  kRuntime,       ///< TypeError, ValueError, TemplateRuntimeError and the like
  kZeroDivision,  ///< ZeroDivisionError
  kSecurity,      ///< SecurityError
  kRecursion,     ///< RecursionError in Python; here a limit stops the template first
  kRaised,        ///< raise_exception() in the template, or a host function that failed
  kLimit,         ///< an exceeded limit, see Limit in budget.h
};

/// Returns the stable name of a kind: "syntax", "undefined", "not_found", ...
std::string_view nameOf(ErrorKind kind);

/// What a caller can do about a failure. The diagnostics catalogue has one rule per class.
enum class ErrorClass : uint8_t { kSyntax, kUndefined, kLimit, kRuntime };
ErrorClass classOf(ErrorKind kind);

/// Describes why a template could not be compiled or rendered. It owns its strings.
struct TemplateError {
  ErrorKind kind = ErrorKind::kRuntime;
  std::string message;       ///< Jinja2's message where Jinja2 has one.
  std::string templateName;  ///< Empty for an unnamed main template.
  uint32_t line = 0;         ///< Counted from 1; 0 if the error has no position.
  uint32_t column = 0;       ///< Counted from 1, in code points.
  size_t offset = 0;         ///< Byte offset into the original source of that template.
  std::string excerpt;       ///< The source line, without its line break.
};

/// Returns `pattern` with each {} replaced by the next argument.
std::string compose(const char* pattern, std::string_view first = {}, std::string_view second = {},
                    std::string_view third = {});

/// Holds a value or a TemplateError. `value()` requires success; `error()` requires a failure.
template <typename T>
class Expected {
 public:
  Expected(T value) : value_(std::move(value)) {}
  Expected(TemplateError error) : error_(std::make_unique<TemplateError>(std::move(error))) {}

  explicit operator bool() const { return error_ == nullptr; }
  T& value() { return *value_; }
  const T& value() const { return *value_; }
  TemplateError& error() { return *error_; }
  const TemplateError& error() const { return *error_; }

 private:
  std::optional<T> value_;
  std::unique_ptr<TemplateError> error_;
};

}  // namespace strata::jinja
