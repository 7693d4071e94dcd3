#include "prompt/bootstrap_files.h"

#include <algorithm>
#include <array>
#include <optional>

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

Error invalid(std::string path, std::string expected, json::Given given) {
  return {"field.invalid", 0, std::move(path), expected + ", not " + given.described()};
}

Status checkEntries(json::Value given) {
  if (!given || given.isObject()) return {};
  if (!given.isArray()) return invalid("/files", "an object or an array", given);
  size_t index = 0;
  for (const json::Value entry : json::elements(given)) {
    json::OptionsReader options = promptOptions(entry, "/files/" + std::to_string(index++));
    std::string text;
    options.string("name", text, json::Need::kRequired);
    options.string("path", text).string("text", text).string("error", text);
    if (Status status = options.finish(); !status) return status;
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
  std::optional<std::string> text;
  std::optional<std::string> error;
  if (given.isString()) {
    text = given.text();
  } else if (given.isObject()) {
    json::OptionsReader options = promptOptions(given, file.pointer);
    options.accept("name").string("path", file.path).string("text", text).string("error", error);
    if (Status status = options.finish(); !status) return status;
  } else if (given && !given.isNull()) {
    return invalid(file.pointer, "a string or an object", given);
  }
  if (error) {
    file.status = FileStatus::kUnreadable;
    addFinding(Rule::kBootstrapUnreadable, file, *error);
  } else if (!text) {
    addFinding(Rule::kBootstrapMissing, file);
  } else {
    file.text = trimmed(normalizeLineEndings(*text));
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
