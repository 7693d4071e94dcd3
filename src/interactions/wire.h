// Tells by the shape of a request body which API it is for.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"

namespace strata::interactions {

/// The APIs whose bodies are told apart.
enum class Wire : uint8_t {
  kGenerateContent,
  kInteractions,
  kAnthropicMessages,
  kOpenAiResponses,
  kOpenAiChat,
};

/// Returns the API that `body` is for. A shape that fits two APIs is that of the model's vendor;
/// `model` is the model of a body that names none. A body without any sign is generateContent's.
/// O(bytes of the body) at worst.
Wire wireOf(json::Value body, std::string_view model = {});

/// Whose a model is by its name.
enum class Vendor : uint8_t { kUnknown, kGoogle, kAnthropic, kOpenAi };
/// Returns whose a model or an agent is. Tuned models are Google's.
Vendor vendorOf(std::string_view model);

/// Returns whether an API is neither of the two.
inline bool isOfOthers(Wire wire) {
  return wire != Wire::kGenerateContent && wire != Wire::kInteractions;
}

/// Returns the name of an API in a message, such as "OpenAI's Responses API".
std::string_view wireName(Wire wire);

/// Returns the pointer of what only the beta form of the Interactions API has, such as "/outputs";
/// "" if there is none.
std::string_view betaPlace(json::Value body);

/// Returns whether `input` holds turns with a role, which the beta form had.
bool isTurnList(json::Value input);

}  // namespace strata::interactions
