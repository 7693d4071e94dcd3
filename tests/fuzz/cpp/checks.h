// Checks that several fuzz targets share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/cpp/input.h"
#include "fuzz/cpp/target.h"
#include "support/contents.h"

namespace strata::fuzz {

/// Returns the judge of a model and a service that the next two choices name.
inline const test::Judge& chooseJudge(Input& choices) {
  using gemini::Backend;
  static const std::array<const test::Judge*, 8> kJudges = {
      new test::Judge("gemini-3.8-flash", Backend::kGemini),
      new test::Judge("gemini-2.5-flash", Backend::kGemini),
      new test::Judge("gemini-3.1-pro", Backend::kGemini),
      new test::Judge("gemini-4-argon", Backend::kGemini),
      new test::Judge("gemini-3.8-flash", Backend::kVertex),
      new test::Judge("gemini-2.5-flash", Backend::kVertex),
      new test::Judge("gemini-3.1-pro", Backend::kVertex),
      new test::Judge("gemini-4-argon", Backend::kVertex),
  };
  const size_t model = choices.below(4);
  return *kJudges[model + 4 * choices.below(2)];
}

inline void requireJson(std::string_view text, std::string_view what) {
  require(static_cast<bool>(json::Tape::read(text)), what, text);
}

/// Requires that findings can be reported.
inline void requireReport(const catalogue::Findings& findings, const catalogue::Target& target) {
  json::Writer out;
  catalogue::writeDiagnostics(out, findings, target);
  requireJson(out.text(), "a report is JSON");
}

/// Requires that an error names a place in the input.
inline void requireLocated(const Error& error, std::string_view bytes) {
  require(!error.code.empty(), "an error has a code", bytes);
  require(error.offset <= bytes.size(), "an error is at a byte of the input", bytes);
}

/// Returns `bytes` in pieces. Each byte of `sizes` is the size of the next piece, again and again;
/// without any there is one piece.
inline std::vector<std::string_view> cut(std::string_view bytes, std::string_view sizes) {
  std::vector<std::string_view> pieces;
  for (size_t at = 0; at < bytes.size();) {
    const size_t size = sizes.empty()
                            ? bytes.size()
                            : 1 + static_cast<uint8_t>(sizes[pieces.size() % sizes.size()]);
    pieces.push_back(bytes.substr(at, size));
    at += size;
  }
  return pieces;
}

}  // namespace strata::fuzz
