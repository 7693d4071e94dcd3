// Filters and functions of the embedder: values go out and come back as JSON.
#include "jinja/interpreter.h"
#include "jinja/repr.h"
#include "json/tape.h"
#include "json/value.h"

namespace strata::jinja {
namespace {

// Named arguments come last, as one object, which is how JavaScript passes options.
bool appendArguments(Runtime& runtime, std::string& out, const Value* value,
                     const Arguments& arguments) {
  out += '[';
  bool first = true;
  const auto append = [&](Value item) {
    if (!first) out += ',';
    first = false;
    // JavaScript has undefined as well, but JSON has not.
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

Value Interpreter::callHost(HostKind kind, size_t index, const Value* value,
                            const Arguments& arguments) {
  const std::string& name =
      kind == HostKind::kFilter ? options.filters[index] : options.functions[index];
  if (host_ == nullptr) return fail("'{}' needs a host", name);
  std::string json;
  if (!appendArguments(*this, json, value, arguments)) return Value::failure();
  Result<std::string> answer = host_->call(kind, index, json);
  if (!answer) return fail(ErrorKind::kRaised, "{}", answer.error().detail);
  answers_.push_back(std::make_unique<Answered>(std::move(answer.value())));
  Answered& kept = *answers_.back();
  Result<json::Tape> tape = json::Tape::read(kept.text);
  if (!tape) return fail(ErrorKind::kRaised, "'{}' did not answer with JSON", name);
  kept.tape = std::move(tape.value());
  if (!budget.spend(kept.text.size() / 64)) return limitFailure();
  return fromJson(heap, kept.tape.root());
}

}  // namespace strata::jinja
