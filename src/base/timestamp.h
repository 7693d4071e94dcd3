// Parses RFC 3339 timestamps and computes dates. The core has no clock: the caller passes the
// current time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata {

inline constexpr int64_t kSecondsPerDay = 86400;

/// A day of the Gregorian calendar.
struct Date {
  int64_t year = 1970;
  int64_t month = 1;
  int64_t day = 1;
};

/// Returns a / b, rounded down. `b` must be positive.
constexpr int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Returns the date that is `days` days after 1970-01-01.
Date dateOf(int64_t days);

/// Parses an RFC 3339 date-time such as "2026-03-05T08:08:09.5+01:00"
/// (https://www.rfc-editor.org/rfc/rfc3339#section-5.6) into milliseconds since 1970 UTC. Digits
/// beyond milliseconds are dropped. Returns nullopt for any other text.
std::optional<int64_t> readTimestamp(std::string_view text);

}  // namespace strata
