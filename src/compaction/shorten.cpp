#include "compaction/shorten.h"

#include <algorithm>

#include "base/utf8.h"
#include "json/string.h"
#include "tokens/estimate.h"

namespace strata::compaction {
namespace {

constexpr double kAsciiUnit = 0.33;
constexpr double kOtherUnit = 1.5;
constexpr std::string_view kGap = "\n...\n";
constexpr size_t kShortValue = 100;   // not worth cutting
constexpr double kFewestTokens = 10;  // that a shortened value aims at
constexpr double kHeadRatio = 0.2;

size_t unitsOf(uint32_t codePoint) { return codePoint > 0xFFFF ? 2 : 1; }

size_t unitsIn(std::string_view text) {
  size_t units = 0;
  for (size_t at = 0; at < text.size();) units += unitsOf(decodeUtf8(text, at));
  return units;
}

// The bytes of as many whole code points at the start as fit into `units`.
size_t bytesAtStart(std::string_view text, size_t units) {
  size_t at = 0;
  while (at < text.size()) {
    size_t next = at;
    const size_t size = unitsOf(decodeUtf8(text, next));
    if (size > units) break;
    units -= size;
    at = next;
  }
  return at;
}

// Where as many whole code points at the end begin as fit into `units`.
size_t startOfEnd(std::string_view text, size_t units) {
  const size_t all = unitsIn(text);
  if (units >= all) return 0;
  size_t at = 0;
  for (size_t skipped = 0; skipped < all - units;) skipped += unitsOf(decodeUtf8(text, at));
  return at;
}

}  // namespace

size_t unitsForTokens(std::string_view text, double tokens) {
  size_t units = 0;
  double spent = 0;
  for (size_t at = 0; at < text.size();) {
    const uint32_t codePoint = decodeUtf8(text, at);
    const size_t size = unitsOf(codePoint);
    spent += codePoint < 0x80 ? kAsciiUnit : kOtherUnit * static_cast<double>(size);
    if (spent > tokens) break;
    units += size;
  }
  return units;
}

std::string shortenText(std::string_view text, size_t units, std::string_view prefix,
                        double headRatio) {
  if (unitsIn(text) <= units) return std::string(text);
  std::string out(prefix);
  const size_t overhead = unitsIn(prefix) + 1 + kGap.size();
  if (units <= overhead) return out;
  const size_t room = units - overhead;
  const auto head = static_cast<size_t>(static_cast<double>(room) * headRatio);
  out.append("\n").append(text.substr(0, bytesAtStart(text, head))).append(kGap);
  return out.append(text.substr(startOfEnd(text, room - head)));
}

std::string shortenResponse(json::Value response, double ratio, std::string_view prefix) {
  std::string out;
  size_t copied = response.offset();
  const std::string_view source = response.tape()->source();
  for (const json::Member member : json::members(response)) {
    if (!member.value.isString()) continue;
    const std::string text = member.value.text();
    if (unitsIn(text) <= kShortValue) continue;
    const double tokens =
        std::max(kFewestTokens,
                 static_cast<double>(static_cast<uint64_t>(tokens::estimateText(text) * ratio)));
    const std::string cut = shortenText(text, unitsForTokens(text, tokens), prefix, kHeadRatio);
    if (cut == text) continue;
    out.append(source.substr(copied, member.value.offset() - copied));
    json::appendQuoted(out, cut);
    copied = member.value.offset() + member.value.bytes().size();
  }
  const size_t end = response.offset() + response.bytes().size();
  return out.append(source.substr(copied, end - copied));
}

}  // namespace strata::compaction
