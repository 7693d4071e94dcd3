#include "history/known_fields.h"

#include <iterator>
#include <string_view>

#include "history/content_view.h"

namespace strata::history {
namespace {

enum class Service : uint8_t { kBoth, kGemini, kVertex };

struct Field {
  std::string_view name;
  Service service = Service::kBoth;
  bool refused = false;  // by the other service, on record
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
    {"store"},
    {"labels", Service::kVertex},
    {"modelArmorConfig", Service::kVertex},
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

struct Fields {
  const Field* first;
  const Field* last;
};

template <size_t N>
constexpr Fields all(const Field (&fields)[N]) {
  return {std::begin(fields), std::end(fields)};
}

Fields fieldsOf(ObjectKind object) {
  switch (object) {
    case ObjectKind::kRequest:
      return all(kRequest);
    case ObjectKind::kGenerationConfig:
      return all(kGenerationConfig);
    case ObjectKind::kThinkingConfig:
      return all(kThinkingConfig);
    case ObjectKind::kToolConfig:
      return all(kToolConfig);
    case ObjectKind::kFunctionCallingConfig:
      return all(kFunctionCallingConfig);
    case ObjectKind::kRetrievalConfig:
      return all(kRetrievalConfig);
    case ObjectKind::kTool:
      return all(kTool);
    default:
      return all(kDeclaration);
  }
}

}  // namespace

Known knownField(ObjectKind object, json::Value key, rules::Backend backend) {
  const Service other = backend == rules::Backend::kGemini ? Service::kVertex : Service::kGemini;
  const Fields fields = fieldsOf(object);
  for (const Field* each = fields.first; each != fields.last; ++each) {
    if (!isField(key, each->name)) continue;
    if (each->service != other) return Known::kYes;
    return each->refused ? Known::kRefused : Known::kElsewhere;
  }
  return Known::kNo;
}

}  // namespace strata::history
