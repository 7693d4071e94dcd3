// Declares the functions of the class Core that find and edit signatures.
#pragma once

#include "core.h"

namespace strata::bindings {

/// Finds the places of signatures. Part 0: the body, parts 1 and 2: the secrets of the scope and of
/// the caller. Replies {"sites":[…],"chain":…}.
void sites(Core& core);
/// Finds the signatures of an answer. Part 0: its Content, part 1: {"chain":…}, parts 2 and 3: the
/// secrets. Replies {"signatures":[…]}.
void answerSignatures(Core& core);
/// Sets and removes signatures. Part 0: the body, part 1: {"edits":[…]}. Replies {} and the body.
void editSignatures(Core& core);

}  // namespace strata::bindings
