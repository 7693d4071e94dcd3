#include "interactions/shapes.h"

#include <array>

#include "base/near_name.h"
#include "catalogue/finding.h"

namespace strata::interactions {
namespace {

struct Alias {
  std::string_view given;
  std::string_view meant;
};

// What generateContent, OpenAI and Anthropic call a field.
constexpr Alias kAliases[] = {
    {"contents", "input"},
    {"messages", "input"},
    {"steps", "input"},
    {"system", "system_instruction"},
    {"instructions", "system_instruction"},
    {"config", "generation_config"},
    {"previous_response_id", "previous_interaction_id"},
    {"max_tokens", "max_output_tokens"},
    {"max_completion_tokens", "max_output_tokens"},
    {"stop", "stop_sequences"},
    {"reasoning_effort", "thinking_level"},
    {"include_thoughts", "thinking_summaries"},
    {"parts", "content"},
    {"text", "content"},
    {"inline_data", "data"},
    {"file_data", "uri"},
    {"file_uri", "uri"},
    {"url", "uri"},
    {"image_url", "uri"},
    {"media_resolution", "resolution"},
    {"video_metadata", "processing"},
    {"args", "arguments"},
    {"input", "arguments"},
    {"id", "call_id"},
    {"tool_call_id", "call_id"},
    {"tool_use_id", "call_id"},
    {"response", "result"},
    {"output", "result"},
    {"content", "result"},
    {"thought_signature", "signature"},
    {"input_schema", "parameters"},
    {"parameters_json_schema", "parameters"},
    {"mode", "allowed_tools"},
    {"allowed_function_names", "tools"},
};

constexpr NameList kForeignNames =
    "contents messages parts inline_data file_data image_url args functionCall functionResponse "
    "tool_call_id tool_use_id thought_signature system max_tokens max_completion_tokens "
    "tool_config cached_content function_declarations input_schema role";

constexpr NameList kForeignTypes =
    "input_text output_text input_image input_audio input_file image_url message reasoning "
    "function_call_output item_reference refusal tool_use tool_result thinking redacted_thinking";

constexpr NameList kToolNames =
    "google_search code_execution url_context file_search google_maps retrieval mcp_server_tool "
    "processing";

std::string snakeCase(std::string_view name) {
  std::string out;
  catalogue::appendSnakeCase(out, name);
  return out;
}

// Calls `visit` with each name, until it returns true.
template <typename Visit>
void anyName(NameList list, const Visit& visit) {
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(' '));
    if (visit(name)) return;
    list.remove_prefix(std::min(list.size(), name.size() + 1));
  }
}

// Returns whether `type` is the name of a built-in tool with this end.
bool isOfTool(std::string_view type, std::string_view end) {
  return type.ends_with(end) && hasName(kToolNames, type.substr(0, type.size() - end.size()));
}

}  // namespace

bool hasName(NameList list, std::string_view name) {
  bool found = false;
  if (!name.empty()) anyName(list, [&](std::string_view each) { return found = each == name; });
  return found;
}

bool hasPart(std::string_view text, NameList list) {
  bool found = false;
  anyName(list, [&](std::string_view each) { return found = text.find(each) != text.npos; });
  return found;
}

StepKind stepKindOf(json::Value step) {
  const std::string_view type = step.find("type").raw();
  if (type == "user_input") return StepKind::kUserInput;
  if (type == "model_output") return StepKind::kModelOutput;
  if (type == "thought") return StepKind::kThought;
  if (type == "function_call") return StepKind::kFunctionCall;
  if (type == "function_result") return StepKind::kFunctionResult;
  if (isOfTool(type, "_call")) return StepKind::kToolCall;
  if (isOfTool(type, "_result")) return StepKind::kToolResult;
  return StepKind::kUnknown;
}

ContentKind contentKindOf(json::Value content) {
  const std::string_view type = content.find("type").raw();
  if (type == "text") return ContentKind::kText;
  if (type == "image") return ContentKind::kImage;
  if (type == "audio") return ContentKind::kAudio;
  if (type == "document") return ContentKind::kDocument;
  if (type == "video") return ContentKind::kVideo;
  return type == "function_result" ? ContentKind::kFunctionResult : ContentKind::kUnknown;
}

bool isOfModel(StepKind kind) {
  return kind != StepKind::kUnknown && kind != StepKind::kUserInput &&
         kind != StepKind::kFunctionResult;
}

NameList fieldsOf(Shape shape) {
  switch (shape) {
    case Shape::kRequest:
      return "model agent input system_instruction tools response_format generation_config "
             "agent_config stream store background previous_interaction_id safety_settings "
             "service_tier labels webhook_config environment";
    case Shape::kGenerationConfig:
      return "max_output_tokens seed stop_sequences thinking_level thinking_summaries tool_choice "
             "speech_config transcription_config video_config temperature top_p top_k";
    case Shape::kToolChoice:
      return "allowed_tools";
    default:
      return "mode tools";
  }
}

NameList fieldsOf(StepKind kind) {
  switch (kind) {
    case StepKind::kUserInput:
      return "type content";
    case StepKind::kModelOutput:
      return "type content error";
    case StepKind::kThought:
      return "type signature summary";
    case StepKind::kFunctionCall:
      return "type id name arguments signature";
    case StepKind::kFunctionResult:
      return "type call_id name result is_error signature";
    default:
      return {};  // They go back as they came.
  }
}

NameList fieldsOf(ContentKind kind) {
  switch (kind) {
    case ContentKind::kText:
      return "type text annotations";
    case ContentKind::kImage:
      return "type data uri mime_type resolution";
    case ContentKind::kAudio:
      return "type data uri mime_type sample_rate channels";
    case ContentKind::kDocument:
      return "type data uri mime_type";
    case ContentKind::kVideo:
      return "type data uri mime_type resolution processing";
    case ContentKind::kFunctionResult:
      return fieldsOf(StepKind::kFunctionResult);
    default:
      return {};
  }
}

NameList fieldsOfTool(std::string_view type) {
  if (type == "function") return "type name description parameters";
  if (type == "google_search") return "type search_types";
  if (type == "code_execution" || type == "url_context") return "type";
  if (type == "file_search") return "type file_search_store_names metadata_filter top_k";
  if (type == "google_maps") return "type latitude longitude enable_widget";
  if (type == "mcp_server") return "type name url headers allowed_tools";
  return {};
}

NameList fieldsOfFormat(std::string_view type) {
  if (type == "text") return "type mime_type schema";
  if (type == "image") return "type aspect_ratio image_size mime_type delivery";
  if (type == "audio") return "type mime_type sample_rate bit_rate delivery";
  if (type == "video") return "type aspect_ratio duration resolution delivery gcs_uri";
  return {};
}

std::string meantName(NameList fields, json::Value key) {
  const std::string given = key.text();
  const std::string snake = snakeCase(given);
  if (snake != given && hasName(fields, snake)) return snake;
  for (const Alias& alias : kAliases) {
    if (alias.given == snake && hasName(fields, alias.meant)) return std::string(alias.meant);
  }
  std::string meant;
  anyName(fields, [&](std::string_view name) {
    if (!isNearName(snake, name)) return false;
    meant = name;
    return true;
  });
  return meant;
}

bool isForeignName(json::Value key) {
  const std::string name = key.text();
  return snakeCase(name) != name || hasName(kForeignNames, name);
}

bool isForeignType(json::Value type) { return hasName(kForeignTypes, type.raw()); }

}  // namespace strata::interactions
