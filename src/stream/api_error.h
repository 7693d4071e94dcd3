// Why this file exists: an error of the API can stand anywhere in an answer, in several wrappings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "json/value.h"

namespace strata::stream {

/// google.rpc.Status as the API writes it.
struct ApiError {
  int64_t code = 0;
  std::string status;
  std::string message;
  std::string details;        ///< The JSON array as it came, or "".
  int64_t retryAfterMs = -1;  ///< Of RetryInfo, or -1.
};

/// The error in `value`: `{"error":{…}}`, or the same in an array or in another `error`.
std::optional<ApiError> apiErrorIn(json::Value value);

/// Milliseconds of a protobuf duration such as "34.4s" (or "900ms"), or -1.
int64_t durationMs(std::string_view text);

}  // namespace strata::stream
