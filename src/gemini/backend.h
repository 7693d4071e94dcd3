// Names the two services that serve generateContent.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace strata::gemini {

/// The service that a request goes to: the Gemini API (generativelanguage.googleapis.com) or Vertex
/// AI (aiplatform.googleapis.com). They accept different fields and return different error texts.
enum class Backend : uint8_t { kGemini, kVertex };

/// The names of the backends in options, in the order of the enumerators.
inline constexpr std::array<std::string_view, 2> kBackendNames = {"gemini", "vertex"};

constexpr std::string_view backendName(Backend backend) {
  return kBackendNames[static_cast<size_t>(backend)];
}

}  // namespace strata::gemini
