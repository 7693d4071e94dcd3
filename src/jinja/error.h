// Why this file exists: everything that can go wrong with a template, told with the place where it
// did. Nothing in this room throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace strata::jinja {

/// What kind of failure; each stands for the Python exceptions that Jinja2 raises there.
enum class ErrorKind : uint8_t {
  kSyntax,        ///< TemplateSyntaxError, TemplateAssertionError
  kUndefined,     ///< UndefinedError
  kNotFound,      ///< TemplateNotFound
  kRuntime,       ///< TypeError, ValueError, TemplateRuntimeError and the like
  kZeroDivision,  ///< ZeroDivisionError
  kSecurity,      ///< SecurityError
  kRecursion,     ///< RecursionError; here such a template meets a limit
  kRaised,        ///< raise_exception() of the template, or a host function that failed
  kLimit,         ///< a counted limit, see Limit in budget.h
};

/// "syntax", "undefined", "not_found", ...
std::string_view nameOf(ErrorKind kind);

/// What a caller can do about a failure: the catalogue has a rule for each.
enum class ErrorClass : uint8_t { kSyntax, kUndefined, kLimit, kRuntime };
ErrorClass classOf(ErrorKind kind);

/// A template that could not be read or rendered.
struct TemplateError {
  ErrorKind kind = ErrorKind::kRuntime;
  std::string message;       ///< In Jinja2's words where it has some.
  std::string templateName;  ///< "" is the main template.
  uint32_t line = 0;         ///< From 1; 0 where there is none.
  uint32_t column = 0;       ///< From 1, in code points.
  size_t offset = 0;         ///< Byte offset into the source of that template.
  std::string excerpt;       ///< The line of the source, without its line break.
};

/// `pattern` with each {} replaced by the next argument.
std::string compose(const char* pattern, std::string_view first = {}, std::string_view second = {},
                    std::string_view third = {});

/// A value or a TemplateError.
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
