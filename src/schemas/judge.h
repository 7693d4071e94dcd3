// Judges one schema of a tool or of the response by the rules of its form.
#pragma once

#include <string>

#include "catalogue/finding.h"
#include "json/value.h"
#include "schemas/keywords.h"

namespace strata::schemas {

/// What a schema is for.
enum class Use : uint8_t { kArguments, kResult, kResponse };

/// A schema and the field that holds it.
struct Subject {
  json::Value schema;
  Form form = Form::kGoogle;
  Use use = Use::kArguments;
  std::string path = {};      ///< The JSON Pointer of the schema; findings are below it.
  std::string function = {};  ///< The name of the declared function; "" for the response.
};

/// Appends the findings about a schema for this model and service. Linear in the schema, apart from
/// references, which are looked up one by one.
void judge(const Subject& subject, const catalogue::Target& target, catalogue::Findings& findings);

}  // namespace strata::schemas
