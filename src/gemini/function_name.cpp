#include "gemini/function_name.h"

namespace strata::gemini {
namespace {

bool isLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

}  // namespace

bool isFunctionNameCharacter(char c) {
  return isLetter(c) || (c >= '0' && c <= '9') || c == '.' || c == ':' || c == '-';
}

bool isFunctionName(std::string_view name) {
  if (name.empty() || name.size() > kMaxFunctionName || !isLetter(name.front())) return false;
  for (const char c : name) {
    if (!isFunctionNameCharacter(c)) return false;
  }
  return true;
}

}  // namespace strata::gemini
