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
};

/// How a place is written.
enum class Notation : uint8_t {
  kPointer,    ///< A JSON Pointer: `/properties/city/anyOf/1`.
  kParser,     ///< Texts of the API's JSON parser: `.properties[2].value.any_of[1]`.
  kValidator,  ///< Texts of the API's validator: `.properties[city].any_of[1]`.
  kNames,      ///< Texts of Vertex AI: `.city`.
  kDotted,     ///< Texts about JSON Schema: `.properties.city.anyOf.1`.
};

/// Appends the steps from the root to `step`.
void appendPlace(std::string& place, const Step& step, Notation notation);

}  // namespace strata::schemas
