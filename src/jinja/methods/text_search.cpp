// Methods of str that answer a question about the text.
#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "jinja/lexeme.h"
#include "jinja/methods/tables.h"
#include "jinja/ops.h"
#include "jinja/text/case_tests.h"
#include "jinja/text/characters.h"

namespace strata::jinja {
namespace {

// text[start:end] and the code point where it begins; absent from the end on where start is behind.
struct Window {
  std::string_view text;
  size_t first = 0;
  bool valid = true;
};

// Parameters `at` and `at + 1`: start and end as slices count them.
bool window(Call& call, size_t at, Window& out) {
  const std::string_view text = call[0].text();
  const auto size = static_cast<int64_t>(codePoints(text));
  int64_t start = 0;
  int64_t end = size;
  if (!call[at].isNone() && !call.integer(at, start)) return false;
  if (!call[at + 1].isNone() && !call.integer(at + 1, end)) return false;
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

struct Place {
  bool failed = false;
  int64_t index = -1;
};

Place locate(Call& call, bool fromRight) {
  std::string_view part;
  Window where;
  if (!call.text(1, part) || !window(call, 2, where)) return {true};
  if (!call.runtime.budget.spend(where.text.size() / 64)) {
    call.runtime.limitFailure();
    return {true};
  }
  const size_t at = fromRight ? where.text.rfind(part) : where.text.find(part);
  if (!where.valid || at == std::string_view::npos) return {};
  return {false, static_cast<int64_t>(where.first + codePoints(where.text.substr(0, at)))};
}

Value found(Runtime& runtime, const Place& place) {
  return place.failed ? Value::failure() : runtime.integer(place.index);
}

Value demanded(Call& call, const Place& place) {
  if (!place.failed && place.index < 0) return call.runtime.fail("substring not found");
  return found(call.runtime, place);
}

Value find(Call& call) { return found(call.runtime, locate(call, false)); }
Value rfind(Call& call) { return found(call.runtime, locate(call, true)); }
Value index(Call& call) { return demanded(call, locate(call, false)); }
Value rindex(Call& call) { return demanded(call, locate(call, true)); }

Value count(Call& call) {
  std::string_view part;
  Window where;
  if (!call.text(1, part) || !window(call, 2, where)) return Value::failure();
  if (!where.valid) return call.runtime.integer(0);
  if (part.empty()) return call.runtime.integer(static_cast<int64_t>(codePoints(where.text)) + 1);
  if (!call.runtime.budget.spend(where.text.size() / 64)) return call.runtime.limitFailure();
  int64_t times = 0;
  for (size_t at = where.text.find(part); at != std::string_view::npos;
       at = where.text.find(part, at + part.size())) {
    ++times;
  }
  return call.runtime.integer(times);
}

// Whether the text begins (or ends) with the given one, or with one of a tuple.
Value touches(Call& call, bool atEnd) {
  Window where;
  if (!window(call, 2, where)) return Value::failure();
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

Value startswith(Call& call) { return touches(call, false); }
Value endswith(Call& call) { return touches(call, true); }

template <bool (*question)(uint32_t)>
Value all(Call& call) {
  return Value::boolean(text::holdsForAll(call[0].text(), question));
}

template <bool (*question)(std::string_view)>
Value is(Call& call) {
  return Value::boolean(question(call[0].text()));
}

bool isAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

bool isPrintableText(std::string_view text) {
  return text.empty() || text::holdsForAll(text, text::isPrintable);
}

bool isIdentifier(std::string_view text) {
  size_t second = 0;
  if (text.empty() || identifierLength(text) != text.size()) return false;
  const uint32_t first = decodeUtf8(text, second);
  return first == '_' || text::isAlpha(first);
}

bool isDecimal(uint32_t c) { return text::decimalValue(c) >= 0; }

// All numerals but the Chinese ones, which are letters as well.
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
