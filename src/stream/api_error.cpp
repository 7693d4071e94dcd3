#include "stream/api_error.h"

#include "base/ascii.h"

namespace strata::stream {
namespace {

int64_t retryDelayMs(json::Value details) {
  for (const json::Value detail : json::elements(details)) {
    const json::Value delay = detail.find("retryDelay");
    if (delay.isString()) return durationMs(delay.text());
  }
  return -1;
}

}  // namespace

void writeError(json::Writer& out, const ApiError& error) {
  out.key("code").integer(error.code);
  out.key("status").string(error.status);
  out.key("message").string(error.message);
  if (error.retryAfterMs >= 0) out.key("retryAfterMs").integer(error.retryAfterMs);
}

int64_t durationMs(std::string_view text) {
  int64_t whole = 0;
  int64_t millis = 0;
  size_t at = 0;
  while (at < text.size() && ascii::isDigit(text[at]) && at < 12)
    whole = whole * 10 + (text[at++] - '0');
  if (at == 0) return -1;
  if (at < text.size() && text[at] == '.') {
    int64_t weight = 100;
    for (++at; at < text.size() && ascii::isDigit(text[at]); ++at, weight /= 10) {
      millis += (text[at] - '0') * weight;
    }
  }
  if (text.substr(at) == "s") return whole * 1000 + millis;
  return text.substr(at) == "ms" ? whole : -1;
}

std::optional<ApiError> findApiError(json::Value value) {
  if (value.isArray()) value = value.at(0);
  json::Value error = value.find("error");
  if (error.find("error").isObject()) error = error.find("error");
  if (!error.isObject()) return std::nullopt;
  ApiError found;
  found.code = error.find("code").integer(0);
  found.status = error.find("status").text();
  found.message = error.find("message").text();
  found.details = error.find("details").bytes();
  found.retryAfterMs = retryDelayMs(error.find("details"));
  return found;
}

}  // namespace strata::stream
