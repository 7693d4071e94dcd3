#include "jinja/host.h"

#include "jinja/interpreter.h"
#include "jinja/repr.h"
#include "json/tape.h"
#include "json/value.h"

namespace strata::jinja {
namespace {

// Appends the arguments as a JSON array. Named arguments are one object at the end, the JavaScript
// convention for options.
bool appendArguments(Runtime& runtime, std::string& out, const Value* value,
                     const Arguments& arguments) {
  out += '[';
  bool first = true;
  const auto append = [&](Value item) {
    if (!first) out += ',';
    first = false;
    // JSON has no undefined; it is passed as null.
    const Value json = toJson(runtime, item.isUndefined() ? Value::none() : item);
    if (!json.failed()) out += json.text();
    return !json.failed();
  };
  if (value != nullptr && !append(*value)) return false;
  for (const Value item : arguments.positional) {
    if (!append(item)) return false;
  }
  if (!arguments.named.empty()) {
    Dict* named = runtime.makeDict();
    for (const NamedValue& item : arguments.named) {
      named->set(runtime.string(item.name), item.value);
    }
    if (!append(Value(*named))) return false;
  }
  out += ']';
  return true;
}

}  // namespace

Value callHost(Runtime& runtime, HostCalls calls, HostKind kind, size_t index, const Value* value,
               const Arguments& arguments) {
  const std::string& name =
      kind == HostKind::kFilter ? runtime.options.filters[index] : runtime.options.functions[index];
  if (calls.host == nullptr) return runtime.fail("'{}' needs a host", name);
  std::string json;
  if (!appendArguments(runtime, json, value, arguments)) return Value::failure();
  Result<std::string> reply = calls.host->call(kind, index, json);
  if (!reply) return runtime.fail(ErrorKind::kRaised, "{}", reply.error().detail);
  calls.replies.push_back(std::make_unique<HostReply>(std::move(reply.value())));
  HostReply& stored = *calls.replies.back();
  Result<json::Tape> tape = json::Tape::read(stored.text);
  if (!tape) return runtime.fail(ErrorKind::kRaised, "'{}' did not answer with JSON", name);
  stored.tape = std::move(tape.value());
  if (!runtime.budget.spend(stored.text.size() / 64)) return runtime.limitFailure();
  return fromJson(runtime.heap, stored.tape.root());
}

Value Interpreter::callHost(HostKind kind, size_t index, const Value* value,
                            const Arguments& arguments) {
  return jinja::callHost(*this, {host_, hostReplies_}, kind, index, value, arguments);
}

}  // namespace strata::jinja
