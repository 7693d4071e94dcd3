// Converts single content blocks of LangChain messages to Parts.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::dialects {

/// Returns the first member that is a string of those in `names`, which each end with a space, or
/// an absent Value.
json::Value firstText(json::Value object, std::string_view names);

/// Returns the JSON of a value without LangChain's escapes: it wraps each object that has a key
/// `lc` in `{"__lc_escaped__":…}`.
std::string unescaped(json::Value value);

// Each of these returns a Part as a JSON object without a signature, or "" for other blocks.

/// Converts a block into which @langchain/google copied the fields of a Part, except for calls.
std::string copiedPart(json::Value block);

/// Converts a file: an image, audio, video or document in the forms of LangChain 1, of older
/// versions, of Anthropic and of OpenAI. Files that another service stores are other blocks.
std::string filePart(json::Value block, bool thought);

/// Converts code that Google ran, and its result, in the forms of langchain-google-genai.
std::string codePart(json::Value block);

}  // namespace strata::dialects
