#include "prompt/timestamp.h"

#include <array>
#include <string_view>

#include "base/timestamp.h"

namespace strata::prompt {
namespace {

constexpr std::array<std::string_view, 7> kWeekdays = {"Thursday", "Friday",  "Saturday", "Sunday",
                                                       "Monday",   "Tuesday", "Wednesday"};
constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";

// Returns `value` with leading zeros up to `width` digits.
std::string padded(int64_t value, size_t width = 2) {
  std::string digits = std::to_string(value);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

// A time in UTC as date and second of the day.
struct UtcTime {
  explicit UtcTime(int64_t milliseconds) {
    const int64_t seconds = floorDivide(milliseconds, 1000);
    days = floorDivide(seconds, kSecondsPerDay);
    date = dateOf(days);
    secondOfDay = seconds - days * kSecondsPerDay;
  }

  std::string_view weekday() const { return kWeekdays[static_cast<size_t>((days % 7 + 7) % 7)]; }
  std::string calendarDate() const {
    return padded(date.year, 4) + "-" + padded(date.month) + "-" + padded(date.day);
  }
  std::string clock() const {
    return padded(secondOfDay / 3600) + ":" + padded(secondOfDay / 60 % 60) + ":" +
           padded(secondOfDay % 60);
  }

  int64_t days = 0;
  int64_t secondOfDay = 0;
  Date date;
};

}  // namespace

std::string formatTimestamp(int64_t milliseconds) {
  const UtcTime time(milliseconds);
  return time.calendarDate() + "T" + time.clock() + "Z";
}

void writeTimeFields(json::Writer& out, int64_t milliseconds) {
  const UtcTime time(milliseconds);
  const size_t month = static_cast<size_t>(time.date.month - 1) * 3;
  out.key("current_date").string(time.calendarDate());
  out.key("current_time").string(time.clock());
  out.key("current_datetime").string(formatTimestamp(milliseconds));
  out.key("day_of_week").string(time.weekday());
  std::string rfc1123(time.weekday().substr(0, 3));
  rfc1123 += ", " + padded(time.date.day) + " ";
  rfc1123.append(kMonths.substr(month, 3)).append(" " + padded(time.date.year, 4) + " ");
  out.key("date_rfc1123").string(rfc1123 + time.clock() + " UTC");
  out.key("date_unix").string(std::to_string(floorDivide(milliseconds, 1000)));
  out.key("date_unix_ms").string(std::to_string(milliseconds));
}

std::string formatDuration(int64_t seconds) {
  std::string out = seconds < 0 ? "-" : "";
  const int64_t magnitude = seconds < 0 ? -seconds : seconds;
  if (magnitude >= 3600) out += std::to_string(magnitude / 3600) + "h";
  if (magnitude >= 60) out += std::to_string(magnitude / 60 % 60) + "m";
  return out + std::to_string(magnitude % 60) + "s";
}

}  // namespace strata::prompt
