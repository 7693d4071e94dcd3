#include "jinja/builtin.h"

#include <algorithm>
#include <string>

#include "jinja/ops.h"
#include "json/number.h"

namespace strata::jinja {
namespace {

// Returns the position of the parameter `name`, or -1 if it does not exist or is positional-only.
int positionOf(const Builtin& builtin, std::string_view name) {
  std::string_view rest = builtin.parameters();
  if (rest.ends_with('/')) return -1;
  for (int at = 0; at < builtin.count; ++at) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    if (word.starts_with(name) && (word.size() == name.size() || word[name.size()] == '?')) {
      return at;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return -1;
}

std::string_view parameterAt(const Builtin& builtin, size_t at) {
  std::string_view rest = builtin.parameters();
  for (; at > 0; --at) rest.remove_prefix(rest.find(' ') + 1);
  return rest.substr(0, rest.find(' '));
}

bool fail(Runtime& runtime, const char* pattern, const Builtin& builtin, std::string_view second,
          std::string_view third = {}) {
  runtime.fail(ErrorKind::kRuntime, pattern, builtin.name(), second, third);
  return false;
}

bool tooMany(Runtime& runtime, const Builtin& builtin, size_t given) {
  std::string expected;
  std::string got;
  json::appendInteger(expected, builtin.count);
  json::appendInteger(got, static_cast<int64_t>(given));
  return fail(runtime, "{}() takes {} positional arguments but {} were given", builtin, expected,
              got);
}

}  // namespace

bool Call::bind(const Builtin& builtin, Value receiver, const Arguments& arguments) {
  size_t given = 0;
  if (!receiver.isAbsent()) values_[given++] = receiver;
  const size_t room = std::min(arguments.positional.size(), builtin.count - given);
  for (size_t i = 0; i < room; ++i) values_[given + i] = arguments.positional[i];
  rest_ = arguments.positional.subspan(room);
  if (!rest_.empty() && !builtin.takesRest) {
    return tooMany(runtime, builtin, given + arguments.positional.size());
  }
  if (!arguments.named.empty() && !bindNamed(builtin, arguments)) return false;
  for (size_t at = 0; at < builtin.required; ++at) {
    if (has(at)) continue;
    return fail(runtime, "{}() missing 1 required positional argument: '{}'", builtin,
                parameterAt(builtin, at));
  }
  return true;
}

bool Call::bindNamed(const Builtin& builtin, const Arguments& arguments) {
  auto* remaining = runtime.heap.array<NamedValue>(arguments.named.size());
  size_t count = 0;
  for (const NamedValue& named : arguments.named) {
    const int at = positionOf(builtin, named.name);
    if (at < 0) {
      remaining[count++] = named;
      if (builtin.takesNamed) continue;
      return fail(runtime, "{}() got an unexpected keyword argument '{}'", builtin, named.name);
    }
    if (has(static_cast<size_t>(at))) {
      return fail(runtime, "{}() got multiple values for argument '{}'", builtin, named.name);
    }
    values_[static_cast<size_t>(at)] = named.value;
  }
  named_ = {remaining, count};
  return true;
}

bool Call::integer(size_t at, int64_t& out) const {
  const Value value = values_[at];
  if (value.isAbsent()) return true;
  if (value.isInteger()) {
    out = value.asInteger();
    return true;
  }
  if (value.isLongInteger()) return !runtime.fail(kTooLargeIndex).failed();
  return !runtime.fail("'{}' object cannot be interpreted as an integer", value).failed();
}

bool Call::clampedInteger(size_t at, int64_t& out) const {
  return clampToInteger(values_[at], out) || integer(at, out);
}

bool Call::amount(size_t at, double& out) const {
  const Value value = values_[at];
  if (value.isAbsent()) return true;
  if (value.isUndefined()) return !runtime.undefinedFailure(value).failed();
  int64_t whole = 0;
  if (!value.isNumber()) return integer(at, whole);
  out = clampToInteger(value, whole) ? static_cast<double>(whole) : value.asDouble();
  return true;
}

bool Call::text(size_t at, std::string_view& out) const {
  const Value value = values_[at];
  if (value.isAbsent()) return true;
  if (!value.isString()) {
    return !runtime.fail("expected a string, not '{}'", value).failed();
  }
  out = value.text();
  return true;
}

bool Call::truth(size_t at, bool& out) const {
  if (values_[at].isAbsent()) return true;
  const Tristate result = jinja::truth(runtime, values_[at]);
  out = result == Tristate::kYes;
  return result != Tristate::kFailed;
}

Value invoke(Runtime& runtime, const Builtin& builtin, Value receiver, const Arguments& arguments) {
  Call call(runtime);
  return call.bind(builtin, receiver, arguments) ? builtin.function(call) : Value::failure();
}

const Builtin* findIn(std::span<const Builtin> table, std::string_view name) {
  const auto found = std::lower_bound(
      table.begin(), table.end(), name,
      [](const Builtin& row, std::string_view wanted) { return row.name() < wanted; });
  return found == table.end() || found->name() != name ? nullptr : &*found;
}

}  // namespace strata::jinja
