// Writes a streamed answer of generateContent as the server-sent events of OpenAI's chat
// completions API.
//
//     data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant",…
//     data: {…"delta":{"content":"Hel"}…
//     data: {…"delta":{"tool_calls":[{"index":0,"id":…,"extra_content":{…}}]}…
//     data: {…"delta":{"extra_content":{"google":{"thought_signature":…}}}…    of the text
//     data: {…"delta":{},"finish_reason":"tool_calls"…
//     data: {…"choices":[],"usage":{…}}                                        if asked for
//     data: [DONE]
//
// The text's signature comes in one chunk, at the end: clients join the strings of several.
#pragma once

#include "dialects/openai_answer.h"

namespace strata::dialects {

/// An answer in chunks. An answer that fails ends with an error event and without `[DONE]`.
class OpenAiChunks : public OpenAiAnswer {
 public:
  using OpenAiAnswer::OpenAiAnswer;

 private:
  void onPart(Choice& choice, json::Value part) override;
  void onLogprobs(Choice& choice, json::Value logprobs) override;
  void onChoice(Choice& choice) override;
  void onEnd() override;
  bool isComplete() const override;

  // Sends a chunk of one choice. `delta` holds members of the delta, `logprobs` and `finish` those
  // of the choice; all may be "".
  void sendChunk(const Choice& choice, std::string_view delta, std::string_view logprobs,
                 std::string_view finish);
  void sendEvent(std::string_view data);
  void sendAudio(const Choice& choice, bool first, const std::string& data);
  void endChoice(Choice& choice);
  void sendUsage();
  void sendFailure();
};

}  // namespace strata::dialects
