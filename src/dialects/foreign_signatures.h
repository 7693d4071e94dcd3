// Why this file exists: a signature is only good where it was made. What becomes of the others when
// a history moves to another model or service is the user's choice.
#pragma once

#include "dialects/import.h"

namespace strata::dialects {

/// Applies `mode` to the turns of `thread`, whose meta says who made them. What was done is added
/// to `notes`.
void treatForeignSignatures(thread::Thread& thread, ForeignSignatures mode,
                            catalogue::Findings& notes);

}  // namespace strata::dialects
