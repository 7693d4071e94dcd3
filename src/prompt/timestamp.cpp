#include "prompt/timestamp.h"

#include <array>

namespace strata::prompt {
namespace {

constexpr int64_t kDay = 86400;

constexpr std::array<std::string_view, 7> kDays = {"Thursday", "Friday",  "Saturday", "Sunday",
                                                   "Monday",   "Tuesday", "Wednesday"};
constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";

struct Date {
  int64_t year = 1970;
  int64_t month = 1;
  int64_t day = 1;
};

int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

bool isLeap(int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int64_t daysInMonth(int64_t year, int64_t month) {
  if (month == 2) return isLeap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Days since 1970 of the year's first one.
int64_t firstDayOf(int64_t year) {
  const int64_t before = year - 1;
  return 365 * (year - 1970) + floorDivide(before, 4) - floorDivide(before, 100) +
         floorDivide(before, 400) - 477;
}

int64_t daysOf(const Date& date) {
  int64_t days = firstDayOf(date.year) + date.day - 1;
  for (int64_t month = 1; month < date.month; ++month) days += daysInMonth(date.year, month);
  return days;
}

Date dateOf(int64_t days) {
  Date date;
  // A guess from the mean length of a year, then the right one near it.
  date.year = 1970 + floorDivide(days * 400, 146097);
  while (firstDayOf(date.year + 1) <= days) ++date.year;
  while (firstDayOf(date.year) > days) --date.year;
  date.day = days - firstDayOf(date.year) + 1;
  for (; date.day > daysInMonth(date.year, date.month); ++date.month) {
    date.day -= daysInMonth(date.year, date.month);
  }
  return date;
}

// Reads a time from its front.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : rest_(text) {}

  int64_t number(size_t digits, int64_t least, int64_t most) {
    int64_t value = 0;
    for (size_t i = 0; i < digits; ++i) value = value * 10 + digit();
    ok_ = ok_ && value >= least && value <= most;
    return value;
  }

  // One of the characters in `allowed`.
  char one(std::string_view allowed) {
    const bool there = !rest_.empty() && allowed.find(rest_.front()) != std::string_view::npos;
    ok_ = ok_ && there;
    if (!there) return 0;
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  int64_t fraction() {
    if (rest_.substr(0, 1) != ".") return 0;
    rest_.remove_prefix(1);
    int64_t scale = 100;
    int64_t value = digit() * scale;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      scale /= 10;
      value += digit() * scale;
    }
    return value;
  }

  // Seconds east of UTC.
  int64_t zone() {
    const char sign = one("Zz+-");
    if (sign != '+' && sign != '-') return 0;
    const int64_t hours = number(2, 0, 23);
    one(":");
    const int64_t seconds = hours * 3600 + number(2, 0, 59) * 60;
    return sign == '-' ? -seconds : seconds;
  }

  bool done() const { return ok_ && rest_.empty(); }
  bool ok() const { return ok_; }

 private:
  int64_t digit() { return one("0123456789") - '0'; }

  std::string_view rest_;
  bool ok_ = true;
};

// At least `width` digits.
std::string padded(int64_t value, size_t width = 2) {
  std::string digits = std::to_string(value);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

struct Moment {
  explicit Moment(int64_t milliseconds) {
    const int64_t seconds = floorDivide(milliseconds, 1000);
    days = floorDivide(seconds, kDay);
    date = dateOf(days);
    ofDay = seconds - days * kDay;
  }

  std::string_view weekday() const { return kDays[static_cast<size_t>((days % 7 + 7) % 7)]; }
  std::string calendarDate() const {
    return padded(date.year, 4) + "-" + padded(date.month) + "-" + padded(date.day);
  }
  std::string clock() const {
    return padded(ofDay / 3600) + ":" + padded(ofDay / 60 % 60) + ":" + padded(ofDay % 60);
  }

  int64_t days = 0;
  int64_t ofDay = 0;
  Date date;
};

}  // namespace

std::optional<int64_t> readTimestamp(std::string_view text) {
  TimeReader reader(text);
  Date date;
  date.year = reader.number(4, 0, 9999);
  reader.one("-");
  date.month = reader.number(2, 1, 12);
  reader.one("-");
  date.day = reader.number(2, 1, 31);
  if (!reader.ok() || date.day > daysInMonth(date.year, date.month)) return std::nullopt;
  reader.one("Tt ");
  int64_t seconds = daysOf(date) * kDay + reader.number(2, 0, 23) * 3600;
  reader.one(":");
  seconds += reader.number(2, 0, 59) * 60;
  reader.one(":");
  // 60 is a leap second.
  seconds += reader.number(2, 0, 60);
  const int64_t fraction = reader.fraction();
  seconds -= reader.zone();
  if (!reader.done()) return std::nullopt;
  return seconds * 1000 + fraction;
}

std::string formatTimestamp(int64_t milliseconds) {
  const Moment moment(milliseconds);
  return moment.calendarDate() + "T" + moment.clock() + "Z";
}

void writeTimeForms(json::Writer& out, int64_t milliseconds) {
  const Moment moment(milliseconds);
  const size_t month = static_cast<size_t>(moment.date.month - 1) * 3;
  out.key("current_date").string(moment.calendarDate());
  out.key("current_time").string(moment.clock());
  out.key("current_datetime").string(formatTimestamp(milliseconds));
  out.key("day_of_week").string(moment.weekday());
  std::string rfc1123(moment.weekday().substr(0, 3));
  rfc1123 += ", " + padded(moment.date.day) + " ";
  rfc1123.append(kMonths.substr(month, 3)).append(" " + padded(moment.date.year, 4) + " ");
  out.key("date_rfc1123").string(rfc1123 + moment.clock() + " UTC");
  out.key("date_unix").string(std::to_string(floorDivide(milliseconds, 1000)));
  out.key("date_unix_ms").string(std::to_string(milliseconds));
}

std::string formatDuration(int64_t seconds) {
  std::string out = seconds < 0 ? "-" : "";
  const int64_t left = seconds < 0 ? -seconds : seconds;
  if (left >= 3600) out += std::to_string(left / 3600) + "h";
  if (left >= 60) out += std::to_string(left / 60 % 60) + "m";
  return out + std::to_string(left % 60) + "s";
}

}  // namespace strata::prompt
