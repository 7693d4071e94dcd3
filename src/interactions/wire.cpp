#include "interactions/wire.h"

#include <string>

#include "gemini/content_view.h"
#include "interactions/shapes.h"

namespace strata::interactions {
namespace {

// What only one of two APIs has in the body.
constexpr NameList kOfInteractions =
    "agent agent_config system_instruction generation_config previous_interaction_id "
    "safety_settings webhook_config environment labels";
constexpr NameList kOfResponses =
    "instructions previous_response_id reasoning text include truncation parallel_tool_calls "
    "max_tool_calls metadata conversation prompt prompt_cache_key tool_choice user";
constexpr NameList kOfAnthropic =
    "system anthropic_version anthropic_beta stop_sequences thinking top_k container mcp_servers";
constexpr NameList kOfChat =
    "max_completion_tokens n frequency_penalty presence_penalty logit_bias logprobs "
    "response_format stream_options reasoning_effort functions function_call parallel_tool_calls "
    "seed stop user store";

int count(json::Value object, NameList names) {
  int found = 0;
  for (const json::Member member : json::members(object)) {
    if (hasName(names, member.key.raw())) ++found;
  }
  return found;
}

// Returns how much the elements of `input` look like steps (above 0) or like OpenAI's items.
int stepsOver(json::Value input) {
  int score = 0;
  for (const json::Value item : json::elements(input)) {
    const StepKind kind = stepKindOf(item);
    const bool isShared = kind == StepKind::kFunctionCall || kind == StepKind::kUnknown;
    if (!isShared || contentKindOf(item) != ContentKind::kUnknown) ++score;
    if (isForeignType(item.find("type"))) --score;
    if (kind == StepKind::kFunctionCall) score += item.find("call_id") ? -1 : 1;
    const json::Value role = item.find("role");
    if (role.equals("model")) ++score;
    if (role.equals("assistant") || role.equals("system") || role.equals("developer")) --score;
    for (const json::Value content : json::elements(item.find("content"))) {
      if (isForeignType(content.find("type"))) --score;
    }
  }
  return score;
}

// Returns whether a body without `input` has what only the Interactions API has.
bool isOfInteraction(json::Value body) {
  return body.find("object").equals("interaction") || body.find("agent").isString() ||
         body.find("previous_interaction_id") || body.find("steps").isArray();
}

// Of a body with `input`.
Wire wireOfInput(json::Value body, std::string_view model) {
  int score =
      count(body, kOfInteractions) - count(body, kOfResponses) + stepsOver(body.find("input"));
  // A field or two of the other API are a mistake.
  const Vendor vendor = vendorOf(model);
  if (vendor == Vendor::kGoogle) score += 2;
  if (vendor == Vendor::kOpenAi) score -= 2;
  return score >= 0 ? Wire::kInteractions : Wire::kOpenAiResponses;
}

// Returns how much messages look like Anthropic's (above 0) or like OpenAI's.
int anthropicOver(json::Value messages) {
  int score = 0;
  for (const json::Value message : json::elements(messages)) {
    const json::Value role = message.find("role");
    if (role.equals("system") || role.equals("developer") || role.equals("tool")) --score;
    if (message.find("tool_calls") || message.find("tool_call_id")) --score;
    for (const json::Value content : json::elements(message.find("content"))) {
      const std::string_view type = content.find("type").raw();
      if (hasName("tool_use tool_result thinking redacted_thinking", type)) ++score;
      if (content.find("source")) ++score;
      if (type == "image_url" || type == "input_audio") --score;
    }
  }
  return score;
}

// Of a body with `messages`.
Wire wireOfMessages(json::Value body, std::string_view model) {
  int score =
      count(body, kOfAnthropic) - count(body, kOfChat) + anthropicOver(body.find("messages"));
  for (const json::Value tool : json::elements(body.find("tools"))) {
    if (tool.find("input_schema")) ++score;
    if (tool.find("function")) --score;
  }
  const Vendor vendor = vendorOf(model);
  if (vendor == Vendor::kAnthropic) score += 2;
  if (vendor == Vendor::kOpenAi) score -= 2;
  return score > 0 ? Wire::kAnthropicMessages : Wire::kOpenAiChat;
}

}  // namespace

Vendor vendorOf(std::string_view model) {
  if (hasPart(model, "gemini gemma deep-research antigravity learnlm lyria tunedModels/"))
    return Vendor::kGoogle;
  if (hasPart(model, "claude")) return Vendor::kAnthropic;
  const std::string_view name = model.substr(model.rfind('/') + 1);
  const bool isReasoner = name.size() > 1 && name[0] == 'o' && name[1] >= '1' && name[1] <= '9';
  return isReasoner || hasPart(name, "gpt codex") ? Vendor::kOpenAi : Vendor::kUnknown;
}

Wire wireOf(json::Value body, std::string_view model) {
  if (gemini::field(body, "contents") || gemini::field(body, "generateContentRequest"))
    return Wire::kGenerateContent;
  const std::string own = body.find("model").text();
  const std::string_view name = own.empty() ? model : std::string_view(own);
  if (body.find("input") || isOfInteraction(body)) return wireOfInput(body, name);
  if (body.find("messages").isArray()) return wireOfMessages(body, name);
  return Wire::kGenerateContent;
}

std::string_view wireName(Wire wire) {
  switch (wire) {
    case Wire::kInteractions:
      return "the Interactions API";
    case Wire::kAnthropicMessages:
      return "Anthropic's Messages API";
    case Wire::kOpenAiResponses:
      return "OpenAI's Responses API";
    case Wire::kOpenAiChat:
      return "OpenAI's Chat Completions API";
    default:
      return "generateContent";
  }
}

bool isTurnList(json::Value input) {
  for (const json::Value turn : json::elements(input)) {
    if (turn.find("role") && !turn.find("type")) return true;
  }
  return false;
}

std::string_view betaPlace(json::Value body) {
  if (body.find("outputs").isArray()) return "/outputs";
  if (body.find("response_mime_type")) return "/response_mime_type";
  return {};
}

}  // namespace strata::interactions
