// Finds the schemas of a request.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "schemas/judge.h"

namespace strata::schemas {

/// A field of a request that holds a schema.
struct SchemaField {
  json::Value owner;  ///< The declaration or the generationConfig.
  json::Value key;    ///< In the spelling of the request.
  Subject subject;
};

/// Appends the schemas of a functionDeclaration at `path`.
void appendDeclarationSchemas(json::Value declaration, const std::string& path,
                              std::vector<SchemaField>& fields);
/// Appends the schemas of a generationConfig at `path`.
void appendResponseSchemas(json::Value config, const std::string& path,
                           std::vector<SchemaField>& fields);

/// Returns the elements of a repeated field with their paths. ProtoJSON reads a single object as a
/// list of one.
struct Element {
  json::Value value;
  std::string path;
};
std::vector<Element> elementsOf(json::Value repeated, const std::string& path);

/// Returns all schemas of a request, and in `declarations`, if given, the functionDeclarations.
std::vector<SchemaField> schemaFields(json::Value request,
                                      std::vector<Element>* declarations = nullptr);

/// Returns the name of the other field for the same schema, in the spelling of `key`:
/// parametersJsonSchema for parameters.
std::string jsonSchemaField(json::Value key);

}  // namespace strata::schemas
