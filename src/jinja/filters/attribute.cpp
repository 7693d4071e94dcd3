#include "jinja/filters/attribute.h"

#include "jinja/ops.h"
#include "jinja/text/case.h"
#include "jinja/text/numerals.h"
#include "jinja/text/split.h"

namespace strata::jinja {

AttributeGetter::AttributeGetter(const Value& attribute, bool ignoreCase, const Value& fallback)
    : fallback_(fallback), ignoreCase_(ignoreCase) {
  if (attribute.isAbsent() || attribute.isNone()) return;
  if (!attribute.isString()) {
    steps_.push_back(attribute);
    return;
  }
  for (const std::string_view part : text::splitAt(attribute.text(), ".")) {
    int64_t index = 0;
    const bool digits = part.find_first_not_of("0123456789") == std::string_view::npos;
    const bool number = digits && text::readInteger(part, 10, index) == text::IntegerText::kRead;
    steps_.push_back(number ? Value::integer(index) : Value::string(part));
  }
}

Value AttributeGetter::get(Runtime& runtime, const Value& item) const {
  Value out = item;
  for (const Value& step : steps_) {
    out = getItem(runtime, out, step);
    if (out.failed()) return out;
    if (out.isUndefined() && !fallback_.isAbsent() && !fallback_.isNone()) out = fallback_;
  }
  return ignoreCase_ ? ignoreCase(runtime, out) : out;
}

std::vector<AttributeGetter> attributeGetters(const Value& attribute, bool ignoreCase) {
  std::vector<AttributeGetter> getters;
  if (!attribute.isString()) {
    getters.emplace_back(attribute, ignoreCase);
    return getters;
  }
  for (const std::string_view part : text::splitAt(attribute.text(), ",")) {
    getters.emplace_back(Value::string(part), ignoreCase);
  }
  return getters;
}

Value ignoreCase(Runtime& runtime, const Value& value) {
  if (!value.isString()) return value;
  std::string lower;
  text::appendLower(lower, value.text());
  return runtime.newString(lower, value.isSafe());
}

}  // namespace strata::jinja
