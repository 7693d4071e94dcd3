// Why this file exists: every rule, importer and estimate reads Contents through this index, where
// each field has been found once, in camelCase or snake_case. None of them looks at spelling.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace strata::gemini {

enum class Role : uint8_t { kMissing, kUser, kModel, kFunction, kUnknown };

/// What a Part holds: the fields of its `data` oneof.
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

/// One Part. Values are absent where the field is, or where it is null.
struct PartView {
  json::Value part;
  json::Value data;  ///< Of the first data field: the text, the functionCall, …
  json::Value dataKey;
  json::Value otherKey;   ///< Of a second data field, which may not be there.
  json::Value signature;  ///< thoughtSignature
  json::Value signatureKey;
  json::Value unknownKey;  ///< The first field that Parts don't have.
  json::Value id;          ///< Of a functionCall or functionResponse.
  json::Value name;
  json::Value payload;  ///< functionCall.args or functionResponse.response
  PartKind kind = PartKind::kNone;
  bool thought = false;
  bool mediaInResult = false;  ///< A functionResponse has media among its own parts.

  bool isCall() const { return kind == PartKind::kFunctionCall; }
  bool isResponse() const { return kind == PartKind::kFunctionResponse; }
  /// Whether it holds data, as far as can be told: a field that is new to us may be data.
  bool hasData() const { return kind != PartKind::kNone || unknownKey; }
  bool isMedia() const { return isMediaKind(kind) || mediaInResult; }
  bool isSigned() const { return signature.isString() && !signature.raw().empty(); }
};

/// One Content. `read` reuses the memory of the Content before.
struct ContentView {
  json::Value content;
  json::Value role;
  json::Value parts;
  json::Value unknownKey;
  Role roleKind = Role::kMissing;
  std::vector<PartView> partViews;
  uint32_t calls = 0;
  uint32_t responses = 0;
  uint32_t others = 0;  ///< Parts that hold something else than a result.
  bool hasMedia = false;

  void read(json::Value value);

  bool isModel() const { return roleKind == Role::kModel; }
  bool hasCalls() const { return calls > 0; }
  bool hasResponses() const { return responses > 0; }
  /// A user Content that holds something other than results opens a turn.
  bool hasOtherThanResponses() const { return others > 0; }
};

/// The field of Part that `key` spells (data, thought, thoughtSignature or a modifier), in
/// camelCase; "" where Parts have no such field.
std::string_view partField(json::Value key);
inline bool isPartField(json::Value key) { return !partField(key).empty(); }

/// Whether `key` is this field, in either spelling that the API reads.
bool isField(json::Value key, std::string_view camelCase);
/// A key's text with `_x` as `X`, as protobuf makes one spelling from the other.
std::string inCamelCase(json::Value key);
/// The key of `object` that is the same field as the snake_case `key`, in camelCase; absent where
/// there is none.
json::Value camelCaseTwin(json::Value object, json::Value key);
/// The member of `object` under either spelling.
json::Value field(json::Value object, std::string_view camelCase);

}  // namespace strata::gemini
