// The filter pprint: Python's pprint.pformat, 80 columns, keys sorted.
#include <algorithm>
#include <string>
#include <vector>

#include "jinja/filters/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "jinja/text/characters.h"
#include "jinja/text/split.h"
#include "json/utf8.h"

namespace strata::jinja {
namespace {

constexpr size_t kWidth = 80;

size_t widthLeft(size_t indent, size_t allowance) {
  return kWidth > indent + allowance ? kWidth - indent - allowance : 0;
}

// pprint orders what cannot be compared by the names of the types.
bool keyLess(const Value& left, const Value& right) {
  if (left.isString() && right.isString()) return left.text() < right.text();
  if (left.isInteger() && right.isInteger()) return left.asInteger() < right.asInteger();
  if (left.isNumber() && right.isNumber()) return left.asDouble() < right.asDouble();
  return typeName(left) < typeName(right);
}

// Words with the white space behind them: `\S*\s*`.
text::Parts wordsWithSpace(std::string_view line) {
  text::Parts parts;
  size_t begin = 0;
  bool space = false;
  for (size_t at = 0; at < line.size();) {
    const size_t here = at;
    const bool isSpace = text::isSpace(json::decodeUtf8(line, at));
    if (space && !isSpace) {
      parts.push_back(line.substr(begin, here - begin));
      begin = here;
    }
    space = isSpace;
  }
  if (begin < line.size()) parts.push_back(line.substr(begin));
  return parts;
}

class PrettyPrinter {
 public:
  explicit PrettyPrinter(Runtime& runtime) : runtime_(runtime) {}

  bool print(const Value& value, size_t indent, size_t allowance, size_t level) {
    if (level > runtime_.budget.limits().valueDepth) {
      runtime_.limitFailure(Limit::kValueDepth);
      return false;
    }
    const Value shown = repr(value, level);
    if (shown.failed()) return false;
    const bool fits = codePoints(shown.text()) <= widthLeft(indent, allowance);
    if (fits) return write(shown.text());
    switch (value.type()) {
      case Type::kDict:
        return dict(value, indent, allowance, level + 1);
      case Type::kList:
      case Type::kTuple:
        return sequence(value, indent, allowance, level + 1);
      case Type::kString:
        if (value.isSafe()) break;
        return string(value.text(), indent, allowance, level + 1);
      default:
        break;
    }
    return write(shown.text());
  }

  std::string take() { return std::move(out_); }

 private:
  bool write(std::string_view text) {
    out_ += text;
    if (runtime_.budget.string(out_.size())) return true;
    runtime_.limitFailure();
    return false;
  }

  bool writeLineBreak(size_t indent) {
    if (!write("\n")) return false;
    out_.append(indent, ' ');
    return true;
  }

  static std::vector<Dict::Entry> sortedEntries(Dict& dict) {
    const auto entries = dict.entries();
    std::vector<Dict::Entry> sorted(entries.begin(), entries.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return keyLess(a.key, b.key); });
    return sorted;
  }

  // repr() of the value with the keys of all its dicts in order.
  Value repr(const Value& value, size_t level) {
    const Value copy = ordered(value, level);
    return copy.failed() ? copy : toRepr(runtime_, copy);
  }

  Value ordered(const Value& value, size_t level) {
    if (level > runtime_.budget.limits().valueDepth) {
      return runtime_.limitFailure(Limit::kValueDepth);
    }
    if (value.is(Type::kDict)) {
      Dict* copy = runtime_.makeDict();
      for (const Dict::Entry& entry : sortedEntries(value.asDict())) {
        const Value member = ordered(entry.value, level + 1);
        if (member.failed() || !setItem(runtime_, *copy, entry.key, member)) {
          return Value::failure();
        }
      }
      return Value::dict(copy);
    }
    if (!value.isSequence()) return value;
    List* copy = runtime_.makeList();
    for (const Value& item : value.asList().items()) {
      const Value member = ordered(item, level + 1);
      if (member.failed()) return member;
      if (!runtime_.push(*copy, member)) return runtime_.limitFailure();
    }
    return value.is(Type::kList) ? Value::list(copy) : Value::tuple(copy);
  }

