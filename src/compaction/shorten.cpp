#include "compaction/shorten.h"

#include <algorithm>

#include "base/utf8.h"
#include "json/string.h"
#include "tokens/estimate.h"

namespace strata::compaction {
namespace {

constexpr double kTokensPerAsciiUnit = 0.33;
constexpr double kTokensPerOtherUnit = 1.5;
constexpr std::string_view kSeparator = "\n...\n";
constexpr size_t kMinUnits = 100;  // longer strings are shortened
constexpr double kMinTokens = 10;  // the least that a shortened string keeps
constexpr double kHeadRatio = 0.2;

size_t utf16Length(uint32_t codePoint) { return codePoint > 0xFFFF ? 2 : 1; }

size_t utf16Length(std::string_view text) {
  size_t units = 0;
  for (size_t at = 0; at < text.size();) units += utf16Length(decodeUtf8(text, at));
  return units;
}

// Returns the length in bytes of the longest prefix of whole code points that fits into `units`.
size_t headBytes(std::string_view text, size_t units) {
  size_t at = 0;
  while (at < text.size()) {
    size_t next = at;
    const size_t size = utf16Length(decodeUtf8(text, next));
    if (size > units) break;
    units -= size;
    at = next;
  }
  return at;
}

// Returns the byte offset of the longest suffix of whole code points that fits into `units`.
size_t tailOffset(std::string_view text, size_t units) {
  const size_t all = utf16Length(text);
  if (units >= all) return 0;
  size_t at = 0;
  for (size_t skipped = 0; skipped < all - units;) skipped += utf16Length(decodeUtf8(text, at));
  return at;
}

}  // namespace

size_t unitsForTokens(std::string_view text, double tokens) {
  size_t units = 0;
  double spent = 0;
  for (size_t at = 0; at < text.size();) {
    const uint32_t codePoint = decodeUtf8(text, at);
    const size_t size = utf16Length(codePoint);
    spent +=
        codePoint < 0x80 ? kTokensPerAsciiUnit : kTokensPerOtherUnit * static_cast<double>(size);
    if (spent > tokens) break;
    units += size;
  }
  return units;
}

std::string shortenText(std::string_view text, size_t units, std::string_view prefix,
                        double headRatio) {
  if (utf16Length(text) <= units) return std::string(text);
  std::string out(prefix);
  const size_t overhead = utf16Length(prefix) + 1 + kSeparator.size();
  if (units <= overhead) return out;
  const size_t room = units - overhead;
  const auto head = static_cast<size_t>(static_cast<double>(room) * headRatio);
  out.append("\n").append(text.substr(0, headBytes(text, head))).append(kSeparator);
  return out.append(text.substr(tailOffset(text, room - head)));
}

std::string shortenResponse(json::Value response, double ratio, std::string_view prefix) {
  std::string out;
  size_t copied = 0;
  const std::string_view source = response.bytes();
  for (const json::Member member : json::members(response)) {
    if (!member.value.isString()) continue;
    const std::string text = member.value.text();
    if (utf16Length(text) <= kMinUnits) continue;
    const double tokens = std::max(
        kMinTokens, static_cast<double>(static_cast<uint64_t>(tokens::estimateText(text) * ratio)));
    const std::string cut = shortenText(text, unitsForTokens(text, tokens), prefix, kHeadRatio);
    if (cut == text) continue;
    const size_t at = member.value.offset() - response.offset();
    out.append(source.substr(copied, at - copied));
    json::appendQuoted(out, cut);
    copied = at + member.value.bytes().size();
  }
  return out.append(source.substr(copied));
}

}  // namespace strata::compaction
