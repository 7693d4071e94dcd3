// Parses RFC 3339 timestamps and formats them for templates. The core has no clock: the caller
// passes the current time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "json/writer.h"

namespace strata::prompt {

/// Parses an RFC 3339 date-time such as "2026-03-05T08:08:09.5+01:00"
/// (https://www.rfc-editor.org/rfc/rfc3339#section-5.6) into milliseconds since 1970 UTC. Digits
/// beyond milliseconds are dropped. Returns nullopt for any other text.
std::optional<int64_t> readTimestamp(std::string_view text);

/// Returns the time in UTC without fractions of a second: "2026-03-05T07:08:09Z".
std::string formatTimestamp(int64_t milliseconds);

/// Appends the members of the namespace `system`, all strings, in UTC: current_date, current_time,
/// current_datetime, day_of_week, date_rfc1123, date_unix, date_unix_ms.
void writeTimeFields(json::Writer& out, int64_t milliseconds);

/// Returns whole seconds in the format of Go's Duration.String
/// (https://pkg.go.dev/time#Duration.String): 0s, 59s, 1m0s, 25h1m1s.
std::string formatDuration(int64_t seconds);

}  // namespace strata::prompt
