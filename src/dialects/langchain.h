// Recognizes LangChain messages.
#pragma once

#include "json/value.h"

namespace strata::dialects {

/// Returns whether an entry of a history is a message that LangChain serialized.
bool isLangChainMessage(json::Value entry);

}  // namespace strata::dialects
