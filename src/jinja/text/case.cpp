#include "jinja/text/case.h"

#include "base/utf8.h"
#include "jinja/text/characters.h"
#include "jinja/text/unicode_tables.h"

namespace strata::jinja::text {
namespace {

constexpr uint32_t kNone = 0xFFFFFFFF;
constexpr uint32_t kCapitalSigma = 0x3A3;
constexpr uint32_t kSmallSigma = 0x3C3;
constexpr uint32_t kFinalSigma = 0x3C2;
constexpr uint32_t kCapitalDottedI = 0x130;

// Returns the code point that a table of runs maps `codePoint` to, or kNone. With `inverse`,
// returns the code point that is mapped to `codePoint`.
uint32_t mapped(TableReader runs, uint32_t codePoint, bool inverse = false) {
  uint32_t at = 0;
  while (!runs.done()) {
    at += runs.next();
    const uint32_t shape = runs.next();
    const uint32_t stride = shape % 2 + 1;
    const uint32_t last = at + shape / 2 * stride;
    const int32_t delta = runs.nextSigned();
    const uint32_t source = inverse ? codePoint - static_cast<uint32_t>(delta) : codePoint;
    if (!inverse && codePoint < at) return kNone;
    if (source >= at && source <= last && (source - at) % stride == 0) {
      return inverse ? source : codePoint + static_cast<uint32_t>(delta);
    }
    at = last;
  }
  return kNone;
}

// Appends the several code points that `codePoint` maps to. Returns false if there is no such
// entry.
bool appendSpecial(std::string& out, TableReader entries, uint32_t codePoint) {
  uint32_t at = 0;
  while (!entries.done()) {
    at += entries.next();
    const uint32_t count = entries.next();
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t part = entries.next();
      if (at == codePoint) appendUtf8(out, part);
    }
    if (at >= codePoint) return at == codePoint;
  }
  return false;
}

uint32_t simpleUpper(uint32_t c) {
  const uint32_t upper = mapped({kUpper, kUpperSize}, c);
  return upper == kNone ? c : upper;
}

uint32_t simpleLower(uint32_t c) {
  const uint32_t exception = mapped({kLowerExceptions, kLowerExceptionsSize}, c);
  if (exception != kNone) return exception;
  const uint32_t lower = mapped({kUpper, kUpperSize}, c, true);
  return lower == kNone ? c : lower;
}

void upperOne(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c));
  } else if (!appendSpecial(out, {kUpperSpecial, kUpperSpecialSize}, c)) {
    appendUtf8(out, simpleUpper(c));
  }
}

void titleOne(std::string& out, uint32_t c) {
  if (c < 0x80) return upperOne(out, c);
  const uint32_t single = mapped({kTitleExceptions, kTitleExceptionsSize}, c);
  if (single != kNone) return appendUtf8(out, single);
  if (!appendSpecial(out, {kTitleSpecial, kTitleSpecialSize}, c)) upperOne(out, c);
}

uint32_t previousCodePoint(std::string_view text, size_t& at) {
  do --at;
  while ((static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
  size_t from = at;
  return decodeUtf8(text, from);
}

// Returns whether the sigma at [begin, end) ends a word: a cased letter precedes it and none
// follows, ignoring case-ignorable code points (Unicode's Final_Sigma).
bool isFinalSigma(std::string_view text, size_t begin, size_t end) {
  uint32_t neighbor = 0;
  bool found = false;
  while (begin > 0 && !found) {
    neighbor = previousCodePoint(text, begin);
    found = !isCaseIgnorable(neighbor);
  }
  if (!found || !isCased(neighbor)) return false;
  while (end < text.size()) {
    neighbor = decodeUtf8(text, end);
    if (!isCaseIgnorable(neighbor)) return !isCased(neighbor);
  }
  return true;
}

// Appends the lower case of the code point `c` at text[begin, end).
void lowerOne(std::string& out, std::string_view text, uint32_t c, size_t begin, size_t end) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c));
  } else if (c == kCapitalSigma) {
    appendUtf8(out, isFinalSigma(text, begin, end) ? kFinalSigma : kSmallSigma);
  } else if (c == kCapitalDottedI) {
    out += "i\xCC\x87";
  } else {
    appendUtf8(out, simpleLower(c));
  }
}

