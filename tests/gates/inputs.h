// Builds the inputs of the counted paths. Their bytes are the same in every run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/writer.h"
#include "support/contents.h"

namespace strata::gates {

/// Returns a text of about 75 bytes a line that differs from turn to turn.
inline std::string prose(size_t turn, size_t lines) {
  std::string out = std::to_string(turn) + ": ";
  for (size_t i = 0; i < lines; ++i) {
    out += "Zürich → 18 °C, \"light rain\", wind from the north-west at 12 km/h;\n";
  }
  return out;
}

/// Returns a Part with a text.
inline std::string textPart(std::string_view text) {
  return json::Writer().open('{').key("text").string(text).close('}').take();
}

inline std::string callId(size_t turn, size_t index) {
  return "call-" + std::to_string(turn) + "-" + std::to_string(index);
}

/// Returns a functionCall Part. Only the first of parallel calls is signed.
inline std::string callPart(size_t turn, size_t index) {
  json::Writer out;
  out.open('{').key("functionCall").open('{');
  out.key("id").string(callId(turn, index)).key("name").string("get_weather");
  out.key("args").open('{').key("query").string(prose(turn, 3)).key("days");
  out.integer(static_cast<int64_t>(index)).close('}').close('}');
  if (index == 0) out.key("thoughtSignature").string(std::string(536, "Ab3x"[turn % 4]));
  return out.close('}').take();
}

/// Returns the functionResponse Part that answers `callPart`.
inline std::string resultPart(size_t turn, size_t index) {
  json::Writer out;
  out.open('{').key("functionResponse").open('{');
  out.key("id").string(callId(turn, index)).key("name").string("get_weather");
  out.key("response").open('{').key("output").open('[');
  for (size_t i = 0; i < 4; ++i) {
    out.open('{').key("city").string("place " + std::to_string(i));
    out.key("celsius").number(static_cast<double>(turn + i) / 4);
    out.key("note").string(prose(turn, 1)).close('}');
  }
  return out.close(']').close('}').close('}').close('}').take();
}

/// Returns `count` Contents: a question, two parallel calls, their results, and an answer, again
/// and again.
inline std::vector<std::string> conversation(size_t count) {
  std::vector<std::string> contents;
  for (size_t turn = 0; turn < count; ++turn) {
    const size_t step = turn - turn % 4;
    const bool isUser = turn % 2 == 0;
    std::vector<std::string> parts;
    if (turn % 4 == 1) parts = {callPart(step, 0), callPart(step, 1)};
    if (turn % 4 == 2) parts = {resultPart(step, 0), resultPart(step, 1)};
    if (parts.empty()) parts = {textPart(prose(turn, 14))};
    contents.push_back(test::content(isUser ? "user" : "model", parts));
  }
  return contents;
}

/// Returns `tools` with `count` functions of eight parameters each.
inline std::string tools(size_t count) {
  json::Writer out;
  out.open('[').open('{').key("functionDeclarations").open('[');
  for (size_t i = 0; i < count; ++i) {
    const std::string name = i == 0 ? "get_weather" : "function_" + std::to_string(i);
    out.open('{').key("name").string(name).key("description").string(prose(i, 2));
    out.key("parameters").open('{').key("type").string("OBJECT").key("properties").open('{');
    for (size_t p = 0; p < 8; ++p) {
      out.key("property_" + std::to_string(p)).open('{');
      out.key("type").string(p % 2 == 0 ? "STRING" : "INTEGER");
      out.key("description").string("What the function needs to know.").close('}');
    }
    out.close('}').key("required").open('[').string("property_0").close(']').close('}').close('}');
  }
  return out.close(']').close('}').close(']').take();
}

inline constexpr std::string_view kToolConfig = R"({"functionCallingConfig":{"mode":"AUTO"}})";
inline constexpr std::string_view kGenerationConfig = R"({"maxOutputTokens":2048})";

/// Returns the body of a request with `turns` Contents before the last question.
inline std::string requestBody(size_t turns) {
  json::Writer out;
  out.open('{').key("systemInstruction").raw(test::content("user", {textPart(prose(0, 10))}));
  out.key("tools").raw(tools(16)).key("toolConfig").raw(kToolConfig);
  out.key("generationConfig").raw(kGenerationConfig).key("contents").open('[');
  for (const std::string& content : conversation(turns)) out.raw(content);
  out.raw(test::user("And tomorrow?"));
  return out.close(']').close('}').take();
}

/// Returns the Part of one chunk of an answer of `count` chunks: first thoughts, then text, last a
/// signed call.
inline std::string chunkPart(size_t index, size_t count) {
  if (index == count - 1) return callPart(index, 0);
  const std::string text = "Zürich " + std::to_string(index) + ": 18 °C, \"light rain\".\n";
  json::Writer out;
  out.open('{').key("text").string(text);
  if (index < count / 10) out.key("thought").boolean(true);
  return out.close('}').take();
}

/// Returns the bytes of a streamed answer of `count` chunks.
inline std::string streamedAnswer(size_t count) {
  std::string bytes;
  for (size_t i = 0; i < count; ++i) {
    const auto tokens = static_cast<int64_t>(12 * (i + 1));
    json::Writer out;
    out.open('{').key("candidates").open('[').open('{').key("content");
    out.raw(test::content("model", {chunkPart(i, count)}));
    if (i == count - 1) out.key("finishReason").string("STOP");
    out.key("index").integer(0).close('}').close(']');
    out.key("usageMetadata").open('{').key("promptTokenCount").integer(812);
    out.key("candidatesTokenCount").integer(tokens);
    out.key("totalTokenCount").integer(812 + tokens).close('}');
    out.key("modelVersion").string("gemini-3.8-flash").key("responseId").string("gates");
    bytes += "data: " + out.close('}').take() + "\r\n\r\n";
  }
  return bytes;
}

}  // namespace strata::gates
