#include "base/near_name.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"

namespace strata {
namespace {

// Returns whether at most `edits` edits turn `a` into `b`.
bool isWithin(std::string_view a, std::string_view b, size_t edits) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (a.empty() || b.empty()) return a.size() + b.size() <= edits;
  if (edits == 0) return false;
  const size_t left = edits - 1;
  const bool isSwapped = a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0];
  return isWithin(a.substr(1), b, left) || isWithin(a, b.substr(1), left) ||
         isWithin(a.substr(1), b.substr(1), left) ||
         (isSwapped && isWithin(a.substr(2), b.substr(2), left));
}

bool isNearBySegment(std::string_view a, std::string_view b) {
  for (;;) {
    const size_t endOfA = a.find('-');
    const size_t endOfB = b.find('-');
    if (!isWithin(a.substr(0, endOfA), b.substr(0, endOfB), 1)) return false;
    if (endOfA == std::string_view::npos || endOfB == std::string_view::npos)
      return endOfA == endOfB;
    a.remove_prefix(endOfA + 1);
    b.remove_prefix(endOfB + 1);
  }
}

}  // namespace

bool isNearName(std::string_view given, std::string_view name) {
  const auto isSame = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  if (std::equal(given.begin(), given.end(), name.begin(), name.end(), isSame)) return true;
  const size_t longest = std::max(given.size(), name.size());
  if (longest < 5) return false;
  return isWithin(given, name, longest < 12 ? 1 : 2);
}

bool isNearModelName(std::string_view given, std::string_view name) {
  const std::string lower = ascii::lowerCase(given);
  std::string digits;
  for (const char c : lower) {
    if (ascii::isDigit(c)) digits += c;
  }
  for (const char c : name) {
    if (!ascii::isDigit(c)) continue;
    if (digits.empty() || digits.front() != c) return false;
    digits.erase(0, 1);
  }
  if (!digits.empty()) return false;
  return isWithin(lower, name, 1) || isNearBySegment(lower, name);
}

}  // namespace strata
