// Why this file exists: a signature is only good where it was made. What becomes of the others when
// a history moves to another model or service is the user's choice.
#pragma once

#include "history/import/import.h"

namespace strata::history {

/// Applies `mode` to the turns of `thread`, whose meta says who made them. What was done is added
/// to `notes`.
void treatForeignSignatures(Thread& thread, ForeignSignatures mode, rules::Findings& notes);

}  // namespace strata::history
