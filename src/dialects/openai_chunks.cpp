// Source: https://platform.openai.com/docs/api-reference/chat/streaming.
#include "dialects/openai_chunks.h"

namespace strata::dialects {
namespace {

constexpr std::string_view kObject = "chat.completion.chunk";

// Returns the members of an object that `write` writes, without its braces.
template <typename Write>
std::string membersOf(Write write) {
  json::Writer out;
  out.open('{');
  write(out);
  return out.take().substr(1);
}

std::string_view errorTypeOf(int64_t code) {
  switch (code) {
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 429:
      return "rate_limit_error";
    default:
      return code >= 400 && code < 500 ? "invalid_request_error" : "server_error";
  }
}

std::string errorEvent(std::string_view message, std::string_view type, std::string_view code) {
  json::Writer out;
  {
    const json::Writer::Scope event = out.object();
    const json::Writer::Scope error = out.object("error");
    out.key("message").string(message).key("type").string(type);
    out.key("param").raw("null").key("code").string(code);
  }
  return out.take();
}

}  // namespace

void OpenAiChunks::sendEvent(std::string_view data) {
  out_.append("data: ").append(data).append("\n\n");
}

void OpenAiChunks::sendChunk(const Choice& choice, std::string_view delta,
                             std::string_view logprobs, std::string_view finish) {
  json::Writer out;
  {
    const json::Writer::Scope chunk = out.object();
    writeHead(out, kObject);
    {
      const json::Writer::Scope list = out.array("choices");
      const json::Writer::Scope entry = out.object();
      out.key("index").integer(choice.index);
      out.key("delta").raw("{" + std::string(delta) + "}");
      out.key("logprobs");
      out.raw(logprobs.empty()
                  ? "null"
                  : R"({"content":[)" + std::string(logprobs) + R"(],"refusal":null})");
      if (finish.empty()) {
        out.key("finish_reason").raw("null");
      } else {
        out.raw(finish);
      }
    }
    if (options().includeUsage) out.key("usage").raw("null");
  }
  sendEvent(out.text());
}

void OpenAiChunks::onChoice(Choice& choice) {
  sendChunk(choice, R"("role":"assistant","content":"")", {}, {});
}

void OpenAiChunks::onPart(Choice& choice, json::Value part) {
  const json::Value text = part.find("text");
  if (text.isString()) {
    if (text.raw().empty()) return;
    const bool thought = part.find("thought").isTrue();
    const std::string name = thought ? R"("reasoning_content":)" : R"("content":)";
    return sendChunk(choice, name + std::string(text.bytes()), {}, {});
  }
  const json::Value media = part.find("inlineData");
  if (isMedia(media, "audio")) {
    const bool first = choice.audio.type().empty();
    const std::string data = choice.audio.add(media);
    return sendAudio(choice, first, data);
  }
  const bool isCall = static_cast<bool>(part.find("functionCall"));
  const std::string delta = membersOf([&](json::Writer& out) {
    const json::Writer::Scope list = out.array(isCall ? "tool_calls" : "images");
    const json::Writer::Scope entry = out.object();
    out.key("index").integer(isCall ? choice.calls : choice.images++);
    if (isCall) writeCall(out, choice, part);
    if (!isCall) writeImage(out, media);
  });
  sendChunk(choice, delta, {}, {});
}

void OpenAiChunks::onLogprobs(Choice& choice, json::Value logprobs) {
  json::Writer out;
  writeLogprobs(out, logprobs);
  if (!out.text().empty()) sendChunk(choice, {}, out.text(), {});
}

bool OpenAiChunks::isComplete() const {
  bool complete = !choices().empty();
  for (const Choice& choice : choices()) complete = complete && !choice.finishReason.empty();
  return complete;
}

void OpenAiChunks::onEnd() {
  if (failure() != AnswerFailure::kNone) return sendFailure();
  for (Choice& choice : choices()) endChoice(choice);
  if (options().includeUsage && hasUsage()) sendUsage();
  sendEvent("[DONE]");
}

void OpenAiChunks::sendAudio(const Choice& choice, bool first, const std::string& data) {
  if (!first && data.empty()) return;
  sendChunk(choice, membersOf([&](json::Writer& out) {
              const json::Writer::Scope audio = out.object("audio");
              writeAudio(out, choice, first, data);
            }),
            {}, {});
}

void OpenAiChunks::endChoice(Choice& choice) {
  sendAudio(choice, false, choice.audio.end());
  const std::string refusal = refusalOf(choice);
  const std::string delta = membersOf([&](json::Writer& out) {
    if (!refusal.empty()) out.key("refusal").string(refusal);
    choice.layout.write(out);
  });
  if (!delta.empty()) sendChunk(choice, delta, {}, {});
  sendChunk(choice, {}, {}, membersOf([&](json::Writer& out) { writeFinish(out, choice); }));
}

void OpenAiChunks::sendUsage() {
  json::Writer out;
  {
    const json::Writer::Scope chunk = out.object();
    writeHead(out, kObject);
    out.key("choices").raw("[]");
    writeUsage(out.key("usage"));
  }
  sendEvent(out.text());
}

void OpenAiChunks::sendFailure() {
  if (const stream::ApiError* error = apiError()) {
    return sendEvent(errorEvent(error->message, errorTypeOf(error->code), error->status));
  }
  const bool truncated = failure() == AnswerFailure::kTruncated;
  const std::string invalid = "The upstream's answer is not valid: expected " +
                              (this->invalid() ? this->invalid()->detail : "");
  sendEvent(errorEvent(truncated ? "The answer was cut off before its end." : invalid,
                       "server_error", truncated ? "answer.cut" : "answer.invalid"));
}

}  // namespace strata::dialects
