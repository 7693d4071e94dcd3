// Implements the filter pprint: Python's pprint.pformat with 80 columns and sorted keys.
#include "base/utf8.h"
#include "jinja/filters/sorting.h"
#include "jinja/filters/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "jinja/text/characters.h"
#include "jinja/text/split.h"

namespace strata::jinja {
namespace {

constexpr size_t kWidth = 80;

// pprint orders incomparable keys by the names of their types (pprint._safe_key).
Tristate isKeyLess(Runtime& runtime, Value left, Value right) {
  const bool alike = (left.isString() && right.isString()) || (left.isNumber() && right.isNumber());
  if (alike) return isLess(runtime, left, right);
  return typeName(left) < typeName(right) ? Tristate::kYes : Tristate::kNo;
}

// Returns a copy of `value` with the keys of all dicts sorted.
Value withSortedKeys(Runtime& runtime, Value value, size_t level) {
  const bool isDict = value.is(Type::kDict);
  if (!isDict && !value.isSequence()) return value;
  if (level > runtime.budget.limits().valueDepth) return runtime.limitFailure(Limit::kValueDepth);
  List* items = runtime.makeList();
  if (!isDict) {
    for (const Value item : value.asList().items()) {
      const Value copy = withSortedKeys(runtime, item, level + 1);
      if (copy.failed()) return copy;
      if (!runtime.push(*items, copy)) return runtime.limitFailure();
    }
    return value.is(Type::kList) ? Value(*items) : Value::tuple(items);
  }
  const auto entries = value.asDict().entries();
  for (const Dict::Entry& entry : entries) items->append(entry.key);
  const uint32_t* positions = sortedPositions(runtime, items->items(), isKeyLess);
  Dict* out = runtime.makeDict();
  for (size_t i = 0; i < entries.size(); ++i) {
    if (positions == nullptr) return Value::failure();
    const Dict::Entry& entry = entries[positions[i]];
    const Value copy = withSortedKeys(runtime, entry.value, level + 1);
    if (copy.failed() || !setItem(runtime, *out, entry.key, copy)) return Value::failure();
  }
  return Value(*out);
}

class PrettyPrinter {
 public:
  explicit PrettyPrinter(Runtime& runtime) : runtime_(runtime), out_(runtime) {}

  bool print(Value value, size_t indent, size_t allowance, size_t level) {
    const Value shown = toRepr(runtime_, value);
    if (shown.failed() || out_.failed()) return false;
    const bool breakable = value.is(Type::kDict) || value.isSequence() ||
                           (value.isString() && !value.isSafe() && !value.text().empty());
    if (!breakable || fits(shown, indent, allowance)) {
      out_.append(shown.text());
      return true;
    }
    if (value.isString()) return string(value.text(), indent, allowance, level == 0);
    return container(value, indent, allowance, level + 1);
  }

  Value take() { return out_.take(); }

 private:
  static bool fits(Value shown, size_t indent, size_t allowance) {
    return codePoints(shown.text()) + indent + allowance <= kWidth;
  }

  void breakLine(size_t indent) { out_.append('\n').repeat(" ", indent); }

  bool container(Value value, size_t indent, size_t allowance, size_t level) {
    const bool isDict = value.is(Type::kDict);
    const size_t size = isDict ? value.asDict().size() : value.asList().size();
    std::string_view brackets = "[]";
    if (isDict) brackets = "{}";
    if (value.is(Type::kTuple)) brackets = size == 1 ? "(,)" : "()";
    out_.append(brackets[0]);
    brackets.remove_prefix(1);
    for (size_t i = 0; i < size; ++i) {
      const bool last = i + 1 == size;
      const size_t reserved = last ? allowance + brackets.size() : 1;
      const bool printed = isDict ? member(value.asDict().entries()[i], indent + 1, reserved, level)
                                  : print(value.asList().items()[i], indent + 1, reserved, level);
      if (!printed) return false;
      if (last) break;
      out_.append(',');
      breakLine(indent + 1);
    }
    out_.append(brackets);
    return true;
  }

  bool member(const Dict::Entry& entry, size_t indent, size_t allowance, size_t level) {
    const Value key = toRepr(runtime_, entry.key);
    if (key.failed()) return false;
    out_.append(key.text()).append(": ");
    return print(entry.value, indent + codePoints(key.text()) + 2, allowance, level);
  }

  // Adds the repr of one piece of a long string.
  bool add(List& pieces, std::string_view piece) {
    if (piece.empty()) return true;
    const Value shown = toRepr(runtime_, runtime_.string(piece));
    if (shown.failed()) return false;
    pieces.append(shown);
    return true;
  }

  // Returns the end of the word at `at` and its trailing white space: `\S*\s*`.
  static size_t wordEnd(std::string_view line, size_t at) {
    bool inSpace = false;
    while (at < line.size()) {
      size_t next = at;
      const bool space = text::isSpace(decodeUtf8(line, next));
      if (inSpace && !space) break;
      inSpace = space;
      at = next;
    }
    return at;
  }

  // Adds the words of a line, as many per piece as fit.
  bool addWords(List& pieces, std::string_view line, size_t indent, size_t allowance) {
    size_t begin = 0;
    size_t end = 0;
    while (end < line.size()) {
      const size_t next = wordEnd(line, end);
      const Value candidate = toRepr(runtime_, runtime_.string(line.substr(begin, next - begin)));
      if (candidate.failed()) return false;
      if (!fits(candidate, indent, next == line.size() ? allowance : 0)) {
        if (!add(pieces, line.substr(begin, end - begin))) return false;
        begin = end;
      }
      end = next;
    }
    return add(pieces, line.substr(begin));
  }

  // Prints a string that is too long: line by line, and word by word if a line is too long.
  bool string(std::string_view text, size_t indent, size_t allowance, bool outermost) {
    if (outermost) {
      ++indent;
      ++allowance;
    }
    List& pieces = *runtime_.makeList();
    const text::Parts lines = text::splitLines(runtime_.heap, text, true);
    for (size_t i = 0; i < lines.size(); ++i) {
      const size_t reserved = i + 1 == lines.size() ? allowance : 0;
      const Value shown = toRepr(runtime_, runtime_.string(lines[i]));
      if (shown.failed()) return false;
      if (fits(shown, indent, reserved)) {
        pieces.append(shown);
      } else if (!addWords(pieces, lines[i], indent, reserved)) {
        return false;
      }
    }
    const bool bracketed = outermost && pieces.size() > 1;
    if (bracketed) out_.append('(');
    for (const Value& piece : pieces.items()) {
      if (&piece != pieces.items().data()) breakLine(indent);
      out_.append(piece.text());
    }
    if (bracketed) out_.append(')');
    return true;
  }

  Runtime& runtime_;
  Text out_;
};

}  // namespace

Value pprintFilter(Call& call) {
  const Value value = withSortedKeys(call.runtime, call[0], 0);
  if (value.failed()) return value;
  PrettyPrinter printer(call.runtime);
  return printer.print(value, 0, 0, 0) ? printer.take() : call.runtime.limitFailure();
}

}  // namespace strata::jinja
