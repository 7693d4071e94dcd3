#include "prompt/user_message.h"

#include "prompt/options.h"

namespace strata::prompt {
namespace {

// A message's words: `text`, `content`, or the texts of a Content's parts.
std::string wordsOf(json::Value message) {
  for (const std::string_view name : {"text", "content"}) {
    if (message.find(name).isString()) return message.find(name).text();
  }
  std::string words;
  for (const json::Value part : json::elements(message.find("parts"))) {
    words += part.find("text").text();
  }
  return words;
}

bool isResults(json::Value message) {
  for (const json::Value part : json::elements(message.find("parts"))) {
    if (option(part, "function_response")) return true;
  }
  return false;
}

UserMessage newestIn(json::Value history) {
  UserMessage newest;
  for (const json::Value message : json::elements(history)) {
    if (!message.find("role").equals("user") || isResults(message)) continue;
    newest.text = wordsOf(message);
    const std::string language = message.find("language").text();
    if (!language.empty()) newest.language = language;
  }
  return newest;
}

}  // namespace

UserMessage findUserMessage(json::Value sources) {
  const json::Value own = option(sources, "message");
  const json::Value given = own ? own : option(sources, "user");
  UserMessage message = newestIn(option(sources, "history"));
  if (message.language.empty()) {
    message.language = option(sources, "metadata").find("client.language").text();
  }
  if (const json::Value text = option(given, "text")) message.text = text.text();
  if (const json::Value language = option(given, "language")) message.language = language.text();
  return message;
}

}  // namespace strata::prompt
