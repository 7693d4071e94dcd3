// Formats times for templates.
#pragma once

#include <cstdint>
#include <string>

#include "json/writer.h"

namespace strata::prompt {

/// Returns the time in UTC without fractions of a second: "2026-03-05T07:08:09Z".
std::string formatTimestamp(int64_t milliseconds);

/// Appends the members of the namespace `system`, all strings, in UTC: current_date, current_time,
/// current_datetime, day_of_week, date_rfc1123, date_unix, date_unix_ms.
void writeTimeFields(json::Writer& out, int64_t milliseconds);

/// Returns whole seconds in the format of Go's Duration.String
/// (https://pkg.go.dev/time#Duration.String): 0s, 59s, 1m0s, 25h1m1s.
std::string formatDuration(int64_t seconds);

}  // namespace strata::prompt
