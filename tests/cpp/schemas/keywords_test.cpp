// Tests which keywords each form of schema has, keyword by keyword.
#include "schemas/keywords.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "json/tape.h"

namespace strata::schemas {
namespace {

using gemini::Backend;
using Names = std::vector<std::string>;

// "Schema", https://ai.google.dev/api/caching#Schema. The Gemini API and Vertex AI have these.
const Names kSchemaFields = {
    "type",     "format",   "title",      "description",     "nullable",      "enum",
    "maxItems", "minItems", "properties", "required",        "minProperties", "maxProperties",
    "minimum",  "maximum",  "minLength",  "maxLength",       "pattern",       "example",
    "anyOf",    "items",    "default",    "propertyOrdering"};
// "Schema", https://cloud.google.com/vertex-ai/docs/reference/rest/v1/Schema.
const Names kVertexFields = {"additionalProperties", "ref", "defs"};
// `responseJsonSchema`, https://ai.google.dev/api/generate-content#GenerationConfig.
const Names kJsonSchemaKeywords = {"$id",
                                   "$defs",
                                   "$ref",
                                   "$anchor",
                                   "type",
                                   "format",
                                   "title",
                                   "enum",
                                   "description",
                                   "items",
                                   "minItems",
                                   "maxItems",
                                   "minimum",
                                   "maximum",
                                   "anyOf",
                                   "prefixItems",
                                   "oneOf",
                                   "required",
                                   "properties",
                                   "additionalProperties",
                                   "propertyOrdering"};
// "A Vocabulary for Basic Meta-Data Annotations", JSON Schema Validation 2020-12, section 9, and
// keywords of Google's Schema that describe values too. They limit nothing.
const Names kAnnotations = {"$schema",  "$comment",  "examples", "deprecated",
                            "readOnly", "writeOnly", "default",  "example"};
// Other keywords of JSON Schema 2020-12 and of its earlier drafts.
const Names kUndocumented = {"const",
                             "allOf",
                             "not",
                             "if",
                             "then",
                             "else",
                             "definitions",
                             "exclusiveMinimum",
                             "exclusiveMaximum",
                             "multipleOf",
                             "contains",
                             "patternProperties",
                             "propertyNames",
                             "dependentSchemas",
                             "additionalItems",
                             "unevaluatedProperties",
                             "unevaluatedItems"};

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool knows(const std::string& name, Form form, Backend backend) {
  const std::string quoted = "\"" + name + "\"";
  const Result<json::Tape> key = json::Tape::read(quoted);
  return isKnown(findKeyword(key.value().root(), form), form, backend);
}

TEST(SchemaKeywords, AreThoseOfTheDocuments) {
  for (const Names& names :
       {kSchemaFields, kVertexFields, kJsonSchemaKeywords, kAnnotations, kUndocumented}) {
    for (const std::string& name : names) {
      const bool isField = has(kSchemaFields, name);
      EXPECT_EQ(knows(name, Form::kGoogle, Backend::kGemini), isField) << name;
      EXPECT_EQ(knows(name, Form::kGoogle, Backend::kVertex), isField || has(kVertexFields, name))
          << name;
      const bool documented = has(kJsonSchemaKeywords, name) || has(kAnnotations, name);
      for (const Backend backend : {Backend::kGemini, Backend::kVertex}) {
        EXPECT_EQ(knows(name, Form::kJsonSchema, backend), documented) << name;
      }
    }
  }
}

}  // namespace
}  // namespace strata::schemas
