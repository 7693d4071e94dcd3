// Gives checked access to a value of a Tape.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/value.h"

namespace strata::json {

/// A handle to one value that a caller gave. It is valid as long as the Value that it refers to. A
/// default Given is absent. Every accessor returns an empty result for an absent value or a value
/// of another kind; none of them aborts.
class Given {
 public:
  Given() = default;
  Given(Value value) : value_(value) {}

  explicit operator bool() const { return static_cast<bool>(value_); }
  bool is(Kind kind) const { return *this && this->kind() == kind; }
  bool isBoolean() const { return is(Kind::kTrue) || is(Kind::kFalse); }
  /// Requires a present value.
  Kind kind() const { return value_.kind(); }

  /// Returns the text of a string.
  std::string text() const { return value_.text(); }
  /// Returns whether this is a string with the text `expected`.
  bool equals(std::string_view expected) const { return value_.equals(expected); }
  /// Returns a finite number.
  std::optional<double> number() const;

  /// Returns the number of elements or members.
  size_t size() const { return value_.size(); }
  /// Returns the value of the member `key`, or an absent value. Linear in the number of members.
  Given find(std::string_view key) const { return value_.find(key); }
  /// Returns the members of an object in their order.
  std::vector<std::pair<std::string, Given>> members() const;
  /// Returns the elements of an array.
  std::vector<Given> elements() const;

  /// Returns the value in the words of an error message: `5`, `"text"`, `an object`. A long text is
  /// cut.
  std::string described() const;
  Value value() const { return value_; }

 private:
  Value value_;
};

}  // namespace strata::json
