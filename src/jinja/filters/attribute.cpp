#include "jinja/filters/attribute.h"

#include <algorithm>

#include "jinja/ops.h"
#include "jinja/text/case.h"
#include "jinja/text/numerals.h"
#include "jinja/text/operations.h"

namespace strata::jinja {
namespace {

// Removes the part before the first `separator` from `rest`. Returns false at the end.
bool takePart(std::string_view& rest, bool& more, char separator, std::string_view& part) {
  if (!more) return false;
  const size_t end = std::min(rest.find(separator), rest.size());
  part = rest.substr(0, end);
  more = end < rest.size();
  rest = rest.substr(more ? end + 1 : end);
  return true;
}

Value pathStep(Runtime& runtime, std::string_view part) {
  const bool digits = part.find_first_not_of("0123456789") == std::string_view::npos;
  const Value index = digits ? text::readInteger(runtime.heap, part, 10) : Value::absent();
  return index.isAbsent() ? runtime.string(part) : index;
}

}  // namespace

Value Attribute::get(Runtime& runtime, Value item) const {
  Value out = item;
  const auto take = [&](Value step) {
    out = getItem(runtime, out, step);
    if (out.isUndefined() && !fallback.isAbsent() && !fallback.isNone()) out = fallback;
  };
  if (path.isString()) {
    std::string_view rest = path.text();
    bool more = true;
    for (std::string_view part; !out.failed() && takePart(rest, more, '.', part);)
      take(pathStep(runtime, part));
  } else if (!path.isAbsent() && !path.isNone()) {
    take(path);
  }
  if (!ignoreCase || !out.isString()) return out;
  return text::changed(runtime, out, text::appendLower);
}

List* attributesOf(Runtime& runtime, List& list, const Attribute& attribute, size_t* width) {
  List* keys = runtime.makeList();
  for (const Value item : list.items()) {
    const bool split = width != nullptr && attribute.path.isString();
    std::string_view rest = split ? attribute.path.text() : std::string_view();
    bool more = true;
    size_t count = 0;
    for (std::string_view part; takePart(rest, more, ',', part); ++count) {
      Attribute one = attribute;
      if (split) one.path = runtime.string(part);
      const Value key = one.get(runtime, item);
      if (key.failed()) return nullptr;
      keys->append(key);
    }
    if (width != nullptr) *width = count;
  }
  return keys;
}

}  // namespace strata::jinja
