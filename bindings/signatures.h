// Declares what the gateway's module does with signatures, apart from a request.
#pragma once

#include <string>
#include <vector>

#include "core.h"
#include "signatures/edit.h"
#include "signatures/sites.h"

namespace strata::bindings {

/// Finds the signatures of an answer. Part 0: its Content, part 1: {"chain":…}, parts 2 and 3: the
/// secrets of the scope and of the caller. Replies {"signatures":[…]}.
void answerSignatures(Core& core);

/// Returns the secrets in two parts: of the scope, and of the caller.
signatures::Secrets secretsIn(const Exchange& exchange, size_t part);
/// Returns {"chain":…,"keys":…}: what names the request, and the keys to look up, one after the
/// other.
std::string lookupReply(const signatures::Sites& found);
/// Returns {"sites":[…]}.
std::string sitesReply(const std::vector<signatures::Site>& sites);
/// Reads the option `edits`.
std::vector<signatures::SignatureEdit> readEdits(json::OptionsReader& options);

}  // namespace strata::bindings
