#include "jinja/strftime.h"

#include <array>
#include <cstdint>
#include <string>

#include "json/number.h"

namespace strata::jinja {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};
constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};

struct DateTime {
  int year = 0;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::string_view fraction;  // digits after the decimal point
  std::string_view zone;      // "+02:00", "Z" or empty
};

int digitsAt(std::string_view text, size_t at, size_t count) {
  int value = 0;
  for (size_t i = at; i < at + count; ++i) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

// Parses 2026-11-21, optionally followed by T10:00, :05, .123, and Z or +02:00.
bool readDateTime(std::string_view text, DateTime& out) {
  out.year = digitsAt(text, 0, 4);
  out.month = digitsAt(text, 5, 2);
  out.day = digitsAt(text, 8, 2);
  if (out.year < 0 || out.month < 1 || out.month > 12 || out.day < 1 || out.day > 31) return false;
  if (text.size() == 10) return true;
  out.hour = digitsAt(text, 11, 2);
  out.minute = digitsAt(text, 14, 2);
  if (out.hour < 0 || out.hour > 23 || out.minute < 0 || out.minute > 59) return false;
  size_t at = 16;
  if (at < text.size() && text[at] == ':') {
    out.second = digitsAt(text, at + 1, 2);
    if (out.second < 0) return false;
    at += 3;
  }
  if (at < text.size() && text[at] == '.') {
    const size_t end = text.find_first_not_of("0123456789", at + 1);
    out.fraction = text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    at = end;
  }
  if (at < text.size()) out.zone = text.substr(at);
  return true;
}

bool isLeap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int dayOfYear(const DateTime& when) {
  constexpr std::array<int, 12> kBefore = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  const int leap = when.month > 2 && isLeap(when.year) ? 1 : 0;
  return kBefore[static_cast<size_t>(when.month - 1)] + leap + when.day;
}

// Returns the day of the week; 0 is Sunday.
int dayOfWeek(const DateTime& when) {
  const int before = when.year - 1;
  return (before + before / 4 - before / 100 + before / 400 + dayOfYear(when)) % 7;
}

// Returns the number of the week in the year. Week 0 belongs to the previous year, and week 53 may
// belong to the next year.
int weekOfYear(const DateTime& when) {
  const int weekday = (dayOfWeek(when) + 6) % 7;
  return (dayOfYear(when) - 1 - weekday + 10) / 7;
}

int isoWeek(const DateTime& when) {
  const int week = weekOfYear(when);
  DateTime last = when;
  last.month = 12;
  last.day = 28;  // always in the last week of its year
  if (week >= 1) return week > weekOfYear(last) ? 1 : week;
  last.year -= 1;
  return weekOfYear(last);
}

class Formatter {
 public:
  Formatter(const DateTime& when, std::string& out) : when_(when), out_(out) {}

  void format(std::string_view text) {
    for (size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '%' || at + 1 == text.size()) {
        out_ += text[at];
        continue;
      }
      padded_ = text[at + 1] != '-' || at + 2 == text.size();
      at += padded_ ? 1 : 2;
      if (!date(text[at]) && !time(text[at])) (out_ += '%') += text[at];
    }
  }

 private:
  bool date(char c) {
    const auto weekday = static_cast<size_t>(dayOfWeek(when_));
    const auto month = static_cast<size_t>(when_.month - 1);
    switch (c) {
      case 'Y':
        return number(when_.year, 4);
      case 'y':
        return number(when_.year % 100, 2);
      case 'm':
        return number(when_.month, 2);
      case 'd':
        return number(when_.day, 2);
      case 'e':
        return number(when_.day, 2, ' ');
      case 'j':
        return number(dayOfYear(when_), 3);
      case 'B':
        return word(kMonths[month]);
      case 'b':
      case 'h':
        return word(kMonths[month].substr(0, 3));
      case 'A':
        return word(kDays[weekday]);
      case 'a':
        return word(kDays[weekday].substr(0, 3));
      case 'w':
        return number(static_cast<int>(weekday), 1);
      case 'u':
        return number(weekday == 0 ? 7 : static_cast<int>(weekday), 1);
      case 'U':
        return number((dayOfYear(when_) + 6 - static_cast<int>(weekday)) / 7, 2);
      case 'W':
        return number((dayOfYear(when_) + 6 - (static_cast<int>(weekday) + 6) % 7) / 7, 2);
      case 'V':
        return number(isoWeek(when_), 2);
      case 'F':
        return group("%Y-%m-%d");
      case 'D':
      case 'x':
        return group("%m/%d/%y");
      case 'c':
        return group("%a %b %e %H:%M:%S %Y");
      default:
        return false;
    }
  }

  bool time(char c) {
    switch (c) {
      case 'H':
        return number(when_.hour, 2);
      case 'I':
        return number((when_.hour + 11) % 12 + 1, 2);
      case 'M':
        return number(when_.minute, 2);
      case 'S':
        return number(when_.second, 2);
      case 'p':
        return word(when_.hour < 12 ? "AM" : "PM");
      case 'f':
        return word((std::string(when_.fraction) + "000000").substr(0, 6));
      case 'T':
      case 'X':
        return group("%H:%M:%S");
      case 'R':
        return group("%H:%M");
      case 'r':
        return group("%I:%M:%S %p");
      case 'z':
        return zone();
      case 'Z':
        return word(when_.zone == "Z" ? "UTC" : "");
      case 'n':
        return word("\n");
      case 't':
        return word("\t");
      case '%':
        return word("%");
      default:
        return false;
    }
  }

  bool zone() {
    if (when_.zone == "Z") return word("+0000");
    for (char c : when_.zone) {
      if (c != ':') out_ += c;
    }
    return true;
  }

  bool number(int value, size_t width, char fill = '0') {
    std::string digits;
    json::appendInteger(digits, value);
    if (padded_ && digits.size() < width) out_.append(width - digits.size(), fill);
    out_ += digits;
    return true;
  }

  bool word(std::string_view text) {
    out_ += text;
    return true;
  }

  bool group(std::string_view text) {
    Formatter(when_, out_).format(text);
    return true;
  }

  const DateTime& when_;
  std::string& out_;
  bool padded_ = true;
};

}  // namespace

Value formatTime(Runtime& runtime, std::string_view format, std::string_view now) {
  DateTime when;
  if (!readDateTime(now, when)) {
    return runtime.fail("strftime_now needs the time as ISO 8601, got '{}'", now);
  }
  // No directive produces more than 40 times its own length.
  if (!runtime.budget.string(uint64_t{40} * format.size())) return runtime.limitFailure();
  std::string out;
  Formatter(when, out).format(format);
  return runtime.newString(out);
}

}  // namespace strata::jinja
