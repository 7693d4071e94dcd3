// Imports histories of other clients into a thread of Contents.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/options_reader.h"
#include "lint/signature.h"
#include "thread/saved_form.h"
#include "thread/thread.h"

namespace strata::dialects {

enum class Format : uint8_t {
  kStrata,        ///< The saved form of a thread.
  kGemini,        ///< Contents, alone or in a request; also in the spelling of python-genai.
  kRawResponse,   ///< Turns with a `raw_response`, see raw_response.cpp.
  kOpenAi,        ///< Messages of OpenAI's chat completions.
  kAiSdk,         ///< ModelMessages of the Vercel AI SDK.
  kLangChain,     ///< Messages that LangChain serialized, see langchain.cpp.
  kInteractions,  ///< Steps, interactions or a body of the Interactions API.
};

/// What to do with signatures that another model or service than the thread's target made.
enum class ForeignSignatures : uint8_t {
  kKeep,   ///< Keep them; lint reports `signature.foreign`.
  kStrip,  ///< Remove them.
  kDummy,  ///< Remove them and sign unsigned steps of the current turn with the placeholder.
};

/// Joins the Contents of a stream's chunks, in order, into one Content. All of them are valid JSON.
using Compose = std::string (*)(const std::vector<std::string>& contents);

struct ImportOptions {
  std::optional<Format> format;  ///< Detected if not set.
  ForeignSignatures signatures = ForeignSignatures::kKeep;
  lint::Provenance signaturesFrom;  ///< Origin of turns whose origin the history does not name.
  Compose compose = nullptr;        ///< Required for kRawResponse.
};

/// What an import returns besides the thread.
struct Imported {
  catalogue::Findings notes;  ///< What was changed or left out. Paths point into the history, and
                              ///< into the thread's contents for signatures.
  std::string systemText;     ///< Leading system messages, which are not part of a thread.
  std::vector<thread::CallRecord> records;  ///< Of a saved thread, see `thread::loadSaved`.
};

/// Reads `format`, `signatures` and `signaturesFrom` of ThreadOptions.
ImportOptions readImportOptions(json::OptionsReader& options);

/// Imports a history into an empty thread. Findings do not stop the import; check
/// `thread.findings()` afterwards. Errors: those of `json::Tape::read` and `thread::loadSaved`, and
/// `field.invalid` with the offset and path of a value of the wrong type; the thread may then hold
/// some of the turns. The detail of these errors names the format and how it was recognized.
/// Complexity: O(bytes).
Status importHistory(thread::Thread& thread, std::string_view bytes, const ImportOptions& options,
                     Imported& imported);

}  // namespace strata::dialects
