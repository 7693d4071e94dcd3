// Checks inlineData and fileData: the MIME type, the base64 text, and who can read the URI.
#pragma once

#include "catalogue/finding.h"
#include "gemini/content_view.h"

namespace strata::lint {

/// Where a piece of media stands.
enum class MediaPlace : uint8_t {
  kUser,      ///< A Part that the caller wrote.
  kModel,     ///< A Part of a model's answer: its type is what the API sent.
  kResponse,  ///< An element of functionResponse.parts.
};

/// Appends the findings about `media`, the value of a field of this `kind` (inlineData or
/// fileData). Each finding is a copy of `location`, the place of `media`, with the field appended
/// to its path. Reads the ends of base64 text only. Sources:
/// https://ai.google.dev/gemini-api/docs/file-input-methods,
/// https://firebase.google.com/docs/ai-logic/input-file-requirements.
void checkMedia(json::Value media, gemini::PartKind kind, MediaPlace place,
                const catalogue::Finding& location, const catalogue::Target& target,
                catalogue::Findings& findings);

}  // namespace strata::lint
