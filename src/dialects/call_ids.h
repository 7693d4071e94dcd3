// Makes ids of tool calls that every client of OpenAI's dialect accepts: `^[a-zA-Z0-9_-]{1,40}$`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strata::dialects {

/// Returns whether every client accepts `id`.
bool isPortableCallId(std::string_view id);

/// Returns an id for the call `number` of the answer `answerId`, to which Google gave none. The
/// same answer gets the same ids again.
std::string makeCallId(std::string_view answerId, size_t number);

/// Returns whether `id` is one of `makeCallId`, so that the call has no id in Contents.
bool isMadeCallId(std::string_view id);

/// Returns a portable id in place of one that clients may refuse.
std::string shortCallId(std::string_view id);

}  // namespace strata::dialects
