// Why this file exists: four layers become the bytes of one request. What changes least comes
// first, the history is one span of the thread's log, and what has been judged or hashed is not
// again.
#pragma once

#include <optional>
#include <string>

#include "base/segments.h"
#include "layers/input.h"
#include "layers/manifest.h"
#include "layers/rendered_text.h"
#include "layers/text_layers.h"
#include "thread/thread.h"

namespace strata::layers {

/// A request that was put together. Its segments borrow from the thread, the assembler and the
/// input: copy them before any of these changes.
struct Assembled {
  bool ok = false;
  Segments body;
  std::string report;  ///< `{"ok":…,"diagnostics":[…],"manifest":{…}}`
  std::optional<prompt::LayerFailure> failure;  ///< Instead of a report.
};

/// What `cachedContents.create` would be sent.
struct CacheBody {
  Segments body;
  size_t turns = 0;
  std::string key;
  std::optional<prompt::LayerFailure> failure;
};

/// What a cache would hold if it were made now, at the newest safe cut, and what the given one
/// holds.
struct CachePreview {
  size_t turns = 0;
  uint32_t tokens = 0;
  uint32_t promptTokens = 0;  ///< Of the whole request without a cache, the trigger in the thread.
  bool usable = false;        ///< The given cache fits.
  std::optional<prompt::LayerFailure> failure;
};

/// The memory that the requests of one thread share.
struct AssemblyMemo {
  TextLayers texts;
  std::string judgedFields;  ///< The fields beside contents that `fieldFindings` is about.
  catalogue::Findings fieldFindings;
};

/// Makes requests of one thread. The thread itself is never changed.
class Assembler {
 public:
  Assembled assemble(const thread::Thread& thread, const AssembleInput& input);
  CacheBody cacheBody(const thread::Thread& thread, const AssembleInput& input);
  CachePreview cachePreview(const thread::Thread& thread, const AssembleInput& input);

 private:
  AssemblyMemo memo_;
};

}  // namespace strata::layers
