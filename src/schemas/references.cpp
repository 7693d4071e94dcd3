#include "schemas/references.h"

#include <string>

#include "json/pointer.h"

namespace strata::schemas {
namespace {

int digitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Resolves the escapes of a URI: `%20`.
std::string unescaped(std::string_view uri) {
  std::string text;
  for (size_t i = 0; i < uri.size(); ++i) {
    const bool escape = uri[i] == '%' && i + 2 < uri.size();
    const int high = escape ? digitOf(uri[i + 1]) : -1;
    const int low = escape ? digitOf(uri[i + 2]) : -1;
    if (high >= 0 && low >= 0) i += 2;
    text.push_back(high >= 0 && low >= 0 ? static_cast<char>(high * 16 + low) : uri[i]);
  }
  return text;
}

json::Value withAnchor(json::Value value, std::string_view anchor) {
  if (value.find("$anchor").equals(anchor)) return value;
  for (const json::Member member : json::members(value)) {
    if (const json::Value found = withAnchor(member.value, anchor)) return found;
  }
  for (const json::Value element : json::elements(value)) {
    if (const json::Value found = withAnchor(element, anchor)) return found;
  }
  return {};
}

}  // namespace

json::Value resolve(json::Value root, json::Value reference) {
  const std::string uri = unescaped(reference.text());
  if (uri.empty() || uri[0] != '#') return {};
  const std::string_view fragment = std::string_view(uri).substr(1);
  if (fragment.empty() || fragment[0] == '/') return json::valueAt(root, fragment);
  return withAnchor(root, fragment);
}

}  // namespace strata::schemas
