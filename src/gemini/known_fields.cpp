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
    {"labels", Service::kVertex},
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
    {"streamFunctionCallArguments", Service::kVertex},
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

std::string_view misspelledField(ObjectKind object, json::Value key) {
  const std::string given = key.text();
  for (const Field& known : fieldsOf(object)) {
    if (isNearName(given, known.name)) return known.name;
  }
  return {};
}

}  // namespace strata::gemini
