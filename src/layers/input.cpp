#include "layers/input.h"

#include <algorithm>
#include <cmath>

#include "json/number.h"
#include "prompt/timestamp.h"

namespace strata::layers {
namespace {

Error wrong(std::string path, std::string expected) {
  return {"field.invalid", 0, std::move(path), std::move(expected)};
}

// One of two words under `name`, the first when it is not there.
Status readChoice(json::Value object, std::string_view path, std::string_view name,
                  std::string_view first, std::string_view second, bool& isSecond) {
  const json::Value value = object.find(name);
  isSecond = value.equals(second);
  if (!value || isSecond || value.equals(first)) return {};
  return wrong(std::string(path) + "/" + std::string(name),
               std::string(first) + " or " + std::string(second));
}

// 1e3 and 2500.5 are numbers too. A part of a token is reached with the whole one.
int64_t tokensOf(json::Value number) {
  constexpr double kMost = 1e15;
  const double tokens = json::readDouble(number.bytes()).value_or(kMost);
  return static_cast<int64_t>(std::ceil(std::clamp(tokens, -1.0, kMost)));
}

Status readCache(json::Value cache, AssembleInput& input) {
  if (!cache || cache.isNull()) return {};
  if (!cache.isObject()) return wrong("/cache", "an object");
  for (const std::string_view name : {"name", "model", "key"}) {
    if (!cache.find(name).isString()) return wrong("/cache/" + std::string(name), "a string");
  }
  const int64_t turns = cache.find("turns").integer(-1);
  if (turns < 0) return wrong("/cache/turns", "a number of turns");
  input.hasCache = true;
  input.cache = {cache.find("name").text(), cache.find("model").text(), static_cast<size_t>(turns),
                 cache.find("key").text()};
  return {};
}

}  // namespace

Status readOptions(json::Value options, AssembleInput& input) {
  input.now = options.find("now").text();
  if (!prompt::readTimestamp(input.now)) return wrong("/now", "a time as RFC 3339 writes it");
  Status status =
      readChoice(options.find("static"), "/static", "role", "system", "user", input.staticAsUser);
  if (!status) return status;
  status = readChoice(options.find("dynamic"), "/dynamic", "placement", "after-static",
                      "before-current-turn", input.dynamicBeforeTurn);
  if (!status) return status;
  status = readChoice(options, "", "cachedHistory", "text", "contents", input.cacheContents);
  if (!status) return status;
  const json::Value buffer = options.find("bufferTokens");
  if (buffer && !buffer.isNumber()) return wrong("/bufferTokens", "a number");
  input.hasBufferTokens = buffer.isNumber();
  if (input.hasBufferTokens) input.bufferTokens = tokensOf(buffer);
  const json::Value strict = options.find("strict");
  if (strict && !strict.isBoolean()) return wrong("/strict", "true or false");
  input.strict = strict.isTrue();
  return readCache(options.find("cache"), input);
}

}  // namespace strata::layers
