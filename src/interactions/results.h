// Converts the arguments of calls, and the results of functions: an object on generateContent; an
// object, a text, or a list of texts and images on the Interactions API.
//
//     {"result":"text"}              ↔ "text"
//     {"result":[Content…]}          ↔ [Content…]
//     {"error":…}                    ↔ …, with is_error
//     {…} and parts                  ↔ [{"type":"text","text":"{…}"}, images…]
//     {…}                            ↔ {…}
#pragma once

#include <string>

#include "interactions/convert.h"
#include "json/value.h"

namespace strata::interactions {

/// Returns the object with the arguments of a call. A text that holds one, as OpenAI writes it, is
/// read; anything else is reported and becomes {}.
std::string argumentsOf(json::Value given, const std::string& path, Losses& losses);

/// A function_result's `result` and `is_error`.
struct StepResult {
  std::string result;
  bool isError = false;
};

/// Returns the result for a `response` and the `parts` of a functionResponse; both may be absent.
StepResult stepResultOf(json::Value response, json::Value parts, const std::string& path,
                        Losses& losses);

/// A functionResponse's `response`, and the elements of its `parts`, or "".
struct Response {
  std::string response;
  std::string parts;
};

/// Returns the response for a `result`, which may be absent.
Response responseOf(json::Value result, bool isError, const std::string& path, Losses& losses);

}  // namespace strata::interactions
