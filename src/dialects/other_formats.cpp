// Sources: https://docs.anthropic.com/en/api/messages; google-gemini/gemini-cli,
// packages/core/src/services/chatRecordingService.ts.
#include "dialects/other_formats.h"

#include <string>
#include <string_view>

#include "dialects/langchain.h"
#include "dialects/path.h"

namespace strata::dialects {
namespace {

json::Value messagesOf(json::Value root) { return root.isObject() ? root.find("messages") : root; }

// Other clients write calls and results elsewhere, and media without a `source`.
bool isAnthropic(json::Value part) {
  const std::string type = part.find("type").text();
  const bool isMedia = type == "image" || type == "document";
  return type == "tool_use" || type == "tool_result" || type == "server_tool_use" ||
         type.ends_with("_tool_result") || (isMedia && part.find("source").find("type").isString());
}

}  // namespace

std::optional<Error> findAnthropicMessages(json::Value root) {
  const Path top;
  const Path list = root.isObject() ? top.at("messages") : top;
  size_t index = 0;
  for (const json::Value message : json::elements(messagesOf(root))) {
    const Path place = list.at(index++);
    const Path path = place.at("content");
    // LangChain's messages hold such blocks, and gateways repeat the calls beside them.
    if (isLangChainMessage(message) || message.find("tool_calls")) continue;
    size_t partIndex = 0;
    for (const json::Value part : json::elements(message.find("content"))) {
      const Path at = path.at(partIndex++);
      if (!isAnthropic(part)) continue;
      return Error{"field.invalid", part.offset(), at.at("type").text(),
                   "that of a part of OpenAI, AI SDK or LangChain messages: \"" +
                       part.find("type").text() +
                       "\" shows messages of Anthropic's API, which the import does not read. "
                       "Convert them to OpenAI messages first"};
    }
  }
  return std::nullopt;
}

std::optional<Error> findGeminiCliSession(json::Value root) {
  const Path top;
  const Path list = root.isObject() ? top.at("messages") : top;
  size_t index = 0;
  for (const json::Value message : json::elements(messagesOf(root))) {
    const Path at = list.at(index++);
    if (!message.find("type").equals("gemini")) continue;
    return Error{
        "field.invalid", message.offset(), at.at("type").text(),
        "that of a LangChain message: \"gemini\" shows a session file of Gemini CLI, which "
        "the import does not read. Save the conversation there with /chat save, and import "
        "the Contents in that file"};
  }
  return std::nullopt;
}

}  // namespace strata::dialects
