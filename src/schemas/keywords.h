// Lists the keywords of schemas, and which form of schema knows each on which service.
// Sources: googleapis/googleapis, google/ai/generativelanguage/v1beta/content.proto and
// google/cloud/aiplatform/v1/openapi.proto;
// https://ai.google.dev/gemini-api/docs/structured-output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gemini/backend.h"
#include "json/value.h"

namespace strata::schemas {

/// The two forms of a schema. `parameters`, `response` and `responseSchema` hold Google's Schema, a
/// subset of OpenAPI 3.0. `parametersJsonSchema` and `responseJsonSchema` hold JSON Schema.
enum class Form : uint8_t { kGoogle, kJsonSchema };

/// The value of a keyword: what the judge must look into.
enum class Holds : uint8_t { kOther, kSchema, kSchemaList, kSchemaMap };

/// The type of a keyword's value in Google's Schema, apart from what Holds and Word say.
enum class Takes : uint8_t { kAny, kText, kFlag, kNumber, kCount, kTexts };

/// The keywords that rules are about.
enum class Word : uint8_t {
  kOther,
  kType,
  kFormat,
  kEnum,
  kProperties,
  kRequired,
  kItems,
  kMaxItems,
  kAnyOf,
  kAdditionalProperties,
  kRef,
};
inline constexpr size_t kWordCount = 11;

struct Keyword {
  std::string_view name;
  uint8_t known;  ///< The bits of `Known`.
  Holds holds = Holds::kOther;
  Word word = Word::kOther;
  Takes takes = Takes::kAny;

  /// Returns whether the keyword holds schemas for references.
  bool isDefinitions() const { return name.ends_with("defs") || name == "definitions"; }
};

/// Who knows a keyword.
enum Known : uint8_t {
  kGeminiApi = 1,  ///< Google's Schema on the Gemini API.
  kVertexAi = 2,   ///< Google's Schema on Vertex AI.
  kGoogle = kGeminiApi | kVertexAi,
  kDocumented = 4,  ///< The documented part of JSON Schema.
  kNote = 8,        ///< It describes values and limits none.
};

/// Returns the row of a keyword, or nullptr for a name that no form of schema has. In Google's
/// Schema, names may be in snake_case.
const Keyword* findKeyword(json::Value key, Form form);
/// Does the same for a name in its usual spelling.
const Keyword* findKeyword(std::string_view name);

/// Returns whether the form of schema has the keyword on this service. Every form has the notes of
/// JSON Schema, apart from Google's Schema.
bool isKnown(const Keyword* keyword, Form form, gemini::Backend backend);

/// The type of a schema.
enum class Type : uint8_t {
  kMissing,
  kString,
  kNumber,
  kInteger,
  kBoolean,
  kArray,
  kObject,
  kNull,
  kList,     ///< A list of types.
  kInvalid,  ///< Not the name of a type.
};

/// Returns the type that `value` names, in upper or lower case. Google's Schema also takes the
/// numbers of the protobuf enum.
Type typeOf(json::Value value, Form form);
/// Returns the type with this name, in any case.
Type typeNamed(std::string_view name);
/// Returns the name in lower case; "" for kMissing, kList and kInvalid.
std::string_view typeName(Type type);

}  // namespace strata::schemas
