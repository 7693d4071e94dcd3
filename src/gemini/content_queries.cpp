#include "gemini/content_queries.h"

#include "gemini/content_view.h"

namespace strata::gemini {

std::string spokenText(json::Value content) {
  std::string text;
  for (const json::Value part : json::elements(content.find("parts"))) {
    if (!part.find("thought").isTrue()) text += part.find("text").raw();
  }
  return text;
}

bool isBlank(json::Value content) {
  for (const json::Value part : json::elements(content.find("parts"))) {
    const json::Value text = part.find("text");
    if (!text.isString() || !text.raw().empty() || field(part, "thoughtSignature")) return false;
  }
  return true;
}

json::Value functionCallOf(json::Value part) {
  for (const json::Member member : json::members(part)) {
    if (!member.value.isNull() && isField(member.key, "functionCall")) return member.value;
  }
  return {};
}

size_t writeCalls(json::Writer& out, json::Value content) {
  size_t count = 0;
  out.open('[');
  for (const json::Value part : json::elements(content.find("parts"))) {
    const json::Value call = functionCallOf(part);
    const json::Value name = call.find("name");
    if (!name.isString()) continue;
    const json::Value id = call.find("id");
    const json::Value args = call.find("args");
    out.open('{');
    if (!id.raw().empty()) out.key("id").raw(id.bytes());
    out.key("name").raw(name.bytes());
    out.key("args").raw(args && !args.isNull() ? args.bytes() : "{}").close('}');
    ++count;
  }
  out.close(']');
  return count;
}

}  // namespace strata::gemini
