// Implements the global functions
// (https://jinja.palletsprojects.com/en/stable/templates/#list-of-global-functions),
// raise_exception and strftime_now.
#include <array>

#include "jinja/builtin.h"
#include "jinja/object.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "jinja/strftime.h"

namespace strata::jinja {
namespace {

Value range(Call& call) {
  int64_t start = 0;
  int64_t stop = 0;
  int64_t step = 1;
  for (size_t at = 0; at < 3; ++at) {
    if (call[at].isLongInteger()) return call.runtime.limitFailure(Limit::kRange);
  }
  if (!call.integer(0, call.has(1) ? start : stop)) return Value::failure();
  if (!call.integer(1, stop) || !call.integer(2, step)) return Value::failure();
  if (step == 0) return call.runtime.fail("range() arg 3 must not be zero");
  Range* made = call.runtime.heap.make<Range>(start, stop, step);
  if (made->size() > static_cast<uint64_t>(call.runtime.budget.limits().range)) {
    return call.runtime.limitFailure(Limit::kRange);
  }
  return Value(*made);
}

// Adds one (key, value) pair of the argument of dict().
bool addPair(Runtime& runtime, Dict& dict, Value pair) {
  List* parts = toList(runtime, pair);
  if (parts == nullptr) return false;
  if (parts->size() != 2) {
    runtime.fail("dictionary update sequence element has the wrong length; 2 is required");
    return false;
  }
  return setItem(runtime, dict, parts->items()[0], parts->items()[1]);
}

// Implements dict(mapping or pairs, **members).
Dict* makeDict(Call& call) {
  Dict* dict = call.runtime.makeDict();
  if (call[0].isUndefined()) {
    call.runtime.undefinedFailure(call[0]);
    return nullptr;
  }
  if (call.has(0) && call[0].is(Type::kDict)) {
    for (const Dict::Entry& entry : call[0].asDict().entries()) {
      if (!setItem(call.runtime, *dict, entry.key, entry.value)) return nullptr;
    }
  } else if (call.has(0)) {
    Iteration each(call.runtime, call[0]);
    for (Value pair; each.next(pair);) {
      if (!addPair(call.runtime, *dict, pair)) return nullptr;
    }
    if (each.failed()) return nullptr;
  }
  for (const NamedValue& named : call.named()) {
    if (!setItem(call.runtime, *dict, call.runtime.string(named.name), named.value)) return nullptr;
  }
  return dict;
}

Value dict(Call& call) {
  Dict* made = makeDict(call);
  return made == nullptr ? Value::failure() : Value(*made);
}

Value nameSpace(Call& call) {
  Dict* members = makeDict(call);
  if (members == nullptr) return Value::failure();
  return Value(*call.runtime.heap.make<Namespace>(members));
}

Value cycler(Call& call) {
  if (call.rest().empty()) {
    return call.runtime.fail("at least one item has to be provided");
  }
  const Value items = call.runtime.newList(call.rest());
  if (items.failed()) return items;
  return Value(*call.runtime.heap.make<Cycler>(&items.asList()));
}

Value joiner(Call& call) {
  return Value(*call.runtime.heap.make<Joiner>(call.has(0) ? call[0] : call.runtime.string(", ")));
}

// Appends filler words. Jinja2 chooses them at random; here the same arguments produce the same
// text.
void appendParagraph(Text& out, int64_t words, uint32_t& seed) {
  constexpr std::array<std::string_view, 24> kWords = {
      "a",     "ac",    "amet", "ante",  "arcu",  "augue", "commodo", "dapibus",
      "dolor", "donec", "elit", "felis", "ipsum", "justo", "lorem",   "magna",
      "massa", "morbi", "nunc", "odio",  "quis",  "risus", "sit",     "velit"};
  for (int64_t i = 0; i < words && !out.failed(); ++i) {
    seed = seed * 1664525U + 1013904223U;
    const std::string_view word = kWords[(seed >> 16U) % kWords.size()];
    if (i > 0) out.append(' ');
    out.append(i > 0 ? word[0] : static_cast<char>(word[0] - 32)).append(word.substr(1));
  }
  out.append('.');
}

Value lipsum(Call& call) {
  int64_t count = 5;
  bool html = true;
  int64_t shortest = 20;
  int64_t longest = 100;
  if (!call.clampedInteger(0, count) || !call.truth(1, html) || !call.integer(2, shortest) ||
      !call.integer(3, longest)) {
    return Value::failure();
  }
  const uint64_t spread =
      longest > shortest ? static_cast<uint64_t>(longest) - static_cast<uint64_t>(shortest) : 1;
  Text out(call.runtime);
  uint32_t seed = 1;
  for (int64_t i = 0; i < count && !out.failed(); ++i) {
    if (i > 0) out.append(html ? "\n" : "\n\n");
    if (html) out.append("<p>");
    seed = seed * 1664525U + 1013904223U;
    appendParagraph(out, shortest + static_cast<int64_t>((seed >> 8U) % spread), seed);
    if (html) out.append("</p>");
  }
  return out.take(html);
}

Value raiseException(Call& call) {
  const Value message = toText(call.runtime, call[0]);
  if (message.failed()) return message;
  return call.runtime.fail(ErrorKind::kRaised, "{}", message.text());
}

Value strftimeNow(Call& call) {
  std::string_view format;
  if (!call.text(0, format)) return Value::failure();
  return formatTime(call.runtime, format, call.runtime.now);
}

constexpr std::array<Builtin, 8> kGlobals = {{
    {"cycler *items", cycler},
    {"dict mapping? **members /", dict},
    {"joiner sep?", joiner},
    {"lipsum n? html? min? max?", lipsum},
    {"namespace mapping? **members /", nameSpace},
    {"raise_exception message", raiseException},
    {"range start stop? step? /", range},
    {"strftime_now format", strftimeNow},
}};

}  // namespace

const Builtin* findGlobal(std::string_view name) { return findIn(kGlobals, name); }

}  // namespace strata::jinja
