// Why this file exists: files that make a prompt are read by the caller and budgeted here, and what
// was missing, unreadable or cut is told.
#pragma once

#include <string>
#include <vector>

#include "catalogue/finding.h"
#include "json/value.h"

namespace strata::prompt {

enum class FileStatus : uint8_t { kMissing, kUnreadable, kLoaded, kTruncated };

/// "missing", "unreadable", "loaded" or "truncated".
std::string_view fileStatusName(FileStatus status);

struct BootstrapFile {
  std::string name;
  std::string path;     ///< Where it is for its reader; stands in the prompt.
  std::string pointer;  ///< Its place in the input, as a JSON Pointer.
  std::string text;     ///< Line feeds only, trimmed, and cut to the budget.
  size_t chars = 0;     ///< Of what was kept.
  FileStatus status = FileStatus::kMissing;
};

/// In characters.
struct FileLimits {
  size_t perFile = 20000;
  size_t total = 150000;
};

/// The files that a prompt wants, in the order of its sections.
class BootstrapFiles {
 public:
  /// `given` is PromptInput.files: `{name: text or {path, text, error}}` or an array of `{name,
  /// path, text, error}`. Errors: `field.invalid`.
  Status read(json::Value given, const std::vector<std::string>& wanted, std::string_view root);

  /// Cuts each file, then all of them in their order.
  void applyLimits(const FileLimits& limits);

  const BootstrapFile* find(std::string_view name) const;
  const std::vector<BootstrapFile>& all() const { return files_; }
  /// First what reading found, in the order of the files, then what the limits did.
  const catalogue::Findings& findings() const { return findings_; }

 private:
  Status readOne(json::Value given, BootstrapFile& file);
  void cut(BootstrapFile& file, size_t limit, catalogue::Rule rule);
  void add(catalogue::Rule rule, const BootstrapFile& file, std::string arg2 = {});

  std::vector<BootstrapFile> files_;
  catalogue::Findings findings_;
};

}  // namespace strata::prompt
