#include "gemini/content_queries.h"

#include <utility>

#include "base/keyed.h"
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

std::string keyOfCall(json::Value id, json::Value name) {
  std::string key = id.text();
  key.push_back('\xff');  // No byte of UTF-8.
  return key.append(name.text());
}

namespace {

// Call number i is at 2 * i, and a response at the odd number between the calls around it.
Keyed keyed(json::Value callOrResponse, size_t at) {
  return {keyOfCall(callOrResponse.find("id"), callOrResponse.find("name")), at};
}
bool isResponse(const Keyed& each) { return each.at % 2 != 0; }

// Removes the calls that `parts` has a response for.
void removeAnswered(std::vector<json::Value>& calls, std::vector<Keyed> parts) {
  for (size_t i = 0; i < calls.size(); ++i) parts.push_back(keyed(calls[i], 2 * i));
  sortByKey(parts);
  size_t open = 0;  // No call with this key is open before it.
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].key != parts[open].key) open = i;
    if (!isResponse(parts[i])) continue;
    while (open < i && isResponse(parts[open])) ++open;
    if (open < i) calls[parts[open++].at / 2] = json::Value();
  }
  std::erase(calls, json::Value());
}

}  // namespace

std::vector<json::Value> openCallsOf(std::span<const json::Value> contents) {
  std::vector<json::Value> calls;
  std::vector<Keyed> responses;
  for (const json::Value content : contents) {
    for (const json::Value part : repeated(content.find("parts"))) {
      if (const json::Value call = functionCallOf(part)) {
        calls.push_back(call);
      } else if (!calls.empty()) {
        const json::Value response = field(part, "functionResponse");
        if (response.isObject()) responses.push_back(keyed(response, 2 * calls.size() - 1));
      }
    }
  }
  if (!responses.empty()) removeAnswered(calls, std::move(responses));
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
