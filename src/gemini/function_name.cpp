#include "gemini/function_name.h"

#include "base/ascii.h"

namespace strata::gemini {
namespace {

bool isStart(char c) { return ascii::isLetter(c) || c == '_'; }

}  // namespace

bool isFunctionNameCharacter(char c) {
  return isStart(c) || ascii::isDigit(c) || c == '.' || c == ':' || c == '-';
}

bool isFunctionName(std::string_view name) {
  if (name.empty() || name.size() > kMaxFunctionName || !isStart(name.front())) return false;
  for (const char c : name) {
    if (!isFunctionNameCharacter(c)) return false;
  }
  return true;
}

}  // namespace strata::gemini
