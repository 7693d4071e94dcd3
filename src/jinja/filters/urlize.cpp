// Implements the filter urlize, which turns URLs and email addresses into links. It matches the
// regular expressions of jinja2/utils.py by hand.
#include <algorithm>
#include <limits>

#include "base/ascii.h"
#include "base/utf8.h"
#include "jinja/filters/sorting.h"
#include "jinja/filters/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "jinja/text/characters.h"
#include "jinja/text/split.h"

namespace strata::jinja {
namespace {

constexpr size_t kNone = std::string_view::npos;

bool isHexDigit(char c) {
  return ascii::isDigit(c) || (ascii::toLower(c) >= 'a' && ascii::toLower(c) <= 'f');
}

bool startsWith(std::string_view text, std::string_view lowerPrefix) {
  if (text.size() < lowerPrefix.size()) return false;
  for (size_t i = 0; i < lowerPrefix.size(); ++i) {
    if (ascii::toLower(text[i]) != lowerPrefix[i]) return false;
  }
  return true;
}

bool consistsOf(std::string_view text, bool (*predicate)(char)) {
  for (const char c : text) {
    if (!predicate(c)) return false;
  }
  return true;
}

// Returns the number of code points if each matches `\w` or is one of `others`; otherwise 0.
size_t wordLength(std::string_view text, std::string_view others) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); ++count) {
    const char first = text[at];
    const uint32_t c = decodeUtf8(text, at);
    if (!text::isWord(c) && others.find(first) == kNone) return 0;
  }
  return count;
}

// Removes the part before the first `separator` from `rest`. Returns false if there is none; then
// `rest` is the last part.
bool takePart(std::string_view& rest, char separator, std::string_view& part) {
  const size_t end = rest.find(separator);
  if (end == kNone) return false;
  part = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return true;
}

bool isTopLevel(std::string_view label) {
  if (startsWith(label, "xn--")) {
    const size_t count = wordLength(label.substr(4), "%");
    if (count >= 2 && count <= 59) return true;
  }
  return label.size() >= 2 && label.size() <= 63 && consistsOf(label, ascii::isLetter);
}

bool isWellKnown(std::string_view label) {
  constexpr std::string_view kNames = " com net int edu gov org info mil ";
  char name[6] = {' '};
  size_t size = 1;
  if (label.size() > 4 || !consistsOf(label, ascii::isLetter)) return false;
  for (const char c : label) name[size++] = ascii::toLower(c);
  name[size++] = ' ';
  return size > 2 && kNames.find({name, size}) != kNone;
}

// Returns whether all labels but the last have `least` to `most` code points and `isLast` accepts
// the last.
bool isHost(std::string_view host, size_t least, size_t most, bool (*isLast)(std::string_view)) {
  for (std::string_view part; takePart(host, '.', part);) {
    const size_t count = wordLength(part, "%-");
    if (count < least || count > most) return false;
  }
  return isLast(host);
}

bool isIpv4Number(std::string_view part) {
  return !part.empty() && part.size() <= 3 && consistsOf(part, ascii::isDigit);
}

bool isIpv4(std::string_view host) {
  size_t numbers = 1;
  for (std::string_view part; takePart(host, '.', part); ++numbers) {
    if (!isIpv4Number(part)) return false;
  }
  return numbers == 4 && isIpv4Number(host);
}

// `([\da-f]{0,4}:){2}([\da-f]{0,4}:?){1,6}`
bool isIpv6(std::string_view host) {
  size_t colons = 0;
  size_t pieces = 0;
  for (std::string_view part; takePart(host, ':', part); ++colons) {
    if (!consistsOf(part, isHexDigit) || (colons < 2 && part.size() > 4)) return false;
    if (colons >= 2) pieces += std::max<size_t>((part.size() + 3) / 4, 1);
  }
  return colons >= 2 && consistsOf(host, isHexDigit) && pieces + (host.size() + 3) / 4 <= 6;
}

// Returns whether `rest` is empty, a port, or a path, query or fragment.
bool isRestOfAddress(std::string_view rest) {
  if (rest.starts_with(':')) {
    size_t digits = 0;
    while (1 + digits < rest.size() && ascii::isDigit(rest[1 + digits])) ++digits;
    if (digits < 1 || digits > 5) return false;
    rest.remove_prefix(1 + digits);
  }
  return rest.empty() || rest[0] == '/' || rest[0] == '?' || rest[0] == '#';
}

size_t schemeLength(std::string_view text) {
  if (startsWith(text, "http://")) return 7;
  return startsWith(text, "https://") ? 8 : 0;
}

