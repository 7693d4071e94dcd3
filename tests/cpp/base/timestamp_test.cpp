// Tests dates against a calendar that counts day by day.
#include "base/timestamp.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

int64_t daysIn(int64_t month, int64_t year) {
  if (month == 4 || month == 6 || month == 9 || month == 11) return 30;
  if (month != 2) return 31;
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
}

// Estimates of the year from its mean length are one too high or too low on some days.
TEST(Timestamp, CountsEveryDayOfFourHundredYears) {
  Date expected;
  expected.year = 1800;
  for (int64_t days = -62091; expected.year < 2200; ++days) {
    const Date date = dateOf(days);
    ASSERT_EQ(date.year, expected.year) << days;
    ASSERT_EQ(date.month, expected.month) << days;
    ASSERT_EQ(date.day, expected.day) << days;
    const std::string text =
        padded(date.year, 4) + "-" + padded(date.month) + "-" + padded(date.day);
    ASSERT_EQ(readTimestamp(text + "T00:00:00Z"), days * kSecondsPerDay * 1000) << text;
    ASSERT_EQ(UtcTime(days * kSecondsPerDay * 1000).date(), text);
    if (++expected.day <= daysIn(expected.month, expected.year)) continue;
    expected.day = 1;
    if (++expected.month <= 12) continue;
    expected.month = 1;
    ++expected.year;
  }
}

}  // namespace
}  // namespace strata