// Calls visit(codePoint, begin, end) for each code point.
template <typename Visit>
void eachCodePoint(std::string_view text, Visit visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const uint32_t c = decodeUtf8(text, at);
    visit(c, begin, at);
  }
}

// Case folding is lower(upper(c)), except for the dotless i, the capital sharp s, and Cherokee,
// which folds to capitals.
void foldOne(std::string& out, uint32_t c) {
  constexpr uint32_t kDotlessI = 0x131;
  constexpr uint32_t kSharpS = 0xDF;
  constexpr uint32_t kCapitalSharpS = 0x1E9E;
  const bool cherokee = (c >= 0x13A0 && c <= 0x13FD) || (c >= 0xAB70 && c <= 0xABBF);
  if (c == kCapitalSharpS) c = kSharpS;
  if (c == kDotlessI) return appendUtf8(out, c);
  std::string upper;
  upperOne(upper, c);
  if (cherokee) {
    out += upper;
    return;
  }
  for (size_t at = 0; at < upper.size();) {
    const uint32_t capital = decodeUtf8(upper, at);
    lowerOne(out, {}, capital, 0, 0);
  }
}

// Whether Go's strings.Title() starts a word after this character.
bool separates(uint32_t c) {
  if (c < 0x80) return !isAlnum(c) && c != '_';
  return !isAlpha(c) && !isAlnum(c) && isSpace(c);
}

uint32_t simpleTitle(uint32_t c) {
  const uint32_t title = mapped({kTitleExceptions, kTitleExceptionsSize}, c);
  return title == kNone ? simpleUpper(c) : title;
}

}  // namespace

void appendSimple(std::string& out, std::string_view text, Case wanted) {
  bool starts = true;
  eachCodePoint(text, [&](uint32_t c, size_t, size_t) {
    uint32_t changed = wanted == Case::kUpper ? simpleUpper(c) : simpleLower(c);
    if (c == kCapitalDottedI && wanted != Case::kUpper) changed = 'i';
    if (wanted == Case::kTitle && starts) changed = simpleTitle(changed);
    starts = separates(changed);
    appendUtf8(out, changed);
  });
}

bool changesUpper(uint32_t c) {
  std::string dropped;
  return simpleUpper(c) != c || appendSpecial(dropped, {kUpperSpecial, kUpperSpecialSize}, c);
}

bool changesLower(uint32_t c) { return c == kCapitalDottedI || simpleLower(c) != c; }

void appendUpper(std::string& out, std::string_view text) {
  eachCodePoint(text, [&](uint32_t c, size_t, size_t) { upperOne(out, c); });
}

void appendLower(std::string& out, std::string_view text) {
  eachCodePoint(text,
                [&](uint32_t c, size_t begin, size_t end) { lowerOne(out, text, c, begin, end); });
}

void appendTitle(std::string& out, std::string_view text) {
  bool insideWord = false;
  eachCodePoint(text, [&](uint32_t c, size_t begin, size_t end) {
    if (insideWord) {
      lowerOne(out, text, c, begin, end);
    } else {
      titleOne(out, c);
    }
    insideWord = isCased(c);
  });
}

void appendCapitalized(std::string& out, std::string_view text) {
  eachCodePoint(text, [&](uint32_t c, size_t begin, size_t end) {
    if (begin == 0) {
      titleOne(out, c);
    } else {
      lowerOne(out, text, c, begin, end);
    }
  });
}

void appendSwapped(std::string& out, std::string_view text) {
  eachCodePoint(text, [&](uint32_t c, size_t begin, size_t end) {
    if (isUpper(c)) {
      lowerOne(out, text, c, begin, end);
    } else if (isLower(c)) {
      upperOne(out, c);
    } else {
      appendUtf8(out, c);
    }
  });
}

void appendFolded(std::string& out, std::string_view text) {
  eachCodePoint(text, [&](uint32_t c, size_t, size_t) { foldOne(out, c); });
}

}  // namespace strata::jinja::text
