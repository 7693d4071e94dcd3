// Declares the fixes for bodies of the Interactions API. Like those of fixes.h, a fix never
// guesses.
#pragma once

#include <string>

#include "repair/fixes.h"

namespace strata::repair {

// The input and its fields.
Changes makeSteps(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes wrapContent(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes makeInstructionText(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes writeLowerCase(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes removeDataPrefix(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes dropEmptyText(const Snapshot& snapshot, const catalogue::Finding& finding);

// Calls and results.
Changes wrapResult(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes setCallId(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes setResultName(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes dropSameResult(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes moveResultsBehindCalls(const Snapshot& snapshot, const catalogue::Finding& finding);

// Thoughts. A placeholder is written only if `snapshot.placeholders` says so.
Changes moveThoughtFirst(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes signThought(const Snapshot& snapshot, const catalogue::Finding& finding);
Changes insertThought(const Snapshot& snapshot, const catalogue::Finding& finding);

/// Returns the pointer in the original body of what `path` names in the repaired one, which is
/// `root`. What is new has the pointer of the container that it stands in.
std::string originalPath(json::Value root, const std::string& path, const Revision& body,
                         json::Value original);

}  // namespace strata::repair
