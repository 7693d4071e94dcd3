// Repairs the schemas of a request, and what its declarations and toolConfig say of each other.
#pragma once

#include "repair/fixes.h"

namespace strata::repair {

/// Returns whether a rewriting of the schema can repair this rule.
bool isSchemaRule(catalogue::Rule rule);

/// Appends to `edits` the rewriting of each schema with an error, and to `repaired` the findings
/// that it repairs.
void rewriteSchemas(json::Value request, const lint::LintContext& context, Edits& edits,
                    catalogue::Findings& repaired);

}  // namespace strata::repair
