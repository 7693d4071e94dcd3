// Names the two services that serve generateContent.
#pragma once

#include <cstdint>

namespace strata::gemini {

/// The service that a request goes to: the Gemini API (generativelanguage.googleapis.com) or Vertex
/// AI (aiplatform.googleapis.com). They accept different fields and return different error texts.
enum class Backend : uint8_t { kGemini, kVertex };

}  // namespace strata::gemini
