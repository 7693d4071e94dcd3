#include "jinja/interpreter.h"

#include <utility>

#include "jinja/ops.h"
#include "jinja/repr.h"

namespace strata::jinja {

Interpreter::Interpreter(Loader& loader, Host* host)
    : Runtime(loader.options()), loader_(loader), host_(host) {}

Expected<std::string> Interpreter::render(Dict& context) {
  renderContext_ = &context;
  Context top;
  const Compiled& main = loader_.main();
  addBlocks(main, top);
  bool ok = runRoot(main, top);
  if (ok && unjoinable_ > 0) {
    restoreState(unjoinableAt_);
    ok = checkJoined(0);
  }
  if (!ok || !isWithinBudget()) return std::move(*error_);
  return out_.take();
}

void Interpreter::locate(TemplateError& error) const {
  if (activation_ == nullptr) return;
  const Source& source = activation_->compiled->source();
  const bool sameLine = source.line(step_) == source.line(anchor_);
  source.locate(error, sameLine ? step_ : anchor_);
}

void Interpreter::restoreState(const CallState& state) {
  frame_ = state.frame;
  activation_ = state.activation;
  anchor_ = state.anchor;
  step_ = state.step;
  autoescape = state.autoescape;
}

bool Interpreter::enterCall() {
  if (++callDepth_ <= budget.limits().callDepth) return true;
  --callDepth_;
  limitFailure(Limit::kCallDepth);
  return false;
}

bool Interpreter::write(std::string_view text) {
  const bool fits = out_.size() + text.size() <= budget.limits().output;
  if (!fits) budget.exceed(Limit::kOutput);
  if (!fits || !budget.spend(text.size() / 64)) {
    limitFailure();
    return false;
  }
  out_.append(text);
  return true;
}

bool Interpreter::print(Value value) {
  if (autoescape && !value.failed() && !value.isSafe()) value = escape(*this, value);
  if (!value.isString() && !value.failed()) value = toText(*this, value);
  return !value.failed() && write(value.text());
}

// Writes the result of a filter block. Jinja2 notices a result that is not a string only when it
// joins the output of the enclosing macro, block or template, so the error waits for
// checkJoined(). The placeholder makes the output longer than any mark taken before.
bool Interpreter::writeResult(Value value) {
  if (value.isString()) return write(value.text());
  if (value.failed() || !write("?")) return false;
  unjoinable_ = out_.size();
  unjoinableAt_ = saveState();
  return true;
}

// Fails if a filter block returned a value that is not a string since `mark`.
bool Interpreter::checkJoined(size_t mark) {
  return unjoinable_ <= mark || !fail(kUnjoinable).failed();
}

// Returns the text written since `mark`, or, if `direct`, leaves it in the output and returns an
// empty string.
Value Interpreter::capture(size_t mark, bool direct) {
  if (!checkJoined(mark)) return Value::failure();
  if (direct) return string({}, autoescape);
  const Value text = newString(out_.from(mark), autoescape);
  out_.shrink(mark);
  return text;
}

// Interpreter is the only subclass of Runtime.
namespace {
Interpreter& interpreter(Runtime& runtime) { return static_cast<Interpreter&>(runtime); }
}  // namespace

void Interpreter::locateError() { locate(*error_); }

Value Runtime::call(Value callee, const Arguments& arguments) {
  return interpreter(*this).callValue(callee, arguments, false);
}

Value Runtime::applyFilter(std::string_view name, Value value, const Arguments& arguments) {
  int32_t hostIndex = -1;
  for (size_t i = 0; i < options.filters.size(); ++i) {
    if (options.filters[i] == name) hostIndex = static_cast<int32_t>(i);
  }
  const Builtin* builtin = hostIndex < 0 ? findFilter(name) : nullptr;
  return interpreter(*this).callFilter(builtin, hostIndex, name, value, arguments);
}

Tristate Runtime::applyTest(std::string_view name, Value value, const Arguments& arguments) {
  const Builtin* test = findTest(name);
  if (test == nullptr) {
    fail("No test named '{}'.", name);
    return Tristate::kFailed;
  }
  const Value result = invoke(*this, *test, value, arguments);
  return result.failed() ? Tristate::kFailed : truth(*this, result);
}

}  // namespace strata::jinja
