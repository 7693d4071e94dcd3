// Estimates the tokens of images, audio, video and documents.
//
// Source: "Understand and count tokens", https://ai.google.dev/gemini-api/docs/tokens.
#pragma once

#include <cstdint>

#include "json/value.h"

namespace strata::tokens {

/// How media are counted: flat, as in Gemini CLI's packages/core/src/utils/tokenCalculation.ts, or
/// as a generation of models counts them.
enum class MediaCount : uint8_t { kFlat, kGemini2, kGemini3 };

/// Returns the tokens of a Part with inlineData or fileData; `media` is the value of that field.
/// Derives seconds and pages from the size of the data, because the bytes are not decoded. Media
/// other than images that are given by URI have an unknown size and count as a document.
double estimateMedia(json::Value part, json::Value media, MediaCount count);

}  // namespace strata::tokens
