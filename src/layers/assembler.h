// Assembles the four layers of a thread into the bytes of one request. Bytes are ordered by how
// rarely they change, the history is one span of the thread's log, and results of earlier
// rendering, checking and hashing are reused.
#pragma once

#include <optional>
#include <string>

#include "base/segments.h"
#include "layers/history_steps.h"
#include "layers/input.h"
#include "layers/interaction_fields.h"
#include "layers/manifest.h"
#include "layers/rendered_text.h"
#include "layers/stable_prefix.h"
#include "layers/text_layers.h"
#include "thread/thread.h"

namespace strata::layers {

/// An assembled request. Its segments borrow from the thread, the assembler and the input; copy
/// them before any of these changes.
struct Assembled {
  bool ok = false;  ///< There is no diagnostic with the severity `error`.
  Segments body;
  std::string report;                   ///< `{"ok":…,"diagnostics":[…],"manifest":{…}}`
  std::optional<LayerFailure> failure;  ///< If set, there is no report.
};

/// The body of cachedContents.create, without ttl and expireTime. Its segments borrow from the
/// thread.
struct CacheBody {
  Segments body;
  size_t turns = 0;  ///< The number of turns that the cache covers.
  std::string key;   ///< Identifies what the cache holds.
  std::optional<LayerFailure> failure;
};

/// What a cache would hold if it were created now, up to the newest safe split point, and whether
/// the given cache can be used.
struct CachePreview {
  size_t turns = 0;
  uint32_t tokens = 0;
  uint32_t promptTokens = 0;  ///< Of the whole request without a cache, its trigger in the thread.
  bool usable = false;        ///< The given cache matches this request.
  std::optional<LayerFailure> failure;
};

/// Results that later requests of the same thread can reuse.
struct AssemblyMemo {
  TextLayers texts;
  std::string checkedFields;  ///< The fields other than contents that `fieldFindings` is about.
  catalogue::Target checkedTarget;  ///< The target that they are for.
  catalogue::Findings fieldFindings;
  SentValues sent;  ///< Of the last assembled request.
  // Of requests to the Interactions API.
  InteractionFields converted;
  HistorySteps steps;
};

/// Assembles requests of one thread. It never changes the thread. What it reuses is keyed by the
/// bytes of its inputs, so the result is the same as that of a new Assembler.
///
/// Each method sets `failure` for a field or trigger that is not JSON, for invalid variables and,
/// under `strict`, for a failing template. Any other problem is a diagnostic in the report.
class Assembler {
 public:
  /// Assembles one request of generateContent
  /// (https://ai.google.dev/api/generate-content#method:-models.generatecontent) or, with
  /// `input.wire`, of the Interactions API (https://ai.google.dev/api/interactions-api). Then the
  /// options are those of generateContent, converted; a Content in the path of a diagnostic is the
  /// turn of the thread; and an explicit cache is an error.
  Assembled assemble(const thread::Thread& thread, const AssembleInput& input);
  /// Returns the body that creates a cache of the static layer and the history before the split
  /// point. `input.forCache` must be set.
  CacheBody cacheBody(const thread::Thread& thread, const AssembleInput& input);
  /// Estimates a cache without creating a body.
  CachePreview cachePreview(const thread::Thread& thread, const AssembleInput& input);

 private:
  AssemblyMemo memo_;
};

}  // namespace strata::layers
