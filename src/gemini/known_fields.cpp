#include "gemini/known_fields.h"

#include <span>
#include <string>
#include <string_view>

#include "base/near_name.h"
#include "gemini/content_view.h"

namespace strata::gemini {
namespace {

enum class Service : uint8_t { kBoth, kGemini, kVertex };

struct Field {
  std::string_view name;
  Service service = Service::kBoth;
  bool rejected = false;  // the other service is reported to reject it
};

constexpr Field kRequest[] = {
    {"contents"},
    {"systemInstruction"},
    {"tools"},
    {"toolConfig"},
    {"generationConfig"},
    {"safetySettings"},
    {"cachedContent"},
    {"model"},
    {"serviceTier"},
    {"store", Service::kGemini, true},
    {"continuationToken"},
    {"labels", Service::kVertex, true},
    {"modelArmorConfig", Service::kVertex},
};

// The body of cachedContents.create.
constexpr Field kCachedContent[] = {
    {"model"},
    {"contents"},
    {"systemInstruction"},
    {"tools"},
    {"toolConfig"},
    {"ttl"},
    {"expireTime"},
    {"displayName"},
    {"name"},
    {"createTime"},
    {"updateTime"},
    {"usageMetadata"},
    {"kmsKeyName", Service::kVertex},
    {"encryptionSpec", Service::kVertex},
};

constexpr Field kGenerationConfig[] = {
    {"candidateCount"},
    {"stopSequences"},
    {"maxOutputTokens"},
    {"temperature"},
    {"topP"},
    {"topK"},
    {"seed"},
    {"responseMimeType"},
    {"responseSchema"},
    {"responseJsonSchema"},
    {"_responseJsonSchema"},
    {"responseFormat"},
    {"presencePenalty"},
    {"frequencyPenalty"},
    {"responseLogprobs"},
    {"logprobs"},
    {"enableEnhancedCivicAnswers"},
    {"responseModalities"},
    {"speechConfig"},
    {"thinkingConfig"},
    {"imageConfig"},
    {"mediaResolution"},
    {"audioTranscriptionConfig"},
    {"routingConfig", Service::kVertex},
    {"modelSelectionConfig", Service::kVertex},
    {"audioTimestamp", Service::kVertex},
    {"enableAffectiveDialog", Service::kVertex},
    {"translationConfig", Service::kVertex},
};

constexpr Field kThinkingConfig[] = {{"includeThoughts"}, {"thinkingBudget"}, {"thinkingLevel"}};

constexpr Field kToolConfig[] = {
    {"functionCallingConfig"},
    {"retrievalConfig"},
    {"includeServerSideToolInvocations", Service::kGemini, true},
};

constexpr Field kFunctionCallingConfig[] = {
    {"mode"},
    {"allowedFunctionNames"},
    {"streamFunctionCallArguments", Service::kVertex, true},
};

constexpr Field kRetrievalConfig[] = {{"latLng"}, {"languageCode"}};

constexpr Field kTool[] = {
    {"functionDeclarations"},
    {"googleSearch"},
    {"googleSearchRetrieval"},
    {"codeExecution"},
    {"urlContext"},
    {"fileSearch"},
    {"googleMaps"},
    {"computerUse"},
    {"mcpServers"},
    {"retrieval", Service::kVertex},
    {"enterpriseWebSearch", Service::kVertex},
    {"exaAiSearch", Service::kVertex},
    {"parallelAiSearch", Service::kVertex},
};

constexpr Field kDeclaration[] = {
    {"name"},     {"description"},        {"parameters"}, {"parametersJsonSchema"},
    {"response"}, {"responseJsonSchema"}, {"behavior"},
};

constexpr Field kSafetySetting[] = {{"category"}, {"threshold"}, {"method", Service::kVertex}};

/// What other libraries call a field, or a field of the wrong object.
struct Alias {
  ObjectKind object;
  std::string_view given;
  std::string_view meant;
};

constexpr Alias kAliases[] = {
    {ObjectKind::kRequest, "messages", "contents"},
    {ObjectKind::kRequest, "system", "systemInstruction"},
    {ObjectKind::kRequest, "config", "generationConfig"},
    {ObjectKind::kGenerationConfig, "maxTokens", "maxOutputTokens"},
    {ObjectKind::kGenerationConfig, "maxCompletionTokens", "maxOutputTokens"},
    {ObjectKind::kGenerationConfig, "stop", "stopSequences"},
    {ObjectKind::kGenerationConfig, "thinkingBudget", "thinkingConfig.thinkingBudget"},
    {ObjectKind::kGenerationConfig, "thinkingLevel", "thinkingConfig.thinkingLevel"},
    {ObjectKind::kGenerationConfig, "includeThoughts", "thinkingConfig.includeThoughts"},
    {ObjectKind::kThinkingConfig, "budget", "thinkingBudget"},
    {ObjectKind::kThinkingConfig, "level", "thinkingLevel"},
    {ObjectKind::kToolConfig, "mode", "functionCallingConfig.mode"},
    {ObjectKind::kToolConfig, "allowedFunctionNames", "functionCallingConfig.allowedFunctionNames"},
    {ObjectKind::kTool, "functions", "functionDeclarations"},
    {ObjectKind::kTool, "function", "functionDeclarations"},
    {ObjectKind::kDeclaration, "inputSchema", "parametersJsonSchema"},
};

std::span<const Field> fieldsOf(ObjectKind object) {
  switch (object) {
    case ObjectKind::kRequest:
      return kRequest;
    case ObjectKind::kCachedContent:
      return kCachedContent;
    case ObjectKind::kGenerationConfig:
      return kGenerationConfig;
    case ObjectKind::kThinkingConfig:
      return kThinkingConfig;
    case ObjectKind::kToolConfig:
      return kToolConfig;
    case ObjectKind::kFunctionCallingConfig:
      return kFunctionCallingConfig;
    case ObjectKind::kRetrievalConfig:
      return kRetrievalConfig;
    case ObjectKind::kTool:
      return kTool;
    case ObjectKind::kSafetySetting:
      return kSafetySetting;
    default:
      return kDeclaration;
  }
}

}  // namespace

FieldSupport fieldSupport(ObjectKind object, json::Value key, Backend backend) {
  const Service other = backend == Backend::kGemini ? Service::kVertex : Service::kGemini;
  for (const Field& known : fieldsOf(object)) {
    if (!isField(key, known.name)) continue;
    if (known.service != other) return FieldSupport::kSupported;
    return known.rejected ? FieldSupport::kRejected : FieldSupport::kOtherBackend;
  }
  return FieldSupport::kUnknown;
}

std::string meantField(ObjectKind object, json::Value key) {
  for (const Alias& alias : kAliases) {
    if (alias.object == object && isField(key, alias.given)) return std::string(alias.meant);
  }
  const std::string given = key.text();
  for (const Field& known : fieldsOf(object)) {
    if (isNearName(given, known.name)) return std::string(known.name);
  }
  const bool isSetting = object == ObjectKind::kRequest &&
                         fieldSupport(ObjectKind::kGenerationConfig, key, Backend::kGemini) ==
                             FieldSupport::kSupported;
  return isSetting ? "generationConfig." + given : "";
}

}  // namespace strata::gemini
