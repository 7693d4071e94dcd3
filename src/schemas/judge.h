// Judges one schema of a tool or of the response by the rules of its form.
#pragma once

#include <string_view>

#include "catalogue/finding.h"
#include "json/value.h"
#include "schemas/keywords.h"

namespace strata::schemas {

/// What a schema is for.
enum class Use : uint8_t { kArguments, kResult, kResponse };

/// A schema and the field that holds it. What it refers to must outlive it.
struct Subject {
  json::Value schema;
  Form form = Form::kGoogle;
  Use use = Use::kArguments;
  std::string_view path = {};  ///< The JSON Pointer of the schema; findings are below it.
  json::Value function = {};   ///< The name of the declared function; absent for the response.
  bool everyKeyword = false;   ///< Whether to report each ignored keyword wherever it stands.
};

/// Appends the findings about a schema for this model and service. Linear in the schema, apart from
/// references, which are looked up one by one.
void judge(const Subject& subject, const catalogue::Target& target, catalogue::Findings& findings);

}  // namespace strata::schemas
