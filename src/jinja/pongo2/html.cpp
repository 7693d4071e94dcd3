// Implements the filters and tags of pongo2 that read or write HTML.
#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"
#include "jinja/lexeme.h"
#include "jinja/ops.h"
#include "jinja/pongo2/filters.h"
#include "jinja/pongo2/values.h"
#include "jinja/text/split.h"

namespace strata::jinja::pongo2 {
namespace {

constexpr std::string_view kSpaces = "\t\n\v\f\r ";
constexpr uint32_t kReplacement = 0xFFFD;

// Decodes a character; pongo2 drops U+FFFD where it decodes texts itself.
uint32_t decode(std::string_view text, size_t& at) { return decodeUtf8(text, at); }

// Copies characters and closes the tags that are open at the end (filterTruncateHTMLHelper).
class Shortener {
 public:
  Shortener(Runtime& runtime, std::string_view text, int64_t limit, bool words)
      : text_(text), limit_(limit), words_(words), out_(runtime), open_(runtime.heap) {}

  Value run() {
    while (at_ < text_.size() && count_ < limit_ && !out_.failed()) {
      if (text_[at_] == '<') {
        readTag();
      } else if (words_) {
        readWord();
      } else {
        readCharacter();
      }
    }
    const bool cut = words_ || count_ < static_cast<int64_t>(text_.size());
    if (count_ >= limit_ && cut) out_.append("...");
    for (size_t i = open_.size(); i-- > 0;) out_.append("</").append(open_[i]).append(">");
    return out_.take(true);
  }

 private:
  void copy(size_t end, uint32_t character) {
    if (character != kReplacement) out_.append(text_.substr(at_, end - at_));
    at_ = end;
  }

  void readCharacter() {
    size_t end = at_;
    const uint32_t character = decode(text_, end);
    count_ += character == kReplacement ? 0 : 1;
    copy(end, character);
  }

  void readWord() {
    bool found = false;
    while (at_ < text_.size()) {
      if (text_[at_] == '<') return;  // a word that ends here is not counted
      size_t end = at_;
      const uint32_t character = decode(text_, end);
      copy(end, character);
      if (character == kReplacement) continue;
      if (character < 0x80 &&
          std::string_view(" .,;").find(static_cast<char>(character)) != std::string_view::npos) {
        break;
      }
      found = true;
    }
    count_ += found ? 1 : 0;
  }

  void readTag() {
    out_.append("<");
    ++at_;
    if (at_ + 1 >= text_.size()) return;
    const bool closes = text_[at_] == '/';
    if (closes) ++at_;
    const size_t end = std::min(text_.find('>', at_), text_.size());
    std::string_view tag = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    if (closes) {
      out_.append("/").append(tag).append(">");
      close(tag);
      return;
    }
    out_.append(tag).append(end < text_.size() ? ">" : "");
    open_.add(tag.substr(0, tag.find(' ')));
  }

  // Removes the innermost open tag of that name.
  void close(std::string_view tag) {
    for (size_t i = open_.size(); i-- > 0;) {
      if (open_[i] != tag) continue;
      open_[i] = open_.back();
      open_.shrink(open_.size() - 1);
      return;
    }
  }

