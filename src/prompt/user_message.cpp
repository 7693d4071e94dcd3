#include "prompt/user_message.h"

#include "prompt/options.h"

namespace strata::prompt {
namespace {

// Returns the text of a message: `text`, `content`, or the joined texts of a Content's parts.
std::string textOf(json::Value message) {
  for (const std::string_view name : {"text", "content"}) {
    if (message.find(name).isString()) return message.find(name).text();
  }
  std::string text;
  for (const json::Value part : json::ElementRange::orSelf(message.find("parts"))) {
    text += part.find("text").text();
  }
  return text;
}

bool hasFunctionResponse(json::Value message) {
  for (const json::Value part : json::ElementRange::orSelf(message.find("parts"))) {
    if (option(part, "function_response")) return true;
  }
  return false;
}

UserMessage newestUserMessage(json::Value history) {
  UserMessage newest;
  for (const json::Value message : json::elements(history)) {
    if (!message.find("role").equals("user") || hasFunctionResponse(message)) continue;
    newest.text = textOf(message);
    const std::string language = message.find("language").text();
    if (!language.empty()) newest.language = language;
  }
  return newest;
}

}  // namespace

UserMessage findUserMessage(json::Value sources) {
  const json::Value explicitMessage = option(sources, "message");
  const json::Value given = explicitMessage ? explicitMessage : option(sources, "user");
  UserMessage message = newestUserMessage(option(sources, "history"));
  if (message.language.empty()) {
    message.language = option(sources, "metadata").find("client.language").text();
  }
  if (const json::Value text = option(given, "text")) message.text = text.text();
  if (const json::Value language = option(given, "language")) message.language = language.text();
  return message;
}

}  // namespace strata::prompt
