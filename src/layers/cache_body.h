// Writes the body that creates a CachedContent with what a request that uses it leaves out.
#pragma once

#include "base/segments.h"
#include "layers/input.h"
#include "layers/request_plan.h"
#include "thread/thread.h"

namespace strata::layers {

/// Appends the body of cachedContents.create for `plan` to `body`. The caller adds ttl or
/// expireTime. `body` borrows the history from `thread`; everything else is copied.
/// Source: https://ai.google.dev/gemini-api/docs/generate-content/caching.
void writeCacheBody(Segments& body, const thread::Thread& thread, const AssembleInput& input,
                    const Plan& plan, const TextLayers& texts);

}  // namespace strata::layers
