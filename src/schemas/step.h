// Names a place inside a schema, as a JSON Pointer and in the notations of Google's error texts.
#pragma once

#include <cstdint>
#include <string>

#include "json/value.h"

namespace strata::schemas {

/// One step from the root of a schema to a value in it: a keyword, a named schema such as a
/// property, or an element of a list. Steps are linked from the value to the root, whose `parent`
/// is null and whose other members are unset. Parents must outlive their steps.
struct Step {
  const Step* parent = nullptr;
  json::Value key = {};  ///< The keyword or the name; absent for an element.
  int32_t index = -1;    ///< The position of an element or of a named schema; -1 for a keyword.

  bool isRoot() const { return parent == nullptr; }
  bool isName() const { return key && index >= 0; }
};

/// Appends the JSON Pointer of the step to that of the root.
void appendPointer(std::string& pointer, const Step& step);

/// Appends the step to Google's notation of the root. Texts of the JSON parser number the
/// properties (`properties[2].value`), texts of the validator name them (`properties[city]`).
enum class Notation : uint8_t { kParser, kValidator };
void appendGoogle(std::string& place, const Step& step, Notation notation);

/// Appends the names of the properties on the way, as texts of Vertex AI do: `.address.city`.
void appendNames(std::string& place, const Step& step);

/// Returns the path in the notation that texts about JSON Schema use: `properties.city.anyOf.1`.
std::string dotted(const Step& step);

}  // namespace strata::schemas
