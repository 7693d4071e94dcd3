// Why this file exists: the core has no clock; a time comes as RFC 3339 text and goes out in the
// forms that templates ask for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "json/writer.h"

namespace strata::prompt {

/// Milliseconds since 1970 in UTC of an RFC 3339 date and time ("2026-03-05T08:08:09.5+01:00");
/// finer parts of a second are dropped. Nothing for what is none.
std::optional<int64_t> readTimestamp(std::string_view text);

/// "2026-03-05T07:08:09Z".
std::string formatTimestamp(int64_t milliseconds);

/// The members of the namespace `system`, all of them text: current_date, current_time,
/// current_datetime, day_of_week, date_rfc1123, date_unix, date_unix_ms.
void writeTimeForms(json::Writer& out, int64_t milliseconds);

/// Whole seconds as Go writes a duration: 0s, 59s, 1m0s, 25h1m1s.
std::string formatDuration(int64_t seconds);

}  // namespace strata::prompt
