// Why this file exists: Google's JSON reader refuses names that it does not know. Which names the
// objects of a request have is one table, from the facts, sections 2.3, 2.4, 4.2, 5.2 and 5.4.
#pragma once

#include <cstdint>

#include "gemini/backend.h"
#include "json/value.h"

namespace strata::gemini {

/// The objects whose names are all known.
enum class ObjectKind : uint8_t {
  kRequest,
  kGenerationConfig,
  kThinkingConfig,
  kToolConfig,
  kFunctionCallingConfig,
  kRetrievalConfig,
  kTool,
  kDeclaration,
};

/// What a service makes of a name.
enum class Known : uint8_t {
  kYes,
  kNo,
  kElsewhere,  ///< Only the other service has it.
  kRefused,    ///< The same, and an answer that refuses it is on record.
};

Known knownField(ObjectKind object, json::Value key, Backend backend);

}  // namespace strata::gemini