bool isWebAddress(std::string_view text) {
  const size_t scheme = schemeLength(text);
  const std::string_view afterScheme = text.substr(scheme);
  if (scheme > 0 && afterScheme.starts_with('[')) {
    const size_t close = afterScheme.find(']');
    return close != kNone && isIpv6(afterScheme.substr(1, close - 1)) &&
           isRestOfAddress(afterScheme.substr(close + 1));
  }
  const size_t end = std::min(afterScheme.find_first_of(":/?#"), afterScheme.size());
  const std::string_view host = afterScheme.substr(0, end);
  if (!isRestOfAddress(afterScheme.substr(end))) return false;
  if (scheme > 0 && (isHost(host, 1, kNone, isTopLevel) || isIpv4(host))) return true;
  const bool www = scheme == 0 && startsWith(host, "www.");
  if (www && isHost(host.substr(4), 1, kNone, isTopLevel)) return true;
  return scheme == 0 && host.find('.') != kNone && isHost(host, 2, 63, isWellKnown);
}

// `\S+@\w[\w.-]*\.\w+`
bool isEmail(std::string_view text) {
  const size_t at = text.rfind('@');
  if (at == kNone || at == 0) return false;
  const std::string_view domain = text.substr(at + 1);
  const size_t dot = domain.rfind('.');
  if (dot == kNone || dot == 0 || wordLength(domain.substr(dot + 1), "") == 0) return false;
  return wordLength(domain.substr(0, dot), ".-") > 0 && domain[0] != '.' && domain[0] != '-';
}

size_t count(std::string_view text, std::string_view part) {
  size_t times = 0;
  for (size_t at = text.find(part); at != kNone; at = text.find(part, at + part.size())) ++times;
  return times;
}

// Returns where the closing brackets and punctuation at the end of `word` begin.
size_t trailingMarksBegin(std::string_view word) {
  constexpr std::string_view kMarks = ")>.,\n";
  size_t end = word.size();
  while (end > 0) {
    if (word.substr(0, end).ends_with("&gt;")) {
      end -= 4;
    } else if (kMarks.find(word[end - 1]) != kNone) {
      --end;
    } else {
      break;
    }
  }
  return end;
}

// A word, split into leading brackets, the address, and trailing punctuation.
struct Word {
  explicit Word(std::string_view word) : middle(word) {
    while (middle.starts_with('(') || middle.starts_with('<') || middle.starts_with("&lt;")) {
      middle.remove_prefix(middle[0] == '&' ? 4 : 1);
    }
    head = word.substr(0, word.size() - middle.size());
    const size_t end = trailingMarksBegin(middle);
    tail = middle.substr(end);
    middle = middle.substr(0, end);
    balanceBrackets("(", ")");
    balanceBrackets("<", ">");
    balanceBrackets("&lt;", "&gt;");
  }

  // Moves closing brackets from the tail to the address if their opening brackets are inside it.
  void balanceBrackets(std::string_view open, std::string_view close) {
    const size_t opened = count(middle, open);
    if (opened <= count(middle, close)) return;
    for (size_t remaining = std::min(opened, count(tail, close)); remaining > 0; --remaining) {
      const size_t end = tail.find(close) + close.size();
      middle = {middle.data(), middle.size() + end};
      tail.remove_prefix(end);
    }
  }

  std::string_view head;
  std::string_view middle;
  std::string_view tail;
};

struct Settings {
  double limit = std::numeric_limits<double>::infinity();
  bool isFraction = false;
  std::string_view attributes;
  List* schemes = nullptr;
};

void appendLink(Text& out, std::string_view prefix, std::string_view address,
                std::string_view attributes, std::string_view shown, bool isCut = false) {
  out.append("<a href=\"").append(prefix).append(address).append("\"").append(attributes);
  out.append(">").append(shown).append(isCut ? "..." : "").append("</a>");
}

// Returns the first characters of an address that is longer than the limit.
std::string_view cutAt(std::string_view address, double limit) {
  const auto size = static_cast<double>(codePoints(address));
  const double kept = limit < 0 ? std::max(size + limit, 0.0) : limit;
  return address.substr(0, codePointOffset(address, static_cast<size_t>(kept)));
}

