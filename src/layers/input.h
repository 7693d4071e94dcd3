// Defines the input of a request other than its thread, and reads it from the caller's options.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interactions/wire.h"
#include "json/options_reader.h"
#include "layers/layer_template.h"
#include "lint/lint.h"

namespace strata::layers {

struct TextInput {
  std::string_view text;    ///< The finished text, or the template's source.
  uint32_t templateId = 0;  ///< Identifies `compiled`; a different template has a different id.
  const LayerTemplate* compiled = nullptr;  ///< Renders the text; nullptr for a finished one.
  std::string_view variables;               ///< A JSON object, or "".
  std::string_view half;  ///< A half of a compiled prompt, which precedes the layer's text, or "".
};

enum class TriggerKind : uint8_t { kNone, kInstruction, kContent };

/// A CachedContent that exists on the server.
struct CacheHandle {
  std::string name;
  std::string model;
  size_t turns = 0;  ///< The number of turns that it covers.
  std::string key;   ///< The key of the CacheBody that created it.
};

/// A stored interaction that a request continues.
struct PreviousInteraction {
  std::string id;
  size_t turns = 0;  ///< The number of turns that it has; those are not sent.
};

/// The input of one request. Views and values borrow from the caller and must live until the call
/// returns and, for `assemble`, until the body's segments are copied.
struct AssembleInput {
  std::string now;                          ///< RFC 3339.
  std::string model;                        ///< With or without "models/".
  lint::SchemaJudge judgeSchema = nullptr;  ///< Of LintContext.
  TextInput staticText;
  TextInput dynamicText;
  bool staticAsUser = false;       ///< Layer 1 is a user Content, not systemInstruction.
  bool dynamicBeforeTurn = false;  ///< Layer 2 precedes the current turn, not the history.
  TriggerKind triggerKind = TriggerKind::kNone;
  std::string_view trigger;  ///< The instruction, or the Content as JSON.
  // JSON, or "" if absent.
  std::string_view tools;
  std::string_view toolConfig;
  std::string_view generationConfig;
  std::string_view safetySettings;
  std::string_view serviceTier;
  std::string_view store;
  std::string_view labels;
  std::string_view extra;  ///< An object with fields that are sent as they are, see readExtra.
  interactions::Wire wire = interactions::Wire::kGenerateContent;  ///< One of Gemini's two.
  bool stream = false;            ///< Interactions only: the answer is streamed.
  bool placeholder = false;       ///< Interactions only: that of ConvertOptions.
  PreviousInteraction continued;  ///< Interactions only; no id if there is none.
  // Interactions only.
  std::string agent;             ///< Answers instead of the model; "" if there is none.
  std::string_view agentConfig;  ///< JSON, or "".
  bool background = false;       ///< The answer is not waited for.
  bool hasCache = false;
  CacheHandle cache;
  bool cacheContents = false;  ///< Old history is cached as Contents, not as text in layer 1.
  bool hasBufferTokens = false;
  int64_t bufferTokens = 0;
  bool forCache = false;  ///< The call creates a cache's body, not a request.
  bool strict = false;    ///< A failing template is a failure, not a diagnostic.
  json::Value previous;   ///< The manifest of the previous request, or absent.
  json::Value compiled;   ///< The manifest of the compiled prompt, or absent.
};

inline bool isInteraction(const AssembleInput& input) {
  return input.wire == interactions::Wire::kInteractions;
}

/// Reads the caller's AssembleInput into `input`. Of members that hold text or bytes of their own,
/// such as `trigger` and `tools`, only the name is known: they are passed separately. Strings are
/// copied. Returns an error of `json::OptionsReader`.
Status readOptions(json::OptionsReader options, AssembleInput& input);

}  // namespace strata::layers
