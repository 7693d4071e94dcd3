// Appends steps of the Interactions API to a thread: a turn for each run of them.
#pragma once

#include <string_view>

#include "thread/thread.h"

namespace strata::thread {

/// Returns whether a value is a list of steps.
bool isStepList(json::Value list);

/// Appends a list of steps, whose bytes the turns keep, see thread/turn_meta.h. Each turn gets
/// `meta`. Either all turns are appended or none: then the result has the findings about the first
/// one that is not accepted. Errors: that of `interactions::turnsOf`, and those of JSON for a
/// Content that is too deep; their paths begin with `/`, the index of the step. A step that is no
/// object with a `type` is `field.invalid`, and so are `tokens` of several turns.
Result<AppendResult> appendSteps(Thread& thread, json::Value steps, json::Value meta,
                                 Thread::Policy policy, const AppendOptions& options = {});

}  // namespace strata::thread
