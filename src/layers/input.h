// Why this file exists: what a request is made of besides the thread, as the core reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jinja/template.h"
#include "json/value.h"

namespace strata::layers {

/// Where a text layer comes from.
enum class TextSource : uint8_t { kDefaultTemplate, kTemplateSource, kTemplate, kText };

struct TextInput {
  TextSource source = TextSource::kDefaultTemplate;
  std::string_view text;    ///< The finished text, or the template's source.
  uint32_t templateId = 0;  ///< Tells one compiled template from another.
  const jinja::Template* compiled = nullptr;
  jinja::Host* host = nullptr;  ///< Of `compiled`.
  std::string_view variables;   ///< A JSON object, or "".
  std::string_view half;        ///< Of a compiled prompt: stands in front of the layer's text.
};

enum class TriggerKind : uint8_t { kNone, kInstruction, kContent };

/// A CachedContent that lives.
struct CacheHandle {
  std::string name;
  std::string model;
  size_t turns = 0;
  std::string key;
};

/// Views into what the caller handed over; valid for one call.
struct AssembleInput {
  std::string now;
  std::string model;
  TextInput staticText;
  TextInput dynamicText;
  bool staticAsUser = false;
  bool dynamicBeforeTurn = false;
  TriggerKind triggerKind = TriggerKind::kNone;
  std::string_view trigger;
  std::string_view tools;  ///< JSON texts, "" where absent.
  std::string_view toolConfig;
  std::string_view generationConfig;
  std::string_view safetySettings;
  bool hasCache = false;
  CacheHandle cache;
  bool cacheContents = false;  ///< Old history as Contents of the cache, not as text.
  bool hasBufferTokens = false;
  int64_t bufferTokens = 0;
  bool forCache = false;  ///< What is wanted is the cache's body, not a request.
  bool strict = false;
  json::Value previous;  ///< The last request's manifest, or absent.
  json::Value compiled;  ///< The compiled prompt's manifest, or absent.
};

/// Fills what the caller's options object says: now, static, dynamic, cache, cachedHistory,
/// bufferTokens, strict, trigger. Errors: `field.invalid` with the option's path.
Status readOptions(json::Value options, AssembleInput& input);

}  // namespace strata::layers
