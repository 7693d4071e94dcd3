// Parses and formats RFC 3339 timestamps. The core has no clock: the caller passes the current
// time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata {

/// Parses an RFC 3339 date-time such as "2026-03-05T08:08:09.5+01:00"
/// (https://www.rfc-editor.org/rfc/rfc3339#section-5.6) into milliseconds since 1970 UTC. Digits
/// beyond milliseconds are dropped. Returns nullopt for any other text.
std::optional<int64_t> readTimestamp(std::string_view text);

/// A date of the proleptic Gregorian calendar. Months and days count from 1.
struct Date {
  int64_t year = 1970;
  int64_t month = 1;
  int64_t day = 1;
};

inline constexpr int64_t kSecondsPerDay = 86400;

/// Returns a / b, rounded down. `b` must be positive.
constexpr int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Returns the date that is `days` days after 1970-01-01.
Date dateOf(int64_t days);

/// A time in UTC as a date and the second of the day.
struct UtcTime {
  explicit UtcTime(int64_t milliseconds);

  std::string date() const;   ///< "2026-03-05"
  std::string clock() const;  ///< "07:08:09"

  int64_t seconds = 0;  ///< Since 1970, rounded down.
  int64_t days = 0;     ///< Since 1970-01-01, rounded down.
  int64_t secondOfDay = 0;
  Date calendar;
};

/// Returns the time in UTC without fractions of a second: "2026-03-05T07:08:09Z".
std::string formatTimestamp(int64_t milliseconds);

/// Returns `value`, which is not negative, with leading zeros up to `width` digits.
std::string padded(int64_t value, size_t width = 2);

}  // namespace strata
