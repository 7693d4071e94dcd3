// Lists the shapes of the Interactions API: its steps, their Content, the tools, and the fields of
// each. Names are in snake_case only. Unknown types and fields have no shape, and pass untouched.
// Sources: https://ai.google.dev/api/interactions-api; googleapis/js-genai, src/gaos (6e9b35c4).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::interactions {

/// The kinds of steps. Built-in tools share two kinds: google_search, code_execution, url_context,
/// file_search, google_maps, retrieval, mcp_server_tool, processing.
enum class StepKind : uint8_t {
  kUnknown,
  kUserInput,
  kModelOutput,
  kThought,
  kFunctionCall,
  kFunctionResult,
  kToolCall,
  kToolResult,
};

/// The kinds of Content. A function_result may stand in a user_input, too.
enum class ContentKind : uint8_t {
  kUnknown,
  kText,
  kImage,
  kAudio,
  kDocument,
  kVideo,
  kFunctionResult,
};

/// The objects whose fields are listed, apart from steps and Content.
enum class Shape : uint8_t {
  kRequest,
  kGenerationConfig,
  kToolChoice,
  kAllowedTools,
};

/// Names separated by spaces.
using NameList = std::string_view;

/// Returns whether `list` has the name.
bool hasName(NameList list, std::string_view name);
/// Returns whether one of the names in `list` is a part of `text`.
bool hasPart(std::string_view text, NameList list);

/// Returns the kind of a step by its `type`.
StepKind stepKindOf(json::Value step);
/// Returns the kind of a Content by its `type`.
ContentKind contentKindOf(json::Value content);

inline bool isMedia(ContentKind kind) {
  return kind >= ContentKind::kImage && kind <= ContentKind::kVideo;
}
/// Returns whether the model makes steps of this kind, or Google's tools do.
bool isOfModel(StepKind kind);

/// Return the fields of an object; "" if any field may stand in it.
NameList fieldsOf(Shape shape);
NameList fieldsOf(StepKind kind);
NameList fieldsOf(ContentKind kind);
/// Returns the fields of a tool with this type; "" if the type is unknown or its fields are open.
NameList fieldsOfTool(std::string_view type);
/// Returns the fields of an entry of response_format.
NameList fieldsOfFormat(std::string_view type);

/// The types of tools.
inline constexpr NameList kToolTypes =
    "function google_search code_execution url_context file_search google_maps mcp_server "
    "computer_use retrieval filesystem bash";
/// The values of response_format.type.
inline constexpr NameList kFormatTypes = "text image audio video";

/// Returns the name that `key`, which is not in `fields`, most likely means: the same in camelCase,
/// a typing error, or that of another API. Returns "" for other names.
std::string meantName(NameList fields, json::Value key);

/// Returns whether no version of the API will have this name: one with upper case, or a field of
/// generateContent, OpenAI or Anthropic.
bool isForeignName(json::Value key);

/// Returns whether a step or a Content with this type belongs to OpenAI or Anthropic.
bool isForeignType(json::Value type);

}  // namespace strata::interactions
