// The two services that answer generateContent.
#pragma once

#include <cstdint>

namespace strata::gemini {

/// Which service a request goes to: the Gemini API (generativelanguage.googleapis.com) or Vertex AI
/// (aiplatform.googleapis.com). They take different fields and refuse in different words.
enum class Backend : uint8_t { kGemini, kVertex };

}  // namespace strata::gemini
