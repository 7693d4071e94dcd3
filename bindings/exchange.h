// Why this file exists: bytes cross the border, never JavaScript strings: embind swallows the quote
// behind a lone surrogate. One buffer goes in a call, a few runs of bytes come out.
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

/// The border of one instance, one buffer that both sides know. JavaScript fills it with a frame: a
/// 32-bit count, as many 32-bit lengths, then the parts. After the call its first two words say
/// where the answer is: how many runs of bytes, and the address of as many Runs. The first is the
/// document.
class Exchange {
 public:
  /// A view of the buffer, at least `size` bytes and 8. Good until memory grows or more is asked
  /// for.
  emscripten::val buffer(uint32_t size);

  /// Part `index` of the frame; "" where there is none.
  std::string_view part(size_t index) const;

  /// Answers with a JSON document.
  void reply(std::string document);
  /// Answers with a JSON document and the bytes of `segments`.
  void reply(std::string document, Segments segments);
  /// Answers `{"error":{…}}`, with the Diagnostic that the error is.
  void replyError(const Error& error, const catalogue::Target& target);
  /// The same for an error in the caller's options: `{"error":{…,"ofOptions":true}}`.
  void replyOptionError(const Error& error, const catalogue::Target& target);

 private:
  /// Bytes of the answer, as JavaScript finds them in memory.
  struct Run {
    uint32_t address;
    uint32_t length;
  };
  static Run runOf(std::string_view bytes);
  void replyError(const Error& error, const catalogue::Target& target, bool ofOptions);

  std::vector<char> buffer_;
  std::string document_;
  Segments segments_;
  std::vector<Run> answer_;
};

/// `{"ok":…,"diagnostics":[…]}`; findings that are off are left out.
std::string reportOf(const catalogue::Findings& findings, const catalogue::Target& target);

}  // namespace strata::bindings