// Returns false after a failure.
bool appendMiddle(Runtime& runtime, Text& out, std::string_view middle, const Settings& settings) {
  if (isWebAddress(middle)) {
    const bool complete = middle.starts_with("https://") || middle.starts_with("http://");
    const bool isCut = static_cast<double>(codePoints(middle)) > settings.limit;
    if (isCut && settings.isFraction) return !runtime.fail(kNoSliceIndex).failed();
    const std::string_view shown = isCut ? cutAt(middle, settings.limit) : middle;
    appendLink(out, complete ? "" : "https://", middle, settings.attributes, shown, isCut);
  } else if (middle.starts_with("mailto:") && isEmail(middle.substr(7))) {
    appendLink(out, "", middle, "", middle.substr(7));
  } else if (middle.find('@') != kNone && !middle.starts_with("www.") &&
             middle.find(':') == kNone && isEmail(middle)) {
    appendLink(out, "mailto:", middle, "", middle);
  } else {
    bool known = false;
    for (const Value scheme : settings.schemes->items()) {
      known = known || (middle != scheme.text() && middle.starts_with(scheme.text()));
    }
    if (known) {
      appendLink(out, "", middle, settings.attributes, middle);
    } else {
      out.append(middle);
    }
  }
  return true;
}

// `[\w.+-]{2,}:/{0,2}`
bool isScheme(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == kNone || wordLength(text.substr(0, colon), ".+-") < 2) return false;
  const std::string_view slashes = text.substr(colon + 1);
  return slashes.empty() || slashes == "/" || slashes == "//";
}

bool readSchemes(Call& call, Settings& settings) {
  const bool given = call.has(5) && !call[5].isNone();
  settings.schemes = given ? toList(call.runtime, call[5]) : call.runtime.makeList();
  if (settings.schemes == nullptr) return false;
  for (const Value scheme : settings.schemes->items()) {
    if (scheme.isString() && isScheme(scheme.text())) continue;
    call.runtime.fail("not a valid URI scheme prefix");
    return false;
  }
  return true;
}

bool appendAttribute(Runtime& runtime, Text& out, std::string_view name, Value value) {
  const Value escaped = escape(runtime, value);
  if (escaped.failed()) return false;
  if (escaped.text().empty()) return true;
  out.append(" ").append(name).append("=\"").append(escaped.text()).append("\"");
  return true;
}

// Appends ` rel="..."` with the parts sorted and without duplicates.
bool appendRelation(Runtime& runtime, Text& out, std::string_view relation, bool noFollow) {
  List* parts = runtime.makeList();
  for (const std::string_view part : text::splitWords(runtime.heap, relation)) {
    parts->append(runtime.string(part));
  }
  parts->append(runtime.string("noopener"));
  if (noFollow) parts->append(runtime.string("nofollow"));
  const uint32_t* positions = sortedPositions(runtime, parts->items(), isLess);
  if (positions == nullptr) return false;
  Text joined(runtime);
  std::string_view last;
  for (size_t i = 0; i < parts->size(); ++i) {
    const std::string_view part = parts->items()[positions[i]].text();
    if (part != last) joined.append(last.empty() ? "" : " ").append(part);
    last = part;
  }
  return appendAttribute(runtime, out, "rel", joined.take());
}

bool readText(Call& call, size_t at, std::string_view& out) {
  return call[at].isNone() || call.text(at, out);
}

bool readSettings(Call& call, Settings& settings) {
  bool noFollow = false;
  std::string_view target;
  std::string_view relation;
  settings.isFraction = call[1].isDouble();
  if (!call[1].isNone() && !call.amount(1, settings.limit)) return false;
  const bool bound = call.truth(2, noFollow) && readText(call, 3, target) &&
                     readText(call, 4, relation) && readSchemes(call, settings);
  if (!bound) return false;
  Text attributes(call.runtime);
  if (!appendRelation(call.runtime, attributes, relation, noFollow)) return false;
  if (!appendAttribute(call.runtime, attributes, "target", call.runtime.string(target)))
    return false;
  const Value text = attributes.take();
  if (text.isString()) settings.attributes = text.text();
  return text.isString();
}

}  // namespace

Value urlizeFilter(Call& call) {
  Runtime& runtime = call.runtime;
  Settings settings;
  if (!readSettings(call, settings)) return Value::failure();
  const Value escaped = escape(runtime, call[0]);
  if (escaped.failed() || !runtime.canExamine(escaped)) return Value::failure();
  const std::string_view text = escaped.text();
  Text out(runtime);
  size_t from = 0;
  const auto appendWord = [&](size_t begin, size_t end) {
    const Word word(text.substr(begin, end - begin));
    out.append(word.head);
    const bool appended = appendMiddle(runtime, out, word.middle, settings);
    out.append(word.tail);
    return appended && !out.failed();
  };
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    if (!text::isSpace(decodeUtf8(text, at))) continue;
    if (!appendWord(from, begin)) return Value::failure();
    out.append(text.substr(begin, at - begin));
    from = at;
  }
  if (!appendWord(from, text.size())) return Value::failure();
  return out.take(runtime.autoescape);
}

}  // namespace strata::jinja
