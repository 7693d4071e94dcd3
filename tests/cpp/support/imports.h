// Imports a history for a test and exposes the resulting thread, notes, and errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialects/import.h"
#include "support/contents.h"

namespace strata::test {

/// Returns one model Content with the Parts of all `contents`, unchanged.
inline std::string composeParts(const std::vector<std::string>& contents) {
  std::vector<std::string> parts;
  for (const std::string& text : contents) {
    const Json read(text);
    for (const json::Value part : json::elements(read.root().find("parts"))) {
      parts.emplace_back(part.bytes());
    }
  }
  return content("model", parts);
}

/// Imports a history on construction.
struct Import {
  explicit Import(const std::string& history, dialects::ImportOptions options = {},
                  const std::string& model = "gemini-3.8-flash",
                  gemini::Backend backend = gemini::Backend::kGemini)
      : judge(model, backend), thread(judge.thread()) {
    options.compose = composeParts;
    status = dialects::importHistory(thread, history, options, imported);
  }

  std::vector<std::string> turns() const {
    std::vector<std::string> all;
    for (size_t i = 0; i < thread.size(); ++i) all.emplace_back(thread.content(i));
    return all;
  }
  /// Returns the findings about the thread.
  std::vector<std::string> lines() const { return linesOf(thread.findings(), thread.target()); }
  /// Returns the notes of the import.
  std::vector<std::string> notes() const { return linesOf(imported.notes, thread.target()); }
  /// Returns the path and message of the error that stopped the import, or "".
  std::string error() const {
    if (status) return {};
    const std::string& detail = status.error().detail;
    return status.error().path + ": " + detail.substr(0, detail.find(kReadAs));
  }
  /// Returns the format that the error names, and why it was read: "OpenAI messages, because …".
  std::string readAs() const {
    const size_t at = status ? std::string::npos : status.error().detail.find(kReadAs);
    return at == std::string::npos ? "" : status.error().detail.substr(at + kReadAs.size());
  }

  static constexpr std::string_view kReadAs = ". It was read as ";

  Judge judge;
  thread::Thread thread;
  dialects::Imported imported;
  Status status;
};

using Lines = std::vector<std::string>;

}  // namespace strata::test
