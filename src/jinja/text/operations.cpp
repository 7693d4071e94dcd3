#include "jinja/text/operations.h"

#include "jinja/ops.h"
#include "jinja/text/search.h"

namespace strata::jinja::text {
namespace {

Value replaceEmpty(Runtime& runtime, std::string_view text, std::string_view to, int64_t count,
                   bool safe) {
  Text out(runtime);
  while (count != 0 && !out.failed()) {
    out.append(to);
    if (count > 0) --count;
    if (text.empty()) break;
    const size_t next = codePointOffset(text, 1);
    out.append(text.substr(0, next));
    text.remove_prefix(next);
  }
  return out.append(text).take(safe);
}

}  // namespace

Value changed(Runtime& runtime, Value text,
              void (*change)(std::string& out, std::string_view text)) {
  if (!runtime.canClassify(text.text())) return Value::failure();
  std::string out;
  change(out, text.text());
  return runtime.newString(out, text.isSafe());
}

Value pad(Runtime& runtime, Value text, int64_t width, std::string_view fill, Side side) {
  const auto size = static_cast<int64_t>(codePoints(text.text()));
  if (width <= size) return text;
  const auto missing = static_cast<uint64_t>(width - size);
  const auto odd = missing & static_cast<uint64_t>(width) & 1U;
  uint64_t left = missing / 2 + odd;
  if (side == Side::kLeft) left = missing;
  if (side == Side::kRight) left = 0;
  Text out(runtime);
  out.repeat(fill, left).append(text.text()).repeat(fill, missing - left);
  return out.take(text.isSafe());
}

Value replace(Runtime& runtime, std::string_view text, std::string_view from, std::string_view to,
              int64_t count, bool safe) {
  if (from.empty()) return replaceEmpty(runtime, text, to, count, safe);
  if (!runtime.canRead(text)) return Value::failure();
  Text out(runtime);
  for (; count != 0 && !out.failed(); --count) {
    const size_t found = find(text, from);
    if (found == std::string_view::npos) break;
    out.append(text.substr(0, found)).append(to);
    text.remove_prefix(found + from.size());
  }
  return out.append(text).take(safe);
}

}  // namespace strata::jinja::text
