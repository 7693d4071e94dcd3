// Why this file exists: users come with histories that other clients kept. Each keeps turns, and
// hides signatures, in its own way; here they become Contents in a thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lint/signature.h"
#include "thread/thread.h"

namespace strata::dialects {

enum class Format : uint8_t { kStrata, kGemini, kRawResponse, kOpenAi, kAiSdk };

/// What becomes of signatures that another model or service made than the thread is for.
enum class ForeignSignatures : uint8_t {
  kKeep,   ///< They stay, and `signature.foreign` says so.
  kStrip,  ///< They are removed.
  kDummy,  ///< They are removed, and unsigned steps of the current turn get the placeholder.
};

/// Makes one Content of those that a stream's chunks hold, in order.
using Compose = std::string (*)(const std::vector<std::string>& contents);

struct ImportOptions {
  std::optional<Format> format;  ///< Not said: told by looking at the history.
  ForeignSignatures signatures = ForeignSignatures::kKeep;
  lint::Provenance signaturesFrom;  ///< Of the signatures that don't say it themselves.
  Compose compose = nullptr;
};

/// What there is to tell of an import beside the thread.
struct Imported {
  catalogue::Findings notes;  ///< What was changed or left out; paths point into the history given.
  std::string systemText;     ///< The system messages in front, which a thread has no place for.
};

/// Reads `format`, `signatures` and `signaturesFrom` of ThreadOptions. Errors: `field.invalid`.
Result<ImportOptions> readImportOptions(json::Value options);

/// Adds a history to an empty thread. Nothing that can be read is refused: judge
/// `thread.findings()`. Errors: bytes and values that can't be read, with their place in `bytes`.
Status importHistory(thread::Thread& thread, std::string_view bytes, const ImportOptions& options,
                     Imported& imported);

}  // namespace strata::dialects
