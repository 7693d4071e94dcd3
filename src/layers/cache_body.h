// Why this file exists: what a CachedContent would hold is what a request with it leaves out.
#pragma once

#include "history/thread.h"
#include "json/segments.h"
#include "layers/input.h"
#include "layers/plan.h"

namespace strata::layers {

/// The body of cachedContents.create for the plan; the caller adds ttl or expireTime.
void writeCacheBody(json::Segments& body, const history::Thread& thread, const AssembleInput& input,
                    const Plan& plan, const Texts& texts);

}  // namespace strata::layers
