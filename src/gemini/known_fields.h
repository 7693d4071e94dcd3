// Lists the fields of the objects in a request. The API's JSON parser rejects unknown names.
// Sources: googleapis/googleapis, google/ai/generativelanguage/v1beta/*.proto; googleapis/js-genai,
// src/types.ts and src/converters/_models_converters.ts (6e9b35c4).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gemini/backend.h"
#include "json/value.h"

namespace strata::gemini {

/// The objects whose fields are listed.
enum class ObjectKind : uint8_t {
  kRequest,
  kCachedContent,
  kGenerationConfig,
  kThinkingConfig,
  kToolConfig,
  kFunctionCallingConfig,
  kRetrievalConfig,
  kTool,
  kDeclaration,
  kSafetySetting,
};

/// Whether a service has a field.
enum class FieldSupport : uint8_t {
  kSupported,
  kUnknown,
  kOtherBackend,  ///< Only the other service has the field.
  kRejected,      ///< As kElsewhere, and a reported answer of this service rejects it.
};

/// Returns whether `backend` has the field `key` of `object`. Both spellings are accepted.
FieldSupport fieldSupport(ObjectKind object, json::Value key, Backend backend);

/// Returns what `key`, which is no field of `object`, most likely means: a field with a typing
/// error, that of another library, or one of another object, as in "generationConfig.temperature".
/// Returns an empty text for other names.
std::string meantField(ObjectKind object, json::Value key);

}  // namespace strata::gemini
