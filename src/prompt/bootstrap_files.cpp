#include "prompt/bootstrap_files.h"

#include <algorithm>
#include <array>

#include "base/plain_text.h"
#include "json/pointer.h"
#include "prompt/options.h"

namespace strata::prompt {
namespace {

using catalogue::Rule;

// Returns the entry named `name` of a map or an array, and sets `pointer` to its path.
json::Value findEntry(json::Value given, const std::string& name, std::string& pointer) {
  pointer = "/files";
  size_t index = 0;
  for (const json::Value entry : json::elements(given)) {
    if (entry.find("name").equals(name)) {
      json::appendPointer(pointer, index);
      return entry;
    }
    ++index;
  }
  if (!given.isObject()) return {};
  json::appendPointer(pointer, name);
  return given.find(name);
}

std::string joinPath(std::string_view root, const std::string& name) {
  if (root.empty()) return name;
  return std::string(root) + (root.back() == '/' ? "" : "/") + name;
}

Status checkEntries(json::Value given) {
  if (!given || given.isObject()) return {};
  if (!given.isArray()) return invalidOption("/files", "an object or an array");
  size_t index = 0;
  for (const json::Value entry : json::elements(given)) {
    std::string path = "/files";
    json::appendPointer(path, index++);
    if (!entry.find("name").isString()) return invalidMember(path, "name", "a string");
  }
  return {};
}

}  // namespace

std::string_view fileStatusName(FileStatus status) {
  constexpr std::array<std::string_view, 4> kNames = {"missing", "unreadable", "loaded",
                                                      "truncated"};
  return kNames[static_cast<size_t>(status)];
}

void BootstrapFiles::addFinding(Rule rule, const BootstrapFile& file, std::string arg2) {
  catalogue::Finding& finding = findings_.emplace_back();
  finding.rule = rule;
  finding.path = file.pointer;
  finding.arg1 = file.name;
  finding.arg2 = std::move(arg2);
}

Status BootstrapFiles::readFile(json::Value given, BootstrapFile& file) {
  const bool isText = given.isString();
  if (given && !isText && !given.isNull() && !given.isObject()) {
    return invalidOption(file.pointer, "a string or an object");
  }
  const json::Value text = isText ? given : option(given, "text");
  const json::Value error = option(given, "error");
  for (const std::string_view name : {"path", "text", "error"}) {
    Status status = checkOptionalString(given, name, file.pointer);
    if (!status) return status;
  }
  if (const json::Value path = option(given, "path")) file.path = path.text();
  if (error) {
    file.status = FileStatus::kUnreadable;
    addFinding(Rule::kBootstrapUnreadable, file, error.text());
  } else if (!text) {
    addFinding(Rule::kBootstrapMissing, file);
  } else {
    file.text = trimmed(normalizeLineEndings(text.text()));
    file.chars = countCharacters(file.text);
    // A blank file keeps the status kMissing and is not reported.
    if (file.chars > 0) file.status = FileStatus::kLoaded;
  }
  return {};
}

Status BootstrapFiles::read(json::Value given, const std::vector<std::string>& wanted,
                            std::string_view root) {
  Status status = checkEntries(given);
  for (const std::string& name : wanted) {
    if (!status) return status;
    if (find(name) != nullptr) continue;
    BootstrapFile& file = files_.emplace_back();
    file.name = name;
    file.path = joinPath(root, name);
    const json::Value entry = findEntry(given, name, file.pointer);
    status = readFile(entry, file);
  }
  return status;
}

void BootstrapFiles::truncate(BootstrapFile& file, size_t limit, Rule rule) {
  if (file.chars <= limit) return;
  addFinding(rule, file, std::to_string(file.chars) + " -> " + std::to_string(limit));
  file.text.resize(firstCharacters(file.text, limit).size());
  file.chars = limit;
  file.status = FileStatus::kTruncated;
}

void BootstrapFiles::applyLimits(const FileLimits& limits) {
  size_t remaining = limits.total;
  for (BootstrapFile& file : files_) {
    truncate(file, limits.perFile, Rule::kBootstrapTruncated);
    truncate(file, remaining, Rule::kBootstrapTotalTruncated);
    remaining -= file.chars;
  }
}

const BootstrapFile* BootstrapFiles::find(std::string_view name) const {
  const auto found = std::find_if(files_.begin(), files_.end(),
                                  [&](const BootstrapFile& file) { return file.name == name; });
  return found == files_.end() ? nullptr : &*found;
}

}  // namespace strata::prompt
