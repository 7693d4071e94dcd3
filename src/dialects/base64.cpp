#include "dialects/base64.h"

#include <cstdint>

#include "lint/signature.h"

namespace strata::dialects {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void pad(std::string& text) { text.append((4 - text.size() % 4) % 4, '='); }

}  // namespace

std::string standardBase64(std::string_view text) {
  std::string out(text);
  if (text.find_first_of("-_") == std::string_view::npos || lint::isPlaceholder(text)) return out;
  for (char& c : out) {
    if (c == '-') c = '+';
    if (c == '_') c = '/';
  }
  pad(out);
  return out;
}

std::string toBase64(std::string_view bytes) {
  std::string out;
  uint32_t bits = 0;
  uint32_t count = 0;
  for (const char c : bytes) {
    bits = bits << 8U | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) out.push_back(kDigits[bits >> (count - 6) & 63U]);
  }
  if (count > 0) out.push_back(kDigits[bits << (6 - count) & 63U]);
  pad(out);
  return out;
}

}  // namespace strata::dialects
