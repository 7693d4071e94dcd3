#include "dialects/call_ids.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/sha256.h"

namespace strata::dialects {
namespace {

constexpr std::string_view kMade = "strata_";
constexpr size_t kLongest = 40;
constexpr size_t kHashDigits = 16;

bool isHexDigit(char c) { return ascii::isDigit(c) || (c >= 'a' && c <= 'f'); }

bool isIdCharacter(char c) { return ascii::isAlnum(c) || c == '_' || c == '-'; }

std::string hashOf(std::string_view text) { return toHex(sha256(text)).substr(0, kHashDigits); }

bool all(std::string_view text, bool (*is)(char)) {
  return std::all_of(text.begin(), text.end(), is);
}

}  // namespace

bool isPortableCallId(std::string_view id) {
  return !id.empty() && id.size() <= kLongest && all(id, isIdCharacter);
}

std::string makeCallId(std::string_view answerId, size_t number) {
  return std::string(kMade) + hashOf(answerId) + "_" + std::to_string(number);
}

bool isMadeCallId(std::string_view id) {
  if (!id.starts_with(kMade)) return false;
  id.remove_prefix(kMade.size());
  if (id.size() < kHashDigits + 2 || id[kHashDigits] != '_') return false;
  return all(id.substr(0, kHashDigits), isHexDigit) &&
         all(id.substr(kHashDigits + 1), ascii::isDigit);
}

std::string shortCallId(std::string_view id) { return "call_" + hashOf(id); }

}  // namespace strata::dialects
