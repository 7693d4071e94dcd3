// Merges fields that several chunks repeat: the last value wins, the first position stays.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_index.h"
#include "json/value.h"
#include "json/writer.h"

namespace strata::stream {

/// Returns whether a field has no value. Some services write null or "" into each chunk.
inline bool isUnset(json::Value value) {
  return value.isNull() || (value.isString() && value.raw().empty());
}

/// An ordered list of JSON fields. Complexity: O(log fields) for each look-up.
class FieldList {
 public:
  /// Sets a field and returns whether its value changed. `json` is its JSON text and is copied.
  bool set(std::string_view name, std::string_view json);
  bool set(json::Value name, json::Value json);
  /// Appends to a field that is a string, and returns whether it is one. `escaped` is the inside of
  /// a JSON string.
  bool appendText(std::string_view name, std::string_view escaped);
  /// Returns the JSON text of a field, or "". The view is valid until the next `set`.
  std::string_view get(std::string_view name) const;
  bool empty() const { return fields_.empty(); }
  /// Returns whether both have the same fields in the same order.
  bool operator==(const FieldList& other) const { return fields_ == other.fields_; }
  /// Writes all fields but these as members of the open object of `out`.
  void write(json::Writer& out, std::initializer_list<std::string_view> except = {}) const;

 private:
  struct Field {
    std::string name;
    std::string json;
    bool operator==(const Field&) const = default;
  };
  // Returns the position of a field, or -1.
  int32_t find(std::string_view name) const;

  std::vector<Field> fields_;
  TextIndex places_;  // empty as long as there are few fields
};

}  // namespace strata::stream