  std::string_view text_;
  int64_t limit_;
  bool words_;
  Text out_;
  HeapVector<std::string_view> open_;
  size_t at_ = 0;
  int64_t count_ = 0;
};

Value shortened(Runtime& runtime, Value in, int64_t limit, bool words) {
  const Value text = textOf(runtime, in);
  if (text.failed()) return text;
  return Shortener(runtime, text.text(), std::max<int64_t>(limit, 0), words).run();
}

void appendEscape(std::string& out, uint32_t character) {
  out += "\\u";
  for (int shift = character > 0xFFFF ? (character > 0xFFFFF ? 20 : 16) : 12; shift >= 0;
       shift -= 4) {
    out += "0123456789ABCDEF"[(character >> static_cast<unsigned>(shift)) & 15U];
  }
}

// Returns the length of </?tag/?> at the start of `text`, or 0.
size_t tagLength(std::string_view text, std::string_view tag) {
  size_t at = text.substr(1, 1) == "/" ? 2 : 1;
  if (text.substr(0, 1) != "<" || text.substr(at, tag.size()) != tag) return 0;
  at += tag.size();
  if (text.substr(at, 1) == "/") ++at;
  return text.substr(at, 1) == ">" ? at + 1 : 0;
}

}  // namespace

Value escape(Runtime& runtime, std::string_view text) {
  constexpr std::string_view kSpecial = "&<>\"'";
  static constexpr std::array<std::string_view, 5> kEscapes = {"&amp;", "&lt;", "&gt;", "&quot;",
                                                               "&#39;"};
  Text out(runtime);
  while (!text.empty() && !out.failed()) {
    const size_t plain = std::min(text.find_first_of(kSpecial), text.size());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    out.append(kEscapes[kSpecial.find(text[0])]);
    text.remove_prefix(1);
  }
  return out.take();
}

Value truncatecharsHtml(Runtime& runtime, Value in, Value argument) {
  return shortened(runtime, in, std::max<int64_t>(integerOf(argument), 3) - 3, false);
}

Value truncatewordsHtml(Runtime& runtime, Value in, Value argument) {
  return shortened(runtime, in, integerOf(argument), true);
}

Value escapejs(Runtime& runtime, Value in, Value) {
  const Value value = textOf(runtime, in);
  if (value.failed()) return value;
  const std::string_view text = value.text();
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const std::string_view pair = text.substr(at, 2);
    if (pair == "\\r" || pair == "\\n") {
      appendEscape(out, pair == "\\r" ? '\r' : '\n');
      at += 2;
      continue;
    }
    const uint32_t c = decode(text, at);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ' || c == '/') {
      out += static_cast<char>(c);
    } else if (c != kReplacement) {
      appendEscape(out, c);
    }
  }
  return runtime.newString(out);
}

Value linebreaks(Runtime& runtime, Value in, Value) {
  if (lengthOf(in) == 0) return in;
  const Value text = textOf(runtime, in);
  if (text.failed()) return text;
  const auto lines = text::splitAt(runtime.heap, text.text(), "\n");
  const auto blank = [&](size_t at) { return text::strip(lines[at]).empty(); };
  Text out(runtime);
  bool opened = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!opened) out.append("<p>");
    opened = true;
    out.append(lines[i]);
    if (i + 1 == lines.size() || blank(i)) continue;
    opened = !blank(i + 1);
    out.append(opened ? "<br />" : "</p>");
  }
  return out.append(opened ? "</p>" : "").take();
}

Value striptags(Runtime& runtime, Value in, Value) {
  const Value value = textOf(runtime, in);
  if (value.failed()) return value;
  std::string_view text = value.text();
  Text out(runtime);
  for (size_t end = 0;;) {
    const size_t tag = text.find('<');
    end = tag == std::string_view::npos ? tag : text.find('>', tag);
    if (end == std::string_view::npos) break;
    out.append(text.substr(0, tag));
    text.remove_prefix(end + 1);
  }
  const Value all = out.append(text).take();
  return all.failed() ? all : runtime.string(text::strip(all.text()));
}

Value removetags(Runtime& runtime, Value in, Value argument) {
  Value value = textOf(runtime, in);
  const Value tags = value.failed() ? value : textOf(runtime, argument);
  if (tags.failed()) return tags;
  for (const std::string_view tag : text::splitAt(runtime.heap, tags.text(), ",")) {
    std::string_view text = value.text();
    Text out(runtime);
    while (!text.empty() && !out.failed()) {
      const size_t removed = tagLength(text, tag);
      if (removed == 0) out.append(text[0]);
      text.remove_prefix(std::max<size_t>(removed, 1));
    }
    value = out.take();
    if (value.failed()) return value;
  }
  return runtime.string(text::strip(value.text()));
}

// Removes white space between `>` and `<` if a tag on one line ends before it and a tag on one line
// starts after it. Removing a line break can make one line of two.
Value spaceless(Runtime& runtime, std::string_view given) {
  std::string text(given);
  for (bool changed = true; changed;) {
    changed = false;
    if (!runtime.budget.spend(1 + text.size() / 16)) return runtime.limitFailure();
    std::string out;
    size_t copied = 0;
    for (size_t at = 0; (at = text.find('>', at)) != std::string::npos; ++at) {
      const size_t end = text.find_first_not_of(kSpaces, at + 1);
      if (end == std::string::npos || end == at + 1 || text[end] != '<') continue;
      const size_t begin = text.find_last_of("<\n", at);
      const size_t close = text.find_first_of(">\n", end);
      if (begin == std::string::npos || text[begin] != '<') continue;
      if (close == std::string::npos || text[close] != '>') continue;
      out.append(text, copied, at + 1 - copied);
      copied = end;
      changed = true;
    }
    text = out.append(text, copied, std::string::npos);
  }
  return runtime.newString(text);
}

}  // namespace strata::jinja::pongo2
