// Why this file exists: tests of importers show a history and what becomes of it.
#pragma once

#include <string>
#include <vector>

#include "dialects/import.h"
#include "support/contents.h"

namespace strata::test {

/// Puts the parts of all Contents into one, as they are.
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

/// A history, imported.
struct Import {
  explicit Import(const std::string& from, dialects::ImportOptions options = {},
                  const std::string& model = "gemini-3.8-flash",
                  gemini::Backend backend = gemini::Backend::kGemini)
      : judge(model, backend), thread(judge.thread()) {
    options.compose = composeParts;
    status = dialects::importHistory(thread, from, options, imported);
  }

  std::vector<std::string> turns() const {
    std::vector<std::string> all;
    for (size_t i = 0; i < thread.size(); ++i) all.emplace_back(thread.content(i));
    return all;
  }
  /// What stands against the thread.
  std::vector<std::string> lines() const { return linesOf(thread.findings(), thread.target()); }
  /// What the import told.
  std::vector<std::string> notes() const { return linesOf(imported.notes, thread.target()); }
  /// The path and words of what was wrong with the history itself.
  std::string error() const {
    return status ? "" : status.error().path + ": " + status.error().detail;
  }

  Judge judge;
  thread::Thread thread;
  dialects::Imported imported;
  Status status;
};

using Lines = std::vector<std::string>;

}  // namespace strata::test