  bool dict(const Value& value, size_t indent, size_t allowance, size_t level) {
    write("{");
    const auto entries = sortedEntries(value.asDict());
    for (size_t i = 0; i < entries.size(); ++i) {
      const bool last = i + 1 == entries.size();
      const Value key = repr(entries[i].key, level);
      if (key.failed() || !write(key.text()) || !write(": ")) return false;
      const size_t inner = indent + 1 + codePoints(key.text()) + 2;
      if (!print(entries[i].value, inner, last ? allowance + 1 : 1, level)) return false;
      if (!last && (!write(",") || !writeLineBreak(indent + 1))) return false;
    }
    return write("}");
  }

  bool sequence(const Value& value, size_t indent, size_t allowance, size_t level) {
    const auto items = value.asList().items();
    std::string_view close = "]";
    if (value.is(Type::kTuple)) close = items.size() == 1 ? ",)" : ")";
    write(value.is(Type::kTuple) ? "(" : "[");
    for (size_t i = 0; i < items.size(); ++i) {
      const bool last = i + 1 == items.size();
      if (!print(items[i], indent + 1, last ? allowance + close.size() : 1, level)) return false;
      if (!last && (!write(",") || !writeLineBreak(indent + 1))) return false;
    }
    return write(close);
  }

  size_t reprSize(std::string_view text) {
    return codePoints(toRepr(runtime_, Value::string(text)).text());
  }

  // The pieces of a long text, each on a line of its own: its lines, and their words where these
  // are too long as well.
  std::vector<std::string> pieces(std::string_view text, size_t indent, size_t allowance) {
    std::vector<std::string> chunks;
    const auto keep = [&](std::string_view piece) {
      appendRepr(runtime_, chunks.emplace_back(), Value::string(piece));
    };
    const text::Parts lines = text::splitLines(text, true);
    for (size_t i = 0; i < lines.size() && runtime_.budget.spend(lines[i].size() + 1); ++i) {
      const bool lastLine = i + 1 == lines.size();
      if (reprSize(lines[i]) <= widthLeft(indent, lastLine ? allowance : 0)) {
        keep(lines[i]);
        continue;
      }
      const text::Parts words = wordsWithSpace(lines[i]);
      std::string_view current = lines[i].substr(0, 0);
      for (size_t j = 0; j < words.size(); ++j) {
        const std::string_view candidate = {current.data(), current.size() + words[j].size()};
        const bool lastWord = lastLine && j + 1 == words.size();
        if (reprSize(candidate) <= widthLeft(indent, lastWord ? allowance : 0)) {
          current = candidate;
          continue;
        }
        if (!current.empty()) keep(current);
        current = words[j];
      }
      if (!current.empty()) keep(current);
    }
    return chunks;
  }

  bool string(std::string_view text, size_t indent, size_t allowance, size_t level) {
    const bool outermost = level == 1;
    const auto chunks = pieces(text, indent + (outermost ? 1 : 0), allowance + (outermost ? 1 : 0));
    const bool bracketed = outermost && chunks.size() > 1;
    if (bracketed) write("(");
    for (size_t i = 0; i < chunks.size(); ++i) {
      if (i > 0 && !writeLineBreak(indent + (outermost ? 1 : 0))) return false;
      if (!write(chunks[i])) return false;
    }
    return !bracketed || write(")");
  }

  Runtime& runtime_;
  std::string out_;
};

}  // namespace

Value pprintFilter(Call& call) {
  PrettyPrinter printer(call.runtime);
  return printer.print(call[0], 0, 0, 0) ? call.runtime.newString(printer.take())
                                         : Value::failure();
}

}  // namespace strata::jinja
