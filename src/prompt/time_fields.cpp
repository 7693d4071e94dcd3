#include "prompt/time_fields.h"

#include <array>
#include <string_view>

#include "base/timestamp.h"

namespace strata::prompt {
namespace {

constexpr std::array<std::string_view, 7> kWeekdays = {"Thursday", "Friday",  "Saturday", "Sunday",
                                                       "Monday",   "Tuesday", "Wednesday"};
constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";

std::string_view weekdayOf(const UtcTime& time) {
  return kWeekdays[static_cast<size_t>((time.days % 7 + 7) % 7)];
}

}  // namespace

void writeTimeFields(json::Writer& out, int64_t milliseconds) {
  const UtcTime time(milliseconds);
  const size_t month = static_cast<size_t>(time.calendar.month - 1) * 3;
  const std::string_view weekday = weekdayOf(time);
  out.key("current_date").string(time.date());
  out.key("current_time").string(time.clock());
  out.key("current_datetime").string(formatTimestamp(milliseconds));
  out.key("day_of_week").string(weekday);
  std::string rfc1123(weekday.substr(0, 3));
  rfc1123 += ", " + padded(time.calendar.day) + " ";
  rfc1123.append(kMonths.substr(month, 3)).append(" " + padded(time.calendar.year, 4) + " ");
  out.key("date_rfc1123").string(rfc1123 + time.clock() + " UTC");
  out.key("date_unix").string(std::to_string(time.seconds));
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
