// Repairs the schemas of a request, and what its declarations and toolConfig say of each other.
#pragma once

#include "repair/fixes.h"
#include "repair/repair.h"

namespace strata::repair {

/// Returns whether a rewriting of the schema can repair this rule.
bool isSchemaRule(catalogue::Rule rule);

/// Appends the rewriting of each schema with an error.
void rewriteSchemas(json::Value request, const lint::LintContext& context,
                    std::vector<SchemaFix>& fixes);

}  // namespace strata::repair
