// Reads a Content into an index of its fields, in camelCase or snake_case: ProtoJSON accepts both
// (https://protobuf.dev/programming-guides/json/). Rules, importers and estimates read Contents
// through it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace strata::gemini {

/// The `role` of a Content. kFunction is the older role of functionResponses.
enum class Role : uint8_t { kMissing, kUser, kModel, kFunction, kUnknown };

/// The field of the `data` oneof that a Part sets. Source: Part in
/// googleapis/googleapis, google/ai/generativelanguage/v1beta/content.proto.
enum class PartKind : uint8_t {
  kNone,
  kText,
  kInlineData,
  kFileData,
  kFunctionCall,
  kFunctionResponse,
  kExecutableCode,
  kCodeExecutionResult,
  kToolCall,
  kToolResponse,
  kAudioTranscription,
};

inline bool isMediaKind(PartKind kind) {
  return kind == PartKind::kInlineData || kind == PartKind::kFileData;
}

/// The placeholder signature that Google documents:
/// https://ai.google.dev/gemini-api/docs/thought-signatures.
inline constexpr std::string_view kPlaceholderSignature = "skip_thought_signature_validator";

/// One Part. A Value is absent if its field is missing or null. Values live as long as the tape.
struct PartView {
  json::Value part;
  json::Value data;  ///< The value of the first data field, such as the text or the functionCall.
  json::Value dataKey;
  json::Value otherKey;   ///< The key of a second data field, which is an error.
  json::Value signature;  ///< thoughtSignature
  json::Value signatureKey;
  json::Value unknownKey;  ///< The first key that is not a field of Part.
  json::Value id;          ///< The id of a functionCall or functionResponse.
  json::Value name;
  json::Value payload;  ///< functionCall.args or functionResponse.response
  PartKind kind = PartKind::kNone;
  bool thought = false;
  bool mediaInResult = false;  ///< Whether functionResponse.parts holds media.
  bool hasVideoMetadata = false;

  bool isCall() const { return kind == PartKind::kFunctionCall; }
  bool isResponse() const { return kind == PartKind::kFunctionResponse; }
  /// Returns whether the Part may hold data. An unknown field counts, since it may be a new kind of
  /// data.
  bool hasData() const { return kind != PartKind::kNone || unknownKey; }
  bool isMedia() const { return isMediaKind(kind) || mediaInResult; }
  bool isSigned() const { return signature.isString() && !signature.raw().empty(); }
  /// Returns whether the Part says something without data. The API takes such Parts back.
  bool isAnnotation() const { return thought || isSigned() || hasVideoMetadata; }
};

/// One Content. `read` replaces the previous Content and reuses its memory.
struct ContentView {
  json::Value content;
  json::Value role;
  json::Value parts;
  json::Value unknownKey;
  Role roleKind = Role::kMissing;
  std::vector<PartView> partViews;
  uint32_t calls = 0;
  uint32_t responses = 0;
  uint32_t nonResponses = 0;  ///< Parts with data other than a functionResponse.
  bool hasMedia = false;

  /// Reads `value`, in O(size). Any JSON value is allowed: what is not a Content has no Parts. The
  /// view is valid as long as the tape of `value`.
  void read(json::Value value);

  bool isModel() const { return roleKind == Role::kModel; }
  bool hasCalls() const { return calls > 0; }
  bool hasResponses() const { return responses > 0; }
  /// Returns whether any Part holds data other than a functionResponse. Such a user Content opens a
  /// turn (https://ai.google.dev/gemini-api/docs/thought-signatures).
  bool hasNonResponses() const { return nonResponses > 0; }
};

/// Returns the elements of a repeated field. ProtoJSON takes a single object for a list of one:
/// recorded for `tools`, `parts` and others (3.5-flash among them).
json::ElementRange repeated(json::Value listOrObject);
/// Returns their number.
size_t repeatedSize(json::Value listOrObject);

/// Returns the camelCase name of the Part field that `key` names, or "" if Part has no such field.
/// The view has static storage.
std::string_view partField(json::Value key);
inline bool isPartField(json::Value key) { return !partField(key).empty(); }

/// Returns whether `key` is the field `camelCase`, in camelCase or snake_case, escapes resolved.
bool isField(json::Value key, std::string_view camelCase);
/// Returns the text of `key` in camelCase: each `_x` becomes `X`, as in ProtoJSON.
std::string toCamelCase(json::Value key);
std::string toCamelCase(std::string_view text);
/// Returns the camelCase key of `object` that names the same field as the snake_case `key`, or an
/// absent Value.
json::Value camelCaseKeyOf(json::Value object, json::Value key);
/// Returns the value of the field `camelCase` of `object` in either spelling, or an absent Value.
json::Value field(json::Value object, std::string_view camelCase);

}  // namespace strata::gemini
