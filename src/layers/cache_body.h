// Why this file exists: what a CachedContent would hold is what a request with it leaves out.
#pragma once

#include "base/segments.h"
#include "layers/input.h"
#include "layers/request_plan.h"
#include "thread/thread.h"

namespace strata::layers {

/// The body of cachedContents.create for the plan; the caller adds ttl or expireTime.
void writeCacheBody(Segments& body, const thread::Thread& thread, const AssembleInput& input,
                    const Plan& plan, const TextLayers& texts);

}  // namespace strata::layers
