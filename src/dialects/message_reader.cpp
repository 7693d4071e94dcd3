#include "dialects/message_reader.h"

#include "dialects/base64.h"
#include "gemini/content_view.h"
#include "json/scan.h"
#include "json/string.h"

namespace strata::dialects {
namespace {

// Returns whether a value is one of those that clients write for an unset field.
bool isEmptyValue(json::Value value) {
  if (value.isString()) return value.raw().empty();
  return value.isNull() || ((value.isArray() || value.isObject()) && value.size() == 0);
}

// Returns whether `names`, which each end with a space, contain `key` in camelCase or snake_case.
bool isListed(json::Value key, std::string_view names) {
  while (!names.empty()) {
    const size_t end = names.find(' ');
    if (gemini::isField(key, names.substr(0, end)) || key.equals(names.substr(0, end))) return true;
    names.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

JsonText::JsonText(std::string text) : text_(std::move(text)) {
  Result<json::Tape> tape = json::Tape::read(text_);
  if (!tape) return;
  tape_ = std::move(tape.value());
  root_ = tape_.root();
}

JsonText::~JsonText() = default;

std::string memberOf(std::string_view key, std::string_view json) {
  json::Writer out;
  out.open('{').key(key).raw(json).close('}');
  return out.take();
}

std::string asObject(json::Value value, std::string_view key) {
  if (value.isObject()) return std::string(value.bytes());
  return memberOf(key, value ? value.bytes() : "null");
}

void MessageReader::readList(json::Value root, std::string_view knownFields,
                             std::string_view expected) {
  const Path top;
  if (root.isObject()) noteUnknownFields(root, top, knownFields);
  const std::string_view name = knownFields.substr(0, knownFields.find(' '));
  const Path path = root.isObject() ? top.at(name) : top;
  const json::Value list = root.isObject() ? root.find(name) : root;
  // ProtoJSON takes a single Content for a list of one.
  const bool single = list.isObject() && list.find("parts");
  if (single) return readEntry(list, path);
  if (!list.isArray()) fail(list, path, expected);
  readEntries(list, path);
}

void MessageReader::readEntries(json::Value list, const Path& path) {
  size_t index = 0;
  for (const json::Value entry : json::elements(list)) {
    if (!failed()) readEntry(entry, path.at(index++));
  }
}

void MessageReader::fail(json::Value value, const Path& path, std::string_view expected) {
  if (failed()) return;
  state_.status = Error{"field.invalid", value.offset(), path.text(), std::string(expected)};
}

void MessageReader::noteUnknownFields(json::Value object, const Path& path,
                                      std::string_view knownFields, std::string_view textFields) {
  for (const json::Member member : json::members(object)) {
    if (isEmptyValue(member.value) || isListed(member.key, knownFields)) continue;
    if (member.value.isString() && isListed(member.key, textFields)) continue;
    const std::string name = member.key.text();
    notes_.addOmittedField(path.at(name), name);
  }
}

void MessageReader::omitContent(const Path& path, std::string_view what, std::string_view why) {
  if (!state_.isRequest) return notes_.addOmitted(path, what, why);
  fail({}, path, "left out: " + std::string(why));
}

void MessageReader::noteNonText(const Path& path, std::string_view what) {
  omitContent(path, what, "only text can be carried");
}

void MessageReader::noteUnsupportedPart(json::Value type, const Path& path) {
  const std::string name = type.text();
  const std::string what = state_.isRequest ? "a part of the type " + name : "it";
  omitContent(path, "A part of the type " + name, "Contents have no field for " + what);
}

void MessageReader::addSystemText(json::Value text, const Path& path) {
  if (text.raw().empty()) return;
  if (turns_.empty()) {
    if (!state_.systemText.empty()) state_.systemText += "\n\n";
    state_.systemText += text.text();
    notes_.add(catalogue::Rule::kImportSystemText, path, "");
    return;
  }
  notes_.addConverted(path, "A system message in the middle", "a user Content");
  turns_.openUser(path);
  turns_.addText(text);
}

void MessageReader::addResultAsText(json::Value name, json::Value response, std::string_view media,
                                    const Path& path) {
  notes_.add(catalogue::Rule::kImportTextFallback, path, "No functionCall matches this result");
  std::string text = "Tool response";
  if (!name.raw().empty()) text += " (" + name.text() + ")";
  text += ": ";
  text += response.isString() ? response.text() : std::string(response.bytes());
  std::string quoted;
  json::appendQuoted(quoted, text);
  turns_.openUser(path);
  turns_.addPart(textPart(quoted));
  if (!media.empty()) turns_.addPart(media);
}

void MessageReader::addTextResult(const std::string& id, json::Value name, const std::string& text,
                                  std::string_view media, const Path& path, bool failed) {
  std::string quoted;
  json::appendQuoted(quoted, text);
  const JsonText quotedText(quoted);
  const JsonText read(text);
  const json::Value given = read.root().isObject() ? read.root() : quotedText.root();
  const std::string response =
      failed ? memberOf("error", given.bytes()) : asObject(given, "output");
  const bool hasCall = turns_.addResult(id, name, response, media, path);
  if (!hasCall) addResultAsText(name, quotedText.root(), media, path);
}

std::string MessageReader::readArguments(json::Value given, const Path& path,
                                         std::string_view key) {
  const std::string text = given.isString() ? given.text() : std::string(given.bytes());
  const JsonText read(text);
  if (read.root().isObject()) return std::string(read.root().bytes());
  // Models write these for a function without parameters, and PHP an empty list for an empty
  // object.
  const bool isEmptyList = read.root().isArray() && read.root().size() == 0;
  if (json::skipSpace(text, 0) == text.size() || read.root().isNull() || isEmptyList) return "{}";
  notes_.addConverted(path, "Arguments that are not a JSON object",
                      "a value under `" + std::string(key) + "`");
  return asObject(given, key);
}

std::string MessageReader::normalizeSignature(const std::string& signature, const Path& path) {
  if (state_.isRequest) return signature;
  std::string standard = standardBase64(signature);
  if (standard != signature) notes_.addConverted(path, "Bytes in base64url", "standard base64");
  return standard;
}

}  // namespace strata::dialects
