// Finds an API error in a JSON value, in each of the forms in which the API sends it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "json/value.h"
#include "json/writer.h"

namespace strata::stream {

/// A google.rpc.Status as the API sends it.
///
/// Source: googleapis/googleapis, google/rpc/status.proto and error_details.proto (RetryInfo).
struct ApiError {
  int64_t code = 0;  ///< The HTTP status code.
  std::string status;
  std::string message;
  std::string details;        ///< The JSON array as received, or "".
  int64_t retryAfterMs = -1;  ///< From RetryInfo, or -1.
};

/// Returns the error in `value`, or nothing. Accepts `{"error":{…}}`, also as the first element of
/// an array or inside another `error`.
std::optional<ApiError> findApiError(json::Value value);

/// Writes the members of an error, other than `details`.
void writeError(json::Writer& out, const ApiError& error);

/// Returns the milliseconds of a protobuf duration such as "34.4s", or of "900ms"; -1 if `text` is
/// neither.
///
/// Source: "ProtoJSON Format", https://protobuf.dev/programming-guides/json/. Milliseconds as in
/// Gemini CLI, packages/core/src/utils/googleQuotaErrors.ts.
int64_t durationMs(std::string_view text);

}  // namespace strata::stream
