// Implements filters that apply a filter or test to every item: map, select, reject, selectattr and
// rejectattr.
#include "jinja/filters/attribute.h"
#include "jinja/filters/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"

namespace strata::jinja {
namespace {

// Jinja2's generators check `if value` first, so None and 0 yield nothing instead of failing.
bool isEmpty(Runtime& runtime, Value value, bool& failed) {
  const Tristate condition = truth(runtime, value);
  failed = condition == Tristate::kFailed;
  return condition != Tristate::kYes;
}

Value emptyResult(Runtime& runtime, bool failed) {
  return failed ? Value::failure() : runtime.newIterator(runtime.makeList());
}

// Reads the name of the filter or test at position `at`.
bool nameAt(Call& call, size_t at, std::string_view& name) {
  const Value value = call.rest()[at];
  if (value.isString()) {
    name = value.text();
    return true;
  }
  call.runtime.fail("No filter or test named {}.", value);
  return false;
}

// Reads the arguments of map(attribute=..., default=...).
bool attributeOf(Call& call, Value& attribute, Value& fallback) {
  if (!call.rest().empty()) return false;
  for (const NamedValue& named : call.named()) {
    if (named.name == "attribute") attribute = named.value;
    if (named.name == "default") fallback = named.value;
  }
  return !attribute.isAbsent();
}

bool hasOtherNames(Call& call) {
  for (const NamedValue& named : call.named()) {
    if (named.name != "attribute" && named.name != "default") {
      call.runtime.fail("Unexpected keyword argument '{}'", named.name);
      return true;
    }
  }
  return false;
}

// Returns the attribute of every item, or, if `name` is set, the result of that filter.
Value mapItems(Call& call, const Attribute& attribute, std::string_view name,
               const Arguments& arguments) {
  Runtime& runtime = call.runtime;
  List* out = runtime.makeList();
  Iteration each(runtime, call[0]);
  for (Value item; each.next(item);) {
    const Value result = name.data() == nullptr ? attribute.get(runtime, item)
                                                : runtime.applyFilter(name, item, arguments);
    if (result.failed()) return result;
    if (!runtime.push(*out, result)) return runtime.limitFailure();
  }
  return each.failed() ? Value::failure() : runtime.newIterator(out);
}

Value map(Call& call) {
  Runtime& runtime = call.runtime;
  bool failed = false;
  if (isEmpty(runtime, call[0], failed)) return emptyResult(runtime, failed);
  Value attribute = Value::absent();
  Value fallback = Value::absent();
  if (attributeOf(call, attribute, fallback)) {
    if (hasOtherNames(call)) return Value::failure();
    return mapItems(call, {attribute, false, fallback}, {}, {});
  }
  std::string_view name;
  if (call.rest().empty()) return runtime.fail("map requires a filter argument");
  if (!nameAt(call, 0, name)) return Value::failure();
  return mapItems(call, {}, name, {call.rest().subspan(1), call.named()});
}

// Returns the items whose test, or truth if there is no test, equals `wanted`.
Value selectItems(Call& call, bool byAttribute, bool wanted) {
  Runtime& runtime = call.runtime;
  bool failed = false;
  if (isEmpty(runtime, call[0], failed)) return emptyResult(runtime, failed);
  const size_t at = byAttribute ? 1 : 0;
  if (call.rest().size() < at) return runtime.fail("Missing parameter for attribute name");
  const Attribute attribute{byAttribute ? call.rest()[0] : Value::absent()};
  std::string_view name;
  const bool hasTest = call.rest().size() > at;
  if (hasTest && !nameAt(call, at, name)) return Value::failure();
  const Arguments arguments{call.rest().subspan(hasTest ? at + 1 : at), call.named()};
  List* out = runtime.makeList();
  Iteration each(runtime, call[0]);
  for (Value item; each.next(item);) {
    const Value testedValue = attribute.get(runtime, item);
    if (testedValue.failed()) return testedValue;
    const Tristate condition =
        hasTest ? runtime.applyTest(name, testedValue, arguments) : truth(runtime, testedValue);
    if (condition == Tristate::kFailed) return Value::failure();
    if ((condition == Tristate::kYes) != wanted) continue;
    if (!runtime.push(*out, item)) return runtime.limitFailure();
  }
  return each.failed() ? Value::failure() : runtime.newIterator(out);
}

Value select(Call& call) { return selectItems(call, false, true); }
Value reject(Call& call) { return selectItems(call, false, false); }
Value selectattr(Call& call) { return selectItems(call, true, true); }
Value rejectattr(Call& call) { return selectItems(call, true, false); }

constexpr Builtin kRows[] = {
    {"map value *args **kwargs", map},
    {"reject value *args **kwargs", reject},
    {"rejectattr value *args **kwargs", rejectattr},
    {"select value *args **kwargs", select},
    {"selectattr value *args **kwargs", selectattr},
};

}  // namespace

std::span<const Builtin> selectionFilters() { return kRows; }

}  // namespace strata::jinja
