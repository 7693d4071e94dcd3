// Reads the bootstrap files that a caller supplies for a prompt, truncates them to a character
// budget, and reports the ones that are missing, unreadable or truncated.
#pragma once

#include <string>
#include <vector>

#include "catalogue/finding.h"
#include "json/value.h"

namespace strata::prompt {

enum class FileStatus : uint8_t { kMissing, kUnreadable, kLoaded, kTruncated };

/// Returns "missing", "unreadable", "loaded" or "truncated".
std::string_view fileStatusName(FileStatus status);

struct BootstrapFile {
  std::string name;
  std::string path;     ///< The path that the prompt shows for the file.
  std::string pointer;  ///< JSON Pointer of the file's entry in the input.
  std::string text;     ///< LF line endings, trimmed, truncated to the budget.
  size_t chars = 0;     ///< Length of `text` in characters.
  FileStatus status = FileStatus::kMissing;
};

/// Limits in characters (Unicode scalar values). The defaults and the order of the cuts are those
/// of the GitHub repository pioneerdotai/pioneer, crates/promt.
struct FileLimits {
  size_t perFile = 20000;
  size_t total = 150000;
};

/// The files that a prompt's sections name, in the order of the sections.
class BootstrapFiles {
 public:
  /// Reads the files named in `wanted` from `given`, which is PromptInput.files: either
  /// `{name: text or {path, text, error}}` or an array of `{name, path, text, error}`. A file
  /// without a `path` gets `root` joined with its name. Texts are copied.
  /// Returns `field.invalid` for an entry of the wrong type.
  Status read(json::Value given, const std::vector<std::string>& wanted, std::string_view root);

  /// Truncates each file to `limits.perFile`, then all files, in order, to `limits.total`.
  void applyLimits(const FileLimits& limits);

  /// Returns the file named `name`, or nullptr. The pointer is valid until the next `read`.
  const BootstrapFile* find(std::string_view name) const;
  const std::vector<BootstrapFile>& all() const { return files_; }
  /// Returns the findings of `read`, in the order of the files, then those of `applyLimits`.
  const catalogue::Findings& findings() const { return findings_; }

 private:
  Status readFile(json::Value given, BootstrapFile& file);
  void truncate(BootstrapFile& file, size_t limit, catalogue::Rule rule);
  void addFinding(catalogue::Rule rule, const BootstrapFile& file, std::string arg2 = {});

  std::vector<BootstrapFile> files_;
  catalogue::Findings findings_;
};

}  // namespace strata::prompt
