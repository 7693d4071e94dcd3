// Validates the body of a request to the Interactions API: its fields, its steps and their order.
#pragma once

#include "json/value.h"
#include "lint/lint.h"

namespace strata::lint {

/// Returns all findings about a body of `POST /v1beta/interactions`, which is an object: those
/// about its fields, then those about each step, then those about the order of the steps. The model
/// is that of the body, or else `context.model`. `bytes` is the size of the body, and `findings` an
/// empty list that says which are kept. O(n log n) in the size of the body.
catalogue::Findings lintInteraction(json::Value body, size_t bytes, const LintContext& context,
                                    catalogue::Findings findings = {});

/// Returns the one finding about a body of another API than Google's.
catalogue::Findings otherApiFinding(interactions::Wire wire, catalogue::Findings findings = {});

}  // namespace strata::lint
