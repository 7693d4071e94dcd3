// Repairs the schemas of a request, and what its declarations and toolConfig say of each other.
#pragma once

#include <vector>

#include "repair/fixes.h"

namespace strata::repair {

/// The rewriting of a schema, and the findings about it that it repairs.
struct SchemaFix {
  Changes changes;
  catalogue::Findings repaired;
};

/// Returns whether a rewriting of the schema can repair this rule.
bool isSchemaRule(catalogue::Rule rule);

/// Appends the rewriting of each schema with an error.
void rewriteSchemas(json::Value request, const lint::LintContext& context,
                    std::vector<SchemaFix>& fixes);

}  // namespace strata::repair
