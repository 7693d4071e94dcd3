// Passes bytes across the JavaScript/WebAssembly boundary: one buffer into a call, and a few byte
// ranges out of it. JavaScript strings are not passed, because embind's conversion drops the quote
// after a lone surrogate.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/segments.h"
#include "catalogue/finding.h"

namespace strata::bindings {

/// The exchange buffer of one instance. Before a call, JavaScript writes a frame to it:
///
///     count   length × count   part 0   part 1   …       (count and lengths: 32 bits)
///
/// After the call its first two 32-bit words are the number of ByteRanges of the reply and the
/// address of their array. The first range is a JSON document; the others are the bytes that follow
/// it. A reply is valid until the next call that replies.
class Exchange {
 public:
  /// Returns a view of the buffer with at least `size` bytes, and at least 8. Valid until the
  /// memory grows or a larger buffer is requested.
  emscripten::val buffer(uint32_t size);

  /// Returns part `index` of the frame, or "". Valid until the buffer is written or grows.
  std::string_view part(size_t index) const;

  /// Replies a JSON document.
  void reply(std::string document);
  /// Replies a JSON document and the bytes of `segments`. Borrowed segments must stay valid until
  /// JavaScript has read them.
  void reply(std::string document, Segments segments);
  /// Replies `{"error":{…}}` with the error's Diagnostic.
  void replyError(const Error& error, const catalogue::Target& target);
  /// Replies the same for a finding that refuses the input.
  void replyError(const catalogue::Finding& finding, const catalogue::Target& target);
  /// Replies an error in the caller's options: `{"error":{…,"aboutOptions":true}}`.
  void replyOptionError(const Error& error, const catalogue::Catalogue& catalogue);

 private:
  /// Bytes of a reply in the WebAssembly memory.
  struct ByteRange {
    uint32_t address;
    uint32_t length;
  };
  static ByteRange rangeOf(std::string_view bytes);
  void replyError(const Error& error, const catalogue::Finding& finding,
                  const catalogue::Target& target);

  std::vector<char> buffer_;
  std::string document_;
  Segments segments_;
  std::vector<ByteRange> ranges_;
};

/// Returns `{"ok":…,"diagnostics":[…]}`, where `ok` is about all findings. Those of severity `off`
/// are left out. `edits`: see catalogue::writeDiagnostics.
std::string reportOf(const catalogue::Findings& findings, const catalogue::Target& target,
                     const std::vector<catalogue::TextEdit>* edits = nullptr);

}  // namespace strata::bindings
