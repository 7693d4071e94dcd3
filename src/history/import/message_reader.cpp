#include "history/import/message_reader.h"

#include <algorithm>

#include "history/import/base64.h"
#include "json/pointer.h"
#include "json/string.h"

namespace strata::history {
namespace {

// Clients write these for "nothing".
bool saysNothing(json::Value value) {
  if (value.isString()) return value.raw().empty();
  return value.isNull() || ((value.isArray() || value.isObject()) && value.size() == 0);
}

}  // namespace

std::string below(const std::string& path, std::string_view key) {
  std::string out = path;
  json::appendPointer(out, key);
  return out;
}

std::string below(const std::string& path, size_t index) {
  std::string out = path;
  json::appendPointer(out, index);
  return out;
}

std::string asObject(json::Value value, std::string_view key) {
  if (value.isObject()) return std::string(value.bytes());
  json::Writer out;
  out.open('{').key(key).raw(value ? value.bytes() : "null").close('}');
  return out.take();
}

json::Value MessageReader::list(json::Value root, std::string_view name, std::string& path) {
  if (!root.isObject()) return root;
  noteOthers(root, path, {name});
  path = below(path, name);
  return root.find(name);
}

void MessageReader::fail(json::Value value, const std::string& path, std::string expected) {
  if (status_) status_ = Error{"field.invalid", value.offset(), path, std::move(expected)};
}

Status MessageReader::finish() {
  const Status written = turns_.finish();
  imported_.notes = notes_.take();
  return status_ ? written : status_;
}

void MessageReader::noteOthers(json::Value object, const std::string& path,
                               std::initializer_list<std::string_view> known) {
  for (const json::Member member : json::members(object)) {
    const bool read = std::any_of(known.begin(), known.end(), [&](std::string_view name) {
      return isField(member.key, name) || member.key.equals(name);
    });
    if (read || saysNothing(member.value)) continue;
    notes_.leftOutField(below(path, member.key.text()), member.key.text());
  }
}

void MessageReader::systemText(json::Value text, const std::string& path) {
  if (text.raw().empty()) return;
  if (turns_.empty()) {
    if (!imported_.systemText.empty()) imported_.systemText += "\n\n";
    imported_.systemText += text.text();
    notes_.add(rules::Rule::kImportSystemText, path, "");
    return;
  }
  notes_.converted(path, "A system message in the middle", "a user Content");
  turns_.openUser(path);
  turns_.text(text);
}

void MessageReader::resultAsText(json::Value name, json::Value response, const std::string& path) {
  notes_.add(rules::Rule::kImportTextFallback, path, "No call waits for this result");
  std::string words = "Tool response";
  if (!name.raw().empty()) words += " (" + name.text() + ")";
  words += ": ";
  words += response.isString() ? response.text() : std::string(response.bytes());
  std::string quoted;
  json::appendQuoted(quoted, words);
  turns_.openUser(path);
  turns_.part(textPart(quoted));
}

std::string MessageReader::signatureOf(json::Value signature, const std::string& path) {
  const std::string text = signature.text();
  std::string standard = standardBase64(text);
  if (standard != text) notes_.converted(path, "Bytes in base64url", "standard base64");
  return standard;
}

}  // namespace strata::history
