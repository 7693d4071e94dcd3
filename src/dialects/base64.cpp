#include "dialects/base64.h"

#include "base/base64url.h"
#include "lint/signature.h"

namespace strata::dialects {
namespace {

void makeStandard(std::string& text) {
  for (char& c : text) {
    if (c == '-') c = '+';
    if (c == '_') c = '/';
  }
  text.append((4 - text.size() % 4) % 4, '=');
}

}  // namespace

std::string standardBase64(std::string_view text) {
  std::string out(text);
  if (text.find_first_of("-_") == std::string_view::npos || lint::isPlaceholder(text)) return out;
  makeStandard(out);
  return out;
}

std::string toBase64(std::string_view bytes) {
  std::string out;
  appendBase64Url(out, bytes);
  makeStandard(out);
  return out;
}

}  // namespace strata::dialects
