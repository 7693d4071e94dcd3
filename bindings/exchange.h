// Why this file exists: bytes cross the border, never JavaScript strings: embind swallows the quote
// behind a lone surrogate. One buffer goes in a call, a few runs of bytes come out.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/result.h"
#include "json/segments.h"
#include "rules/finding.h"

namespace strata::bindings {

/// The border of one instance. JavaScript fills `input` with a frame: a 32-bit count, as many
/// 32-bit lengths, then the parts; after the call it copies what `output` shows.
class Exchange {
 public:
  /// A view of `size` bytes to fill. Dead after the next call: memory may have grown.
  emscripten::val input(uint32_t size);

  /// Part `index` of the frame; "" where there is none.
  std::string_view part(size_t index) const;

  /// Answers with a JSON document.
  void reply(std::string document);
  /// Answers with a JSON document and the bytes of `segments`.
  void reply(std::string document, json::Segments segments);
  /// Answers `{"error":{…}}`, with the Diagnostic that the error is.
  void replyError(const Error& error, const rules::Target& target);

  /// Views of the answer: first the document, then the bytes, in pieces.
  uint32_t outputs() const { return static_cast<uint32_t>(output_.size()); }
  emscripten::val output(uint32_t index) const;

 private:
  std::string input_;
  std::string document_;
  json::Segments segments_;
  std::vector<std::string_view> output_;
};

/// `{"ok":…,"diagnostics":[…]}`; findings that are off are left out.
std::string reportOf(const rules::Findings& findings, const rules::Target& target);

}  // namespace strata::bindings
