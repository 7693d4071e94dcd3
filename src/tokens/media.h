// Why this file exists: what a picture, a sound or a document costs follows from the model's
// generation and the resolution that was asked for, not from its bytes.
#pragma once

#include <cstdint>

#include "json/value.h"

namespace strata::tokens {

/// How media are counted: flat guesses (Gemini CLI's), or as a generation of models counts them.
enum class MediaCount : uint8_t { kFlat, kGemini2, kGemini3 };

/// Tokens of a Part with inlineData or fileData. Seconds and pages are guessed from the size where
/// the API would count them. `media` is that field's value.
double estimateMedia(json::Value part, json::Value media, MediaCount count);

}  // namespace strata::tokens
