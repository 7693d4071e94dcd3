#include "schemas/keywords.h"

#include <array>
#include <string>

#include "base/ascii.h"
#include "gemini/content_view.h"

namespace strata::schemas {
namespace {

constexpr uint8_t kEverywhere = kGoogle | kDocumented;

// Ordered by frequency. The rows from "const" on belong to JSON Schema and are not documented for
// Gemini.
constexpr Keyword kKeywords[] = {
    {"type", kEverywhere, Holds::kOther, Word::kType},
    {"description", kEverywhere | kNote, Holds::kOther, Word::kOther, Takes::kText},
    {"properties", kEverywhere, Holds::kSchemaMap, Word::kProperties},
    {"required", kEverywhere, Holds::kOther, Word::kRequired, Takes::kTexts},
    {"enum", kEverywhere, Holds::kOther, Word::kEnum, Takes::kTexts},
    {"items", kEverywhere, Holds::kSchema, Word::kItems},
    {"title", kEverywhere | kNote, Holds::kOther, Word::kOther, Takes::kText},
    {"format", kEverywhere, Holds::kOther, Word::kFormat, Takes::kText},
    {"anyOf", kEverywhere, Holds::kSchemaList, Word::kAnyOf},
    {"nullable", kGoogle, Holds::kOther, Word::kOther, Takes::kFlag},
    {"default", kGoogle | kNote},
    {"minimum", kEverywhere, Holds::kOther, Word::kOther, Takes::kNumber},
    {"maximum", kEverywhere, Holds::kOther, Word::kOther, Takes::kNumber},
    {"minItems", kEverywhere, Holds::kOther, Word::kOther, Takes::kCount},
    {"maxItems", kEverywhere, Holds::kOther, Word::kMaxItems, Takes::kCount},
    {"propertyOrdering", kEverywhere, Holds::kOther, Word::kOther, Takes::kTexts},
    {"minLength", kGoogle, Holds::kOther, Word::kOther, Takes::kCount},
    {"maxLength", kGoogle, Holds::kOther, Word::kOther, Takes::kCount},
    {"pattern", kGoogle, Holds::kOther, Word::kOther, Takes::kText},
    {"minProperties", kGoogle, Holds::kOther, Word::kOther, Takes::kCount},
    {"maxProperties", kGoogle, Holds::kOther, Word::kOther, Takes::kCount},
    {"example", kGoogle | kNote},
    {"additionalProperties", kVertexAi | kDocumented, Holds::kSchema, Word::kAdditionalProperties},
    {"ref", kVertexAi, Holds::kOther, Word::kRef, Takes::kText},
    {"defs", kVertexAi, Holds::kSchemaMap},
    {"$ref", kDocumented, Holds::kOther, Word::kRef},
    {"$defs", kDocumented, Holds::kSchemaMap},
    {"prefixItems", kDocumented, Holds::kSchemaList},
    {"oneOf", kDocumented, Holds::kSchemaList},
    {"$id", kDocumented | kNote},
    {"$anchor", kDocumented | kNote},
    {"$schema", kNote},
    {"$comment", kNote},
    {"examples", kNote},
    {"deprecated", kNote},
    {"readOnly", kNote},
    {"writeOnly", kNote},
    {"const", 0},
    {"allOf", 0, Holds::kSchemaList},
    {"not", 0, Holds::kSchema},
    {"if", 0, Holds::kSchema},
    {"then", 0, Holds::kSchema},
    {"else", 0, Holds::kSchema},
    {"definitions", 0, Holds::kSchemaMap},
    {"exclusiveMinimum", 0},
    {"exclusiveMaximum", 0},
    {"multipleOf", 0},
    {"contains", 0, Holds::kSchema},
    {"patternProperties", 0, Holds::kSchemaMap, Word::kAdditionalProperties},
    {"propertyNames", 0, Holds::kSchema},
    {"dependentSchemas", 0, Holds::kSchemaMap},
    {"additionalItems", 0, Holds::kSchema},
    {"unevaluatedProperties", 0, Holds::kSchema},
    {"unevaluatedItems", 0, Holds::kSchema},
};

// In the order of `Type` and of the protobuf enum, both from 1 on.
constexpr std::array<std::string_view, 7> kTypes = {"string", "number", "integer", "boolean",
                                                    "array",  "object", "null"};

}  // namespace

const Keyword* findKeyword(std::string_view name) {
  for (const Keyword& keyword : kKeywords) {
    if (name == keyword.name) return &keyword;
  }
  return nullptr;
}

const Keyword* findKeyword(json::Value key, Form form) {
  const std::string_view raw = key.raw();
  if (const Keyword* keyword = findKeyword(raw)) return keyword;
  const bool otherSpelling = raw.find('_') != raw.npos && form == Form::kGoogle;
  if (!otherSpelling && !key.hasEscapes()) return nullptr;
  for (const Keyword& keyword : kKeywords) {
    const bool same = otherSpelling ? gemini::isField(key, keyword.name) : key.equals(keyword.name);
    if (same) return &keyword;
  }
  return nullptr;
}

bool isKnown(const Keyword* keyword, Form form, gemini::Backend backend) {
  if (keyword == nullptr) return false;
  if (form == Form::kJsonSchema) return (keyword->known & (kDocumented | kNote)) != 0;
  return (keyword->known & (backend == gemini::Backend::kGemini ? kGeminiApi : kVertexAi)) != 0;
}

Type typeNamed(std::string_view name) {
  const std::string lowerCase = ascii::lowerCase(name);
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (lowerCase == kTypes[i]) return static_cast<Type>(i + 1);
  }
  return Type::kInvalid;
}

Type typeOf(json::Value value, Form form) {
  if (!value || value.isNull()) return Type::kMissing;
  if (value.isArray()) return Type::kList;
  if (value.isNumber() && form == Form::kGoogle) {
    const int64_t number = value.integer(-1);
    if (number == 0) return Type::kMissing;
    const bool valid = number > 0 && number <= static_cast<int64_t>(kTypes.size());
    return valid ? static_cast<Type>(number) : Type::kInvalid;
  }
  if (value.equals("TYPE_UNSPECIFIED")) return Type::kMissing;
  const std::string_view name = value.raw();
  const Type type = typeNamed(name);
  // Names are in upper or in lower case.
  const bool mixed = name.size() > 1 && ascii::isUpper(name[0]) != ascii::isUpper(name[1]);
  return mixed ? Type::kInvalid : type;
}

std::string_view typeName(Type type) {
  const auto index = static_cast<size_t>(type);
  return index >= 1 && index <= kTypes.size() ? kTypes[index - 1] : std::string_view();
}

}  // namespace strata::schemas
