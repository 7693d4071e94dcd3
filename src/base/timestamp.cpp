#include "base/timestamp.h"

#include "base/ascii.h"

namespace strata {
namespace {

bool isLeap(int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int64_t daysInMonth(int64_t year, int64_t month) {
  if (month == 2) return isLeap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Returns the number of days from 1970-01-01 to January 1 of `year`.
int64_t firstDayOfYear(int64_t year) {
  const int64_t before = year - 1;
  return 365 * (year - 1970) + floorDivide(before, 4) - floorDivide(before, 100) +
         floorDivide(before, 400) - 477;
}

int64_t daysSinceEpoch(const Date& date) {
  int64_t days = firstDayOfYear(date.year) + date.day - 1;
  for (int64_t month = 1; month < date.month; ++month) days += daysInMonth(date.year, month);
  return days;
}

// Parses a timestamp from front to back. After an error the reader stays in the failed state.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : rest_(text) {}

  int64_t number(size_t digits, int64_t min, int64_t max) {
    int64_t value = 0;
    for (size_t i = 0; i < digits; ++i) value = value * 10 + digit();
    ok_ = ok_ && value >= min && value <= max;
    return value;
  }

  // Consumes one of the characters in `allowed` and returns it, or fails.
  char oneOf(std::string_view allowed) {
    const bool matches = !rest_.empty() && allowed.find(rest_.front()) != std::string_view::npos;
    ok_ = ok_ && matches;
    if (!matches) return 0;
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  int64_t fraction() {
    if (rest_.substr(0, 1) != ".") return 0;
    rest_.remove_prefix(1);
    int64_t scale = 100;
    int64_t value = digit() * scale;
    while (!rest_.empty() && ascii::isDigit(rest_.front())) {
      scale /= 10;
      value += digit() * scale;
    }
    return value;
  }

  // Reads the UTC offset and returns it in seconds, positive east of UTC.
  int64_t utcOffset() {
    const char sign = oneOf("Zz+-");
    if (sign != '+' && sign != '-') return 0;
    const int64_t hours = number(2, 0, 23);
    oneOf(":");
    const int64_t seconds = hours * 3600 + number(2, 0, 59) * 60;
    return sign == '-' ? -seconds : seconds;
  }

  bool done() const { return ok_ && rest_.empty(); }
  bool ok() const { return ok_; }

 private:
  int64_t digit() { return oneOf("0123456789") - '0'; }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace

Date dateOf(int64_t days) {
  Date date;
  // Estimates the year from the mean length of a year, then corrects it.
  date.year = 1970 + floorDivide(days * 400, 146097);
  while (firstDayOfYear(date.year + 1) <= days) ++date.year;
  while (firstDayOfYear(date.year) > days) --date.year;
  date.day = days - firstDayOfYear(date.year) + 1;
  for (; date.day > daysInMonth(date.year, date.month); ++date.month) {
    date.day -= daysInMonth(date.year, date.month);
  }
  return date;
}

std::optional<int64_t> readTimestamp(std::string_view text) {
  TimeReader reader(text);
  Date date;
  date.year = reader.number(4, 0, 9999);
  reader.oneOf("-");
  date.month = reader.number(2, 1, 12);
  reader.oneOf("-");
  date.day = reader.number(2, 1, 31);
  if (!reader.ok() || date.day > daysInMonth(date.year, date.month)) return std::nullopt;
  reader.oneOf("Tt ");
  int64_t seconds = daysSinceEpoch(date) * kSecondsPerDay + reader.number(2, 0, 23) * 3600;
  reader.oneOf(":");
  seconds += reader.number(2, 0, 59) * 60;
  reader.oneOf(":");
  // RFC 3339 allows 60 for a leap second.
  seconds += reader.number(2, 0, 60);
  const int64_t fraction = reader.fraction();
  seconds -= reader.utcOffset();
  if (!reader.done()) return std::nullopt;
  return seconds * 1000 + fraction;
}

UtcTime::UtcTime(int64_t milliseconds)
    : seconds(floorDivide(milliseconds, 1000)),
      days(floorDivide(seconds, kSecondsPerDay)),
      secondOfDay(seconds - days * kSecondsPerDay),
      calendar(dateOf(days)) {}

std::string UtcTime::date() const {
  return padded(calendar.year, 4) + "-" + padded(calendar.month) + "-" + padded(calendar.day);
}

std::string UtcTime::clock() const {
  return padded(secondOfDay / 3600) + ":" + padded(secondOfDay / 60 % 60) + ":" +
         padded(secondOfDay % 60);
}

std::string formatTimestamp(int64_t milliseconds) {
  const UtcTime time(milliseconds);
  return time.date() + "T" + time.clock() + "Z";
}

std::string padded(int64_t value, size_t width) {
  std::string digits = std::to_string(value);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

}  // namespace strata
