#include "catalogue/service.h"

#include <algorithm>
#include <limits>

#include "base/timestamp.h"

namespace strata::catalogue {
namespace {

std::optional<Day> readDayOf(std::string_view timestamp) {
  const std::optional<int64_t> time = readTimestamp(timestamp);
  if (!time) return std::nullopt;
  const int64_t days = floorDivide(*time, kSecondsPerDay * 1000);
  return static_cast<Day>(std::clamp<int64_t>(days, 0, std::numeric_limits<Day>::max()));
}

}  // namespace

Day dayOf(std::string_view timestamp, Day otherwise) {
  return readDayOf(timestamp).value_or(otherwise);
}

std::string dayText(Day day) { return UtcTime(int64_t{day} * kSecondsPerDay * 1000).date(); }

void readDay(json::OptionsReader& options, std::string_view name, Day& into) {
  std::optional<std::string> text;
  options.string(name, text);
  if (!text) return;
  const std::optional<Day> day = readDayOf(*text);
  if (day)
    into = *day;
  else
    options.refuse(name, "an RFC 3339 timestamp");
}

void readService(json::OptionsReader& options, Service& into) {
  options.oneOf("backend", gemini::kBackendNames, into.backend);
  readDay(options, "now", into.day);
}

}  // namespace strata::catalogue
