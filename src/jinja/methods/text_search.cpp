// Implements the methods of str that search or classify text.
#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "jinja/lexeme.h"
#include "jinja/methods/tables.h"
#include "jinja/ops.h"
#include "jinja/text/case_tests.h"
#include "jinja/text/characters.h"
#include "jinja/text/search.h"

namespace strata::jinja {
namespace {

// The range text[start:end] and its first code point. Invalid if start is after end.
struct Window {
  std::string_view text;
  size_t first = 0;
  bool valid = true;
};

// Reads the parameters `at` and `at + 1` as the start and end of a slice.
bool readWindow(Call& call, size_t at, Window& out) {
  const std::string_view text = call[0].text();
  if (!call.runtime.canRead(text)) return false;
  const auto size = static_cast<int64_t>(codePoints(text));
  int64_t start = 0;
  int64_t end = size;
  if (!call[at].isNone() && !call.clampedInteger(at, start)) return false;
  if (!call[at + 1].isNone() && !call.clampedInteger(at + 1, end)) return false;
  if (start < 0) start = std::max<int64_t>(start + size, 0);
  if (end < 0) end = std::max<int64_t>(end + size, 0);
  end = std::min(end, size);
  out.valid = start <= end;
  if (!out.valid) return true;
  out.first = static_cast<size_t>(start);
  out.text = text.substr(codePointOffset(text, out.first));
  out.text = out.text.substr(0, codePointOffset(out.text, static_cast<size_t>(end - start)));
  return true;
}

struct SearchResult {
  bool failed = false;
  int64_t index = -1;
};

SearchResult locate(Call& call, bool fromRight) {
  std::string_view part;
  Window where;
  if (!call.text(1, part) || !readWindow(call, 2, where)) return {true};
  const size_t at = fromRight ? text::rfind(where.text, part) : text::find(where.text, part);
  if (!where.valid || at == std::string_view::npos) return {};
  return {false, static_cast<int64_t>(where.first + codePoints(where.text.substr(0, at)))};
}

Value toIndex(Runtime& runtime, const SearchResult& result) {
  return result.failed ? Value::failure() : runtime.integer(result.index);
}

Value indexOrFailure(Call& call, const SearchResult& result) {
  if (!result.failed && result.index < 0) return call.runtime.fail("substring not found");
  return toIndex(call.runtime, result);
}

Value find(Call& call) { return toIndex(call.runtime, locate(call, false)); }
Value rfind(Call& call) { return toIndex(call.runtime, locate(call, true)); }
Value index(Call& call) { return indexOrFailure(call, locate(call, false)); }
Value rindex(Call& call) { return indexOrFailure(call, locate(call, true)); }

Value count(Call& call) {
  std::string_view part;
  Window where;
  if (!call.text(1, part) || !readWindow(call, 2, where)) return Value::failure();
  if (!where.valid) return call.runtime.integer(0);
  if (part.empty()) return call.runtime.integer(static_cast<int64_t>(codePoints(where.text)) + 1);
  int64_t times = 0;
  for (size_t at = text::find(where.text, part); at != std::string_view::npos;
       at = text::find(where.text, part)) {
    where.text.remove_prefix(at + part.size());
    ++times;
  }
  return call.runtime.integer(times);
}

// Returns whether the text starts (or ends) with the given string or with one of a tuple.
Value matchesAffix(Call& call, bool atEnd) {
  Window where;
  if (!readWindow(call, 2, where)) return Value::failure();
  const Value single = call[1];
  std::span<const Value> options(&single, 1);
  if (call[1].is(Type::kTuple)) options = call[1].asList().items();
  for (const Value option : options) {
    if (!option.isString()) {
      return call.runtime.fail(ErrorKind::kRuntime,
                               "{} first arg must be str or a tuple of str, not {}",
                               atEnd ? "endswith" : "startswith", typeName(option));
    }
    const std::string_view part = option.text();
    const bool yes = atEnd ? where.text.ends_with(part) : where.text.starts_with(part);
    if (where.valid && yes) return Value::boolean(true);
  }
  return Value::boolean(false);
}

Value startswith(Call& call) { return matchesAffix(call, false); }
Value endswith(Call& call) { return matchesAffix(call, true); }

template <bool (*predicate)(uint32_t)>
Value all(Call& call) {
  const std::string_view text = call[0].text();
  if (!call.runtime.canClassify(text)) return Value::failure();
  return Value::boolean(text::holdsForAll(text, predicate));
}

template <bool (*predicate)(std::string_view)>
Value is(Call& call) {
  const std::string_view text = call[0].text();
  return call.runtime.canClassify(text) ? Value::boolean(predicate(text)) : Value::failure();
}

bool isAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

bool isPrintableText(std::string_view text) {
  return text.empty() || text::holdsForAll(text, text::isPrintable);
}

bool isDecimal(uint32_t c) { return text::decimalValue(c) >= 0; }

// Numeric characters, except Chinese numerals, which are also letters.
bool isNumeric(uint32_t c) { return text::isAlnum(c) && !text::isAlpha(c); }

constexpr Builtin kRows[] = {
    {"count self sub start? end? /", count},
    {"endswith self suffix start? end? /", endswith},
    {"find self sub start? end? /", find},
    {"index self sub start? end? /", index},
    {"isalnum self /", all<text::isAlnum>},
    {"isalpha self /", all<text::isAlpha>},
    {"isascii self /", is<isAscii>},
    {"isdecimal self /", all<isDecimal>},
    {"isdigit self /", all<text::isDigit>},
    {"isidentifier self /", is<isIdentifier>},
    {"islower self /", is<text::isLowerText>},
    {"isnumeric self /", all<isNumeric>},
    {"isprintable self /", is<isPrintableText>},
    {"isspace self /", all<text::isSpace>},
    {"istitle self /", is<text::isTitleText>},
    {"isupper self /", is<text::isUpperText>},
    {"rfind self sub start? end? /", rfind},
    {"rindex self sub start? end? /", rindex},
    {"startswith self prefix start? end? /", startswith},
};

}  // namespace

std::span<const Builtin> textSearchMethods() { return kRows; }

}  // namespace strata::jinja
