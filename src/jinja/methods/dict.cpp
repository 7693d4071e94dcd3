// Implements the methods of dict. A dict of the context is the render's own copy.
#include "jinja/methods/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"

namespace strata::jinja {
namespace {

template <ViewKind kind>
Value view(Call& call) {
  return Value(*call.runtime.heap.make<DictView>(&call[0].asDict(), kind));
}

Value get(Call& call) {
  if (!checkKey(call.runtime, call[1])) return Value::failure();
  if (const Value* found = call[0].asDict().find(call[1])) return *found;
  return call.has(2) ? call[2] : Value::none();
}

Value missingKey(Call& call) {
  const Value key = toRepr(call.runtime, call[1]);
  return key.failed() ? key : call.runtime.fail("{}", key.text());
}

Value pop(Call& call) {
  if (!checkKey(call.runtime, call[1])) return Value::failure();
  Dict& dict = call[0].asDict();
  const Value* found = dict.find(call[1]);
  if (found == nullptr) return call.has(2) ? call[2] : missingKey(call);
  const Value value = *found;
  dict.erase(call[1]);
  return value;
}

Value popitem(Call& call) {
  Dict& dict = call[0].asDict();
  if (dict.size() == 0) return call.runtime.fail("'popitem(): dictionary is empty'");
  const Dict::Entry last = dict.entries().back();
  dict.erase(last.key);
  const Value pair[] = {last.key, last.value};
  return call.runtime.newTuple(pair);
}

Value setdefault(Call& call) {
  if (!checkKey(call.runtime, call[1])) return Value::failure();
  Dict& dict = call[0].asDict();
  if (const Value* found = dict.find(call[1])) return *found;
  const Value value = call.has(2) ? call[2] : Value::none();
  return setItem(call.runtime, dict, call[1], value) ? value : Value::failure();
}

bool addMembers(Runtime& runtime, Dict& into, Dict& from) {
  if (&into == &from) return true;
  for (const Dict::Entry& entry : from.entries()) {
    if (!setItem(runtime, into, entry.key, entry.value)) return false;
  }
  return true;
}

bool addPairs(Runtime& runtime, Dict& into, Value pairs) {
  Iteration each(runtime, pairs);
  for (Value pair; each.next(pair);) {
    List* items = toList(runtime, pair);
    if (items == nullptr) return false;
    if (items->size() != 2) {
      runtime.fail("dictionary update sequence element has not the length 2");
      return false;
    }
    if (!setItem(runtime, into, items->items()[0], items->items()[1])) return false;
  }
  return !each.failed();
}

Value update(Call& call) {
  Dict& dict = call[0].asDict();
  if (call.rest().size() > 1) {
    return call.runtime.fail("update expected at most 1 argument");
  }
  for (const Value other : call.rest()) {
    if (other.isUndefined()) return call.runtime.undefinedFailure(other);
    const bool added = other.is(Type::kDict) ? addMembers(call.runtime, dict, other.asDict())
                                             : addPairs(call.runtime, dict, other);
    if (!added) return Value::failure();
  }
  for (const NamedValue& named : call.named()) {
    if (!setItem(call.runtime, dict, call.runtime.string(named.name), named.value)) {
      return Value::failure();
    }
  }
  return Value::none();
}

Value copy(Call& call) {
  Dict* out = call.runtime.makeDict();
  return addMembers(call.runtime, *out, call[0].asDict()) ? Value(*out) : Value::failure();
}

Value clear(Call& call) {
  call[0].asDict().clear();
  return Value::none();
}

constexpr Builtin kRows[] = {
    {"clear self /", clear},
    {"copy self /", copy},
    {"get self key default? /", get},
    {"items self /", view<ViewKind::kItems>},
    {"keys self /", view<ViewKind::kKeys>},
    {"pop self key default? /", pop},
    {"popitem self /", popitem},
    {"setdefault self key default? /", setdefault},
    {"update self *args **kwargs", update},
    {"values self /", view<ViewKind::kValues>},
};

}  // namespace

std::span<const Builtin> dictMethods() { return kRows; }

}  // namespace strata::jinja
