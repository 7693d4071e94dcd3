// Answers questions about a parsed Content: its text, its functionCalls, and whether it is blank.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "json/value.h"
#include "json/writer.h"

namespace strata::gemini {

/// Returns the texts of a Content that are not thoughts, joined, with their escapes unresolved: the
/// inside of a JSON string. Linear in the text.
std::string spokenText(json::Value content);

/// Returns whether a Content holds nothing but empty texts without a thoughtSignature. Stops at the
/// first Part that holds more.
bool isBlank(json::Value content);

/// Returns the functionCall of a Part in either spelling; absent if it is missing or null.
json::Value functionCallOf(json::Value part);

/// Returns a text that is the same only for the same id and name.
std::string keyOfCall(json::Value id, json::Value name);

/// Returns the functionCalls of Contents, in order, that none of these Contents answers: where
/// Google ran a call itself (server-side MCP), the response stands in a model Content. A response
/// answers the first open call before it with its id and name. O(n log n) for all Contents.
std::vector<json::Value> openCallsOf(std::span<const json::Value> contents);
inline std::vector<json::Value> openCallsOf(json::Value content) {
  return openCallsOf(std::span(&content, 1));
}

/// Writes the functionCalls that have a name as `[{"id":…,"name":…,"args":{…}}]`, in order, and
/// returns their number. A call without an id has no `id`; missing args are `{}`. Args keep their
/// bytes.
size_t writeCalls(json::Writer& out, const std::vector<json::Value>& calls);

}  // namespace strata::gemini
