#include "layers/input.h"

#include <algorithm>
#include <cmath>

#include "base/timestamp.h"
#include "json/number.h"

namespace strata::layers {
namespace {

Error invalid(std::string path, std::string expected) {
  return {"field.invalid", 0, std::move(path), std::move(expected)};
}

// Reads the member `name`, which must be `first` (the default) or `second`.
Status readChoice(json::Value object, std::string_view path, std::string_view name,
                  std::string_view first, std::string_view second, bool& isSecond) {
  const json::Value value = object.find(name);
  isSecond = value.equals(second);
  if (!value || isSecond || value.equals(first)) return {};
  return invalid(std::string(path) + "/" + std::string(name),
                 std::string(first) + " or " + std::string(second));
}

// Reads any JSON number, such as 1e3 or 2500.5, rounded up to whole tokens.
int64_t readTokens(json::Value number) {
  constexpr double kMaxTokens = 1e15;
  const double tokens = json::readDouble(number.bytes()).value_or(kMaxTokens);
  return static_cast<int64_t>(std::ceil(std::clamp(tokens, -1.0, kMaxTokens)));
}

Status readCache(json::Value cache, AssembleInput& input) {
  if (!cache || cache.isNull()) return {};
  if (!cache.isObject()) return invalid("/cache", "an object");
  for (const std::string_view name : {"name", "model", "key"}) {
    if (!cache.find(name).isString()) return invalid("/cache/" + std::string(name), "a string");
  }
  const int64_t turns = cache.find("turns").integer(-1);
  if (turns < 0) return invalid("/cache/turns", "a non-negative integer");
  input.hasCache = true;
  input.cache = {cache.find("name").text(), cache.find("model").text(), static_cast<size_t>(turns),
                 cache.find("key").text()};
  return {};
}

}  // namespace

Status readOptions(json::Value options, AssembleInput& input) {
  input.now = options.find("now").text();
  if (!readTimestamp(input.now)) return invalid("/now", "an RFC 3339 timestamp");
  Status status =
      readChoice(options.find("static"), "/static", "role", "system", "user", input.staticAsUser);
  if (!status) return status;
  status = readChoice(options.find("dynamic"), "/dynamic", "placement", "after-static",
                      "before-current-turn", input.dynamicBeforeTurn);
  if (!status) return status;
  status = readChoice(options, "", "cachedHistory", "text", "contents", input.cacheContents);
  if (!status) return status;
  const json::Value buffer = options.find("bufferTokens");
  if (buffer && !buffer.isNumber()) return invalid("/bufferTokens", "a number");
  input.hasBufferTokens = buffer.isNumber();
  if (input.hasBufferTokens) input.bufferTokens = readTokens(buffer);
  const json::Value strict = options.find("strict");
  if (strict && !strict.isBoolean()) return invalid("/strict", "true or false");
  input.strict = strict.isTrue();
  return readCache(options.find("cache"), input);
}

}  // namespace strata::layers
