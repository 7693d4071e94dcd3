#include "gemini/content_queries.h"

#include <algorithm>

#include "gemini/content_view.h"

namespace strata::gemini {

std::string spokenText(json::Value content) {
  std::string text;
  for (const json::Value part : repeated(content.find("parts"))) {
    if (!part.find("thought").isTrue()) text += part.find("text").raw();
  }
  return text;
}

bool isBlank(json::Value content) {
  for (const json::Value part : repeated(content.find("parts"))) {
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

namespace {

// Removes the call that a functionResponse answers: the first one with its id and name.
void removeAnswered(std::vector<json::Value>& calls, json::Value response) {
  const auto same = [](json::Value a, json::Value b) {
    return a.raw() == b.raw() || a.text() == b.text();
  };
  const auto answered = std::find_if(calls.begin(), calls.end(), [&](json::Value call) {
    return same(call.find("id"), response.find("id")) &&
           same(call.find("name"), response.find("name"));
  });
  if (answered != calls.end()) calls.erase(answered);
}

}  // namespace

void addOpenCalls(json::Value content, std::vector<json::Value>& calls) {
  for (const json::Value part : repeated(content.find("parts"))) {
    if (const json::Value call = functionCallOf(part)) {
      calls.push_back(call);
    } else if (!calls.empty()) {
      const json::Value response = field(part, "functionResponse");
      if (response.isObject()) removeAnswered(calls, response);
    }
  }
}

std::vector<json::Value> openCallsOf(json::Value content) {
  std::vector<json::Value> calls;
  addOpenCalls(content, calls);
  return calls;
}

size_t writeCalls(json::Writer& out, const std::vector<json::Value>& calls) {
  size_t count = 0;
  out.open('[');
  for (const json::Value call : calls) {
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
