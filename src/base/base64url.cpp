#include "base/base64url.h"

#include <cstdint>

namespace strata {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

char* writeBase64Url(char* to, std::string_view bytes) {
  uint32_t bits = 0;
  uint32_t count = 0;
  for (const char c : bytes) {
    bits = bits << 8U | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) *to++ = kDigits[bits >> (count - 6) & 63U];
  }
  if (count > 0) *to++ = kDigits[bits << (6 - count) & 63U];
  return to;
}

void appendBase64Url(std::string& out, std::string_view bytes) {
  const size_t begin = out.size();
  // Growing once is cheaper than a call for each digit.
  out.resize(begin + base64UrlSize(bytes.size()));
  writeBase64Url(&out[begin], bytes);
}

std::optional<std::string> readBase64Url(std::string_view text) {
  std::string bytes;
  uint32_t bits = 0;
  uint32_t count = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6U | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 255U));
  }
  const bool exact = count < 6 && (bits & ((1U << count) - 1)) == 0;
  return exact ? std::optional(bytes) : std::nullopt;
}

}  // namespace strata
