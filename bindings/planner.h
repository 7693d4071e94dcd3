// Declares the planner of explicit caches.
#pragma once

#include "core.h"

namespace strata::bindings {

/// Plans the cache of a request. Part 0: the tokens of the request, the outcome of the last one
/// and the planner's state. Replies the plan with the new state.
void planCache(Core& core);

}  // namespace strata::bindings
