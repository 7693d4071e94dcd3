// Finds the schemas of a request.
#pragma once

#include <string>

#include "json/value.h"
#include "schemas/judge.h"

namespace strata::schemas {

/// A field of a request that holds a schema.
struct SchemaField {
  json::Value owner;  ///< The declaration or the generationConfig.
  json::Value key;    ///< In the spelling of the request.
  Subject subject;
};

/// Receives the functionDeclarations and the schemas of a request in their order.
class RequestVisitor {
 public:
  /// Visits `request`, which may be any JSON value. A repeated field may be a single object, as in
  /// ProtoJSON.
  void visit(json::Value request);

 protected:
  ~RequestVisitor() = default;

  virtual void declaration(json::Value, const std::string& path) = 0;
  virtual void field(const SchemaField& field) = 0;

 private:
  void visitList(json::Value owner, const std::string& path, std::string_view name);
  void visitFields(json::Value owner, const std::string& path);
};

/// Returns the name of the field that holds the same schema as JSON Schema, in the spelling of
/// `key`: parametersJsonSchema for parameters.
std::string jsonSchemaField(json::Value key);

}  // namespace strata::schemas
