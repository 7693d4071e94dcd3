// Gives checked access to a value of a Tape or of a Document.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/document.h"
#include "json/value.h"

namespace strata::json {

/// A handle to one value that a caller gave. It is valid as long as the Value, or the unchanged
/// Document, that it refers to. A default Given is absent. Every accessor returns an empty result
/// for an absent value or a value of another kind; none of them aborts.
class Given {
 public:
  Given() = default;
  Given(Value value) : value_(value) {}
  Given(const Document& document) : document_(&document) {}
  Given(Document&&) = delete;

  explicit operator bool() const { return value_ || document_ != nullptr; }
  bool is(Kind kind) const { return *this && this->kind() == kind; }
  bool isBoolean() const { return is(Kind::kTrue) || is(Kind::kFalse); }
  /// Requires a present value.
  Kind kind() const;

  /// Returns the text of a string.
  std::string text() const;
  /// Returns whether this is a string with the text `expected`.
  bool equals(std::string_view expected) const;
  /// Returns a finite number.
  std::optional<double> number() const;

  /// Returns the number of elements or members.
  size_t size() const;
  /// Returns the value of the member `key`, or an absent value. Linear in the number of members.
  Given find(std::string_view key) const;
  /// Returns the members of an object in their order.
  std::vector<std::pair<std::string, Given>> members() const;
  /// Returns the elements of an array.
  std::vector<Given> elements() const;

  /// Returns the value in the words of an error message: `5`, `"text"`, `an object`. A long text is
  /// cut.
  std::string described() const;
  /// Returns the value of the Tape; absent for a value of a Document.
  Value value() const { return value_; }
  /// Returns the value of the Document; nullptr for a value of a Tape.
  const Document* document() const { return document_; }

 private:
  Value value_;
  const Document* document_ = nullptr;
};

}  // namespace strata::json
