// Implements the methods of str that return text. On Markup they return Markup and escape their
// arguments.
#include <algorithm>
#include <string>

#include "jinja/methods/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "jinja/text/case.h"
#include "jinja/text/operations.h"
#include "jinja/text/search.h"
#include "jinja/text/split.h"

namespace strata::jinja {
namespace {

template <void (*change)(std::string& out, std::string_view text)>
Value changed(Call& call) {
  return text::changed(call.runtime, call[0], change);
}

// Markup does not override casefold(), so the result is a plain string.
Value casefold(Call& call) {
  return text::changed(call.runtime, call.runtime.string(call[0].text()), text::appendFolded);
}

// Reads the text of parameter `at`, escaped if the receiver is Markup. Returns false after a
// failure.
bool readArgument(Call& call, size_t at, std::string_view& out) {
  if (!call.text(at, out)) return false;
  if (!call[0].isSafe() || !call.has(at)) return true;
  const Value escaped = escape(call.runtime, call[at]);
  if (escaped.isString()) out = escaped.text();
  return escaped.isString();
}

Value stripped(Call& call, text::Side side) {
  std::optional<std::string_view> characters;
  std::string_view given;
  if (call.has(1) && !call[1].isNone()) {
    if (!readArgument(call, 1, given)) return Value::failure();
    characters = given;
  }
  return call.runtime.string(text::strip(call.runtime.budget, call[0].text(), side, characters),
                             call[0].isSafe());
}

Value strip(Call& call) { return stripped(call, text::Side::kBoth); }
Value lstrip(Call& call) { return stripped(call, text::Side::kLeft); }
Value rstrip(Call& call) { return stripped(call, text::Side::kRight); }

Value padded(Call& call, text::Side side) {
  int64_t width = 0;
  std::string_view fill = " ";
  if (!call.integer(1, width) || !readArgument(call, 2, fill)) return Value::failure();
  if (codePoints(fill) != 1) {
    return call.runtime.fail("The fill character must be exactly one character long");
  }
  return text::pad(call.runtime, call[0], width, fill, side);
}

Value center(Call& call) { return padded(call, text::Side::kBoth); }
Value ljust(Call& call) { return padded(call, text::Side::kRight); }
Value rjust(Call& call) { return padded(call, text::Side::kLeft); }

Value zfill(Call& call) {
  int64_t width = 0;
  if (!call.integer(1, width)) return Value::failure();
  const std::string_view text = call[0].text();
  const auto size = static_cast<int64_t>(codePoints(text));
  if (width <= size) return call[0];
  const size_t sign = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  Text out(call.runtime);
  out.append(text.substr(0, sign)).repeat("0", static_cast<uint64_t>(width - size));
  return out.append(text.substr(sign)).take(call[0].isSafe());
}

Value expandtabs(Call& call) {
  int64_t size = 8;
  if (!call.integer(1, size)) return Value::failure();
  Text out(call.runtime);
  int64_t column = 0;
  std::string_view rest = call[0].text();
  while (!rest.empty() && !out.failed()) {
    const size_t next = codePointOffset(rest, 1);
    if (rest[0] == '\t') {
      const int64_t spaces = size > 0 ? size - column % size : 0;
      out.repeat(" ", static_cast<uint64_t>(spaces));
      column += spaces;
    } else {
      out.append(rest.substr(0, next));
      column = rest[0] == '\n' || rest[0] == '\r' ? 0 : column + 1;
    }
    rest.remove_prefix(next);
  }
  return out.take(call[0].isSafe());
}

Value replace(Call& call) {
  int64_t count = -1;
  std::string_view from;
  std::string_view to;
  if (!readArgument(call, 1, from) || !readArgument(call, 2, to) || !call.integer(3, count)) {
    return Value::failure();
  }
  return text::replace(call.runtime, call[0].text(), from, to, count, call[0].isSafe());
}

Value removeprefix(Call& call) {
  std::string_view prefix;
  if (!call.text(1, prefix)) return Value::failure();
  std::string_view text = call[0].text();
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  return call.runtime.string(text);
}

Value removesuffix(Call& call) {
  std::string_view suffix;
  if (!call.text(1, suffix)) return Value::failure();
  std::string_view text = call[0].text();
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return call.runtime.string(text);
}

Value join(Call& call) {
  Runtime& runtime = call.runtime;
  const bool safe = call[0].isSafe();
  Text out(runtime);
  Iteration each(runtime, call[1]);
  bool first = true;
  for (Value item; each.next(item); first = false) {
    const Value text = safe ? escape(runtime, item) : item;
    if (text.failed()) return text;
    if (!text.isString()) {
      return runtime.fail("sequence item: expected str instance, {} found", text);
    }
    if (!first) out.append(call[0].text());
    out.append(text.text());
  }
  return each.failed() ? Value::failure() : out.take(safe);
}

Value listOf(Runtime& runtime, text::Parts parts, bool safe) {
  // Charges one fuel for each part that was found and one for each item.
  if (!runtime.budget.collection(parts.size()) || !runtime.budget.spend(parts.size())) {
    return runtime.limitFailure();
  }
  List* list = runtime.makeList();
  list->reserve(parts.size());
  for (const std::string_view part : parts) list->append(runtime.string(part, safe));
  return Value(*list);
}

using SplitWords = text::Parts (*)(Heap&, std::string_view, int64_t);
using SplitAt = text::Parts (*)(Heap&, std::string_view, std::string_view, int64_t);

Value splitBy(Call& call, SplitWords words, SplitAt at) {
  int64_t limit = -1;
  std::string_view separator;
  if (!call.integer(2, limit)) return Value::failure();
  const bool safe = call[0].isSafe();
  const std::string_view text = call[0].text();
  if (!call.has(1) || call[1].isNone())
    return listOf(call.runtime, words(call.runtime.heap, text, limit), safe);
  if (!call.text(1, separator)) return Value::failure();
  if (separator.empty()) return call.runtime.fail("empty separator");
  return listOf(call.runtime, at(call.runtime.heap, text, separator, limit), safe);
}

Value split(Call& call) { return splitBy(call, text::splitWords, text::splitAt); }
Value rsplit(Call& call) {
  return splitBy(call, text::splitWordsFromRight, text::splitAtFromRight);
}

Value splitlines(Call& call) {
  int64_t keepEnds = 0;
  if (!call.integer(1, keepEnds)) return Value::failure();
  return listOf(call.runtime, text::splitLines(call.runtime.heap, call[0].text(), keepEnds != 0),
                call[0].isSafe());
}

Value partitioned(Call& call, bool fromRight) {
  std::string_view separator;
  if (!readArgument(call, 1, separator)) return Value::failure();
  if (separator.empty()) return call.runtime.fail("empty separator");
  const std::string_view text = call[0].text();
  const bool safe = call[0].isSafe();
  const size_t at = fromRight ? text::rfind(text, separator) : text::find(text, separator);
  std::string_view parts[3] = {text, {}, {}};
  if (at == std::string_view::npos) {
    if (fromRight) std::swap(parts[0], parts[2]);
  } else {
    parts[0] = text.substr(0, at);
    parts[1] = separator;
    parts[2] = text.substr(at + separator.size());
  }
  const Value items[] = {call.runtime.string(parts[0], safe), call.runtime.string(parts[1], safe),
                         call.runtime.string(parts[2], safe)};
  return call.runtime.newTuple(items);
}

Value partition(Call& call) { return partitioned(call, false); }
Value rpartition(Call& call) { return partitioned(call, true); }

constexpr Builtin kRows[] = {
    {"capitalize self /", changed<text::appendCapitalized>},
    {"casefold self /", casefold},
    {"center self width fillchar? /", reading<center>},
    {"expandtabs self tabsize?", expandtabs},
    {"format self *args **kwargs", formatBraces},
    {"join self iterable /", join},
    {"ljust self width fillchar? /", reading<ljust>},
    {"lower self /", changed<text::appendLower>},
    {"lstrip self chars? /", reading<lstrip>},
    {"partition self sep /", reading<partition>},
    {"removeprefix self prefix /", removeprefix},
    {"removesuffix self suffix /", removesuffix},
    {"replace self old new count? /", replace},
    {"rjust self width fillchar? /", reading<rjust>},
    {"rpartition self sep /", reading<rpartition>},
    {"rsplit self sep? maxsplit?", reading<rsplit>},
    {"rstrip self chars? /", reading<rstrip>},
    {"split self sep? maxsplit?", reading<split>},
    {"splitlines self keepends?", reading<splitlines>},
    {"strip self chars? /", reading<strip>},
    {"swapcase self /", changed<text::appendSwapped>},
    {"title self /", changed<text::appendTitle>},
    {"upper self /", changed<text::appendUpper>},
    {"zfill self width /", reading<zfill>},
};

}  // namespace

std::span<const Builtin> textMethods() { return kRows; }

}  // namespace strata::jinja
