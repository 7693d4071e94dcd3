#include "jinja/builtin.h"

#include <algorithm>
#include <string>

#include "jinja/ops.h"

namespace strata::jinja {
namespace {

/// One word of a row's parameters.
struct Word {
  std::string_view text;
  bool optional() const { return text.back() == '?'; }
  bool collects() const { return text.front() == '*'; }
  bool isSlash() const { return text == "/"; }
  std::string_view name() const { return text.substr(0, text.size() - (optional() ? 1 : 0)); }
};

class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  bool next(Word& word) {
    if (rest_.empty()) return false;
    const size_t end = std::min(rest_.find(' '), rest_.size());
    word.text = rest_.substr(0, end);
    rest_ = rest_.substr(std::min(end + 1, rest_.size()));
    return true;
  }

 private:
  std::string_view rest_;
};

// Where the parameter `name` stands; -1 if there is none, or none may be named.
int positionOf(const Builtin& builtin, std::string_view name) {
  if (builtin.parameters.ends_with('/')) return -1;
  Words words(builtin.parameters);
  Word word;
  for (int at = 0; words.next(word); ++at) {
    if (!word.collects() && word.name() == name) return at;
  }
  return -1;
}

bool fail(Runtime& runtime, std::initializer_list<std::string_view> message) {
  runtime.fail(message);
  return false;
}

}  // namespace

bool Call::bind(const Builtin& builtin, const Value& receiver, const Arguments& arguments) {
  size_t given = 0;
  if (!receiver.isAbsent()) values_[given++] = receiver;
  size_t count = 0;
  bool takesRest = false;
  bool takesNamed = false;
  Words words(builtin.parameters);
  for (Word word; words.next(word);) {
    if (word.isSlash()) continue;
    takesNamed = takesNamed || word.text.substr(0, 2) == "**";
    takesRest = takesRest || (word.collects() && word.text.substr(0, 2) != "**");
    if (!word.collects()) ++count;
  }
  const size_t room = std::min(arguments.positional.size(), count - given);
  for (size_t i = 0; i < room; ++i) values_[given + i] = arguments.positional[i];
  rest_ = arguments.positional.subspan(room);
  if (!rest_.empty() && !takesRest) {
    return fail(runtime,
                {builtin.name, "() takes ", std::to_string(count), " positional arguments but ",
                 std::to_string(given + arguments.positional.size()), " were given"});
  }
  if (!bindNamed(builtin, arguments, takesNamed)) return false;
  Words again(builtin.parameters);
  Word word;
  for (size_t at = 0; again.next(word) && !word.isSlash(); ++at) {
    if (word.collects() || word.optional() || has(at)) continue;
    return fail(runtime,
                {builtin.name, "() missing 1 required positional argument: '", word.name(), "'"});
  }
  return true;
}

bool Call::bindNamed(const Builtin& builtin, const Arguments& arguments, bool takesNamed) {
  size_t kept = 0;
  for (const NamedValue& named : arguments.named) {
    const int at = positionOf(builtin, named.name);
    if (at < 0) {
      ++kept;
      if (takesNamed) continue;
      return fail(runtime,
                  {builtin.name, "() got an unexpected keyword argument '", named.name, "'"});
    }
    if (has(static_cast<size_t>(at))) {
      return fail(runtime,
                  {builtin.name, "() got multiple values for argument '", named.name, "'"});
    }
    values_[static_cast<size_t>(at)] = named.value;
  }
  named_ = arguments.named;
  if (kept == named_.size()) return true;
  auto* left = runtime.heap.array<NamedValue>(kept);
  size_t count = 0;
  for (const NamedValue& named : arguments.named) {
    if (positionOf(builtin, named.name) < 0) left[count++] = named;
  }
  named_ = {left, count};
  return true;
}

bool Call::integer(size_t at, int64_t& out) const {
  const Value& value = values_[at];
  if (value.isAbsent()) return true;
  if (value.isInteger()) {
    out = value.asInteger();
    return true;
  }
  if (value.isUndefined()) {
    runtime.undefinedFailure(value);
    return false;
  }
  return fail(runtime, {"'", typeName(value), "' object cannot be interpreted as an integer"});
}

bool Call::text(size_t at, std::string_view& out) const {
  const Value& value = values_[at];
  if (value.isAbsent()) return true;
  if (!value.isString()) {
    return fail(runtime, {"expected a string, not '", typeName(value), "'"});
  }
  out = value.text();
  return true;
}

bool Call::truth(size_t at, bool& out) const {
  if (values_[at].isAbsent()) return true;
  const Answer answer = jinja::truth(runtime, values_[at]);
  out = answer == Answer::kYes;
  return answer != Answer::kFailed;
}

Value invoke(Runtime& runtime, const Builtin& builtin, const Value& receiver,
             const Arguments& arguments) {
  Call call(runtime);
  return call.bind(builtin, receiver, arguments) ? builtin.function(call) : Value::failure();
}

const Builtin* findIn(std::span<const Builtin> table, std::string_view name) {
  const auto found = std::lower_bound(
      table.begin(), table.end(), name,
      [](const Builtin& row, std::string_view wanted) { return row.name < wanted; });
  return found == table.end() || found->name != name ? nullptr : &*found;
}

}  // namespace strata::jinja
