#include "jinja/text/case_tests.h"

#include "base/utf8.h"
#include "jinja/text/characters.h"

namespace strata::jinja::text {
namespace {

bool isCasedAs(std::string_view text, bool (*wanted)(uint32_t), bool (*unwanted)(uint32_t)) {
  bool found = false;
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = decodeUtf8(text, at);
    if (unwanted(c) || isTitle(c)) return false;
    found = found || wanted(c);
  }
  return found;
}

}  // namespace

bool isUpperText(std::string_view text) { return isCasedAs(text, isUpper, isLower); }

bool isLowerText(std::string_view text) { return isCasedAs(text, isLower, isUpper); }

bool isTitleText(std::string_view text) {
  bool insideWord = false;
  bool found = false;
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = decodeUtf8(text, at);
    const bool capital = isUpper(c) || isTitle(c);
    const bool cased = capital || isLower(c);
    if (cased && capital == insideWord) return false;
    insideWord = cased;
    found = found || cased;
  }
  return found;
}

bool holdsForAll(std::string_view text, bool (*predicate)(uint32_t codePoint)) {
  for (size_t at = 0; at < text.size();) {
    if (!predicate(decodeUtf8(text, at))) return false;
  }
  return !text.empty();
}

}  // namespace strata::jinja::text
