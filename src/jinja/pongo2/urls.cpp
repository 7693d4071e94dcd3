// Implements the filters of pongo2 that encode or find addresses.
#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "base/utf8.h"
#include "jinja/pongo2/filters.h"
#include "jinja/pongo2/values.h"
#include "jinja/text/split.h"

namespace strata::jinja::pongo2 {
namespace {

bool isWord(char c) { return ascii::isAlnum(c) || c == '_'; }

// url.QueryEscape(), which leaves `kept` as well.
std::string encoded(std::string_view text, std::string_view kept) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (isWord(c) || c == '-' || c == '.' || c == '~' || kept.find(c) != std::string_view::npos) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      ((out += '%') += "0123456789ABCDEF"[byte >> 4U]) += "0123456789ABCDEF"[byte & 15U];
    }
  }
  return out;
}

constexpr std::string_view kIriCharacters = "/#%[]=:;$&()+,!?*@'~";

// Returns the length of what an address starts with at `text[at]`, or 0.
size_t addressStart(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  for (const std::string_view start : {"http://", "https://", "www."}) {
    if (rest.substr(0, start.size()) == start) return start.size();
  }
  if (at > 0 && rest[0] != ' ') return 0;
  for (const size_t first : {size_t{0}, size_t{1}}) {
    if (first == 0 ? at != 0 : rest[0] != ' ') continue;
    size_t end = first;
    while (end < rest.size() && (isWord(rest[end]) || rest[end] == '-')) ++end;
    if (end == first) continue;
    for (const std::string_view domain : {".com", ".net", ".org", ".info", ".biz", ".de"}) {
      if (rest.substr(end, domain.size()) == domain) return end + domain.size();
    }
  }
  return 0;
}

// Returns the end of the address at `text[at]`, with the spaces after it, or 0.
size_t addressEnd(std::string_view text, size_t at) {
  const size_t start = addressStart(text, at);
  if (start == 0) return 0;
  const size_t end = text.find_first_of(" \n", at + start);
  if (end == std::string_view::npos) return text.size();
  if (text[end] == '\n') return 0;
  return std::min(text.find_first_not_of(' ', end), text.size());
}

std::string titleOf(std::string_view address, int64_t limit) {
  if (limit <= 3 || static_cast<int64_t>(address.size()) <= limit) return std::string(address);
  return validUtf8(address.substr(0, static_cast<size_t>(limit - 3))) + "...";
}

// Returns the end of the mail address whose name starts at `text[at]`, or 0.
size_t mailEnd(std::string_view text, size_t at) {
  const auto wordEnd = [&](size_t from) {
    while (from < text.size() && isWord(text[from])) ++from;
    return from;
  };
  const size_t name = wordEnd(at);
  if (name == at || name == text.size() || text[name] != '@') return 0;
  const size_t host = wordEnd(name + 1);
  if (host == name + 1 || host == text.size() || text[host] != '.') return 0;
  const size_t end = std::min(wordEnd(host + 1), host + 5);
  return end < host + 3 ? 0 : end;
}

Value linkMails(Runtime& runtime, std::string_view text, int64_t limit) {
  Text out(runtime);
  for (size_t at = 0; at < text.size() && !out.failed();) {
    const size_t end = mailEnd(text, at);
    if (end == 0) {
      do out.append(text[at++]);
      while (at < text.size() && isWord(text[at]) && isWord(text[at - 1]));
      continue;
    }
    const std::string_view mail = text.substr(at, end - at);
    out.append("<a href=\"mailto:").append(mail).append("\">").append(titleOf(mail, limit));
    out.append("</a>");
    at = end;
  }
  return out.take();
}

Value linked(Runtime& runtime, Value in, bool escapes, int64_t limit) {
  const Value value = textOf(runtime, in);
  if (value.failed()) return value;
  const std::string_view text = value.text();
  Text out(runtime);
  for (size_t at = 0; at < text.size() && !out.failed();) {
    const size_t end = addressEnd(text, at);
    if (end == 0) {
      out.append(text[at++]);
      continue;
    }
    const std::string_view match = text.substr(at, end - at);
    const std::string_view address = text::strip(match);
    const std::string url = encoded(address, kIriCharacters);
    std::string title = titleOf(address, limit);
    if (escapes) title = escape(runtime, title).text();
    out.append(match.front() == ' ' ? " " : "").append("<a href=\"");
    out.append(url.compare(0, 4, "http") == 0 ? "" : "http://").append(url);
    out.append("\" rel=\"nofollow\">").append(title).append("</a>");
    out.append(match.back() == ' ' ? " " : "");
    at = end;
  }
  const Value links = out.take();
  return links.failed() ? links : linkMails(runtime, links.text(), limit);
}

}  // namespace

Value iriencode(Runtime& runtime, Value in, Value) {
  const Value text = textOf(runtime, in);
  return text.failed() ? text : runtime.newString(encoded(text.text(), kIriCharacters));
}

Value urlencode(Runtime& runtime, Value in, Value) {
  const Value text = textOf(runtime, in);
  return text.failed() ? text : runtime.newString(encoded(text.text(), {}));
}

Value urlize(Runtime& runtime, Value in, Value argument) {
  return linked(runtime, in, !argument.isBool() || argument.asBool(), -1);
}

Value urlizetrunc(Runtime& runtime, Value in, Value argument) {
  return linked(runtime, in, true, integerOf(argument));
}

}  // namespace strata::jinja::pongo2
