#include "gemini/content_view.h"

#include <array>
#include <string>

#include "base/ascii.h"

namespace strata::gemini {
namespace {

struct DataField {
  std::string_view name;
  PartKind kind;
};

// Ordered by frequency.
constexpr std::array<DataField, 10> kDataFields = {{
    {"text", PartKind::kText},
    {"functionCall", PartKind::kFunctionCall},
    {"functionResponse", PartKind::kFunctionResponse},
    {"inlineData", PartKind::kInlineData},
    {"fileData", PartKind::kFileData},
    {"executableCode", PartKind::kExecutableCode},
    {"codeExecutionResult", PartKind::kCodeExecutionResult},
    {"toolCall", PartKind::kToolCall},
    {"toolResponse", PartKind::kToolResponse},
    {"audioTranscription", PartKind::kAudioTranscription},
}};

constexpr std::array<std::string_view, 7> kOtherFields = {
    "thought",         "thoughtSignature", "videoMetadata", "mediaResolution",
    "mediaProcessing", "speechMetadata",   "partMetadata"};

// Compares "function_call" or "functionCall" with "functionCall" without allocating.
bool matches(std::string_view key, std::string_view camelCase) {
  size_t at = 0;
  for (const char c : camelCase) {
    if (ascii::isUpper(c) && at < key.size() && key[at] == '_') {
      ++at;
      if (at >= key.size() || key[at++] != ascii::toLower(c)) return false;
    } else if (at >= key.size() || key[at++] != c) {
      return false;
    }
  }
  return at == key.size();
}

PartKind dataKind(json::Value key) {
  for (const DataField& candidate : kDataFields) {
    if (isField(key, candidate.name)) return candidate.kind;
  }
  return PartKind::kNone;
}

bool containMedia(json::Value parts) {
  for (const json::Value part : repeated(parts)) {
    for (const json::Member member : json::members(part)) {
      if (isMediaKind(dataKind(member.key)) && !member.value.isNull()) return true;
    }
  }
  return false;
}

void readCallOrResponse(PartView& view) {
  const bool call = view.isCall();
  for (const json::Member member : json::members(view.data)) {
    if (member.value.isNull()) continue;
    if (isField(member.key, "name")) view.name = member.value;
    if (isField(member.key, "id")) view.id = member.value;
    if (isField(member.key, call ? "args" : "response")) view.payload = member.value;
    if (!call && isField(member.key, "parts")) view.mediaInResult = containMedia(member.value);
  }
}

PartView readPart(json::Value part) {
  PartView view;
  view.part = part;
  for (const json::Member member : json::members(part)) {
    // ProtoJSON reads null as an unset field.
    if (member.value.isNull() && isPartField(member.key)) continue;
    const PartKind kind = dataKind(member.key);
    if (kind != PartKind::kNone && view.kind == PartKind::kNone) {
      view.kind = kind;
      view.data = member.value;
      view.dataKey = member.key;
    } else if (kind != PartKind::kNone) {
      // The same field in both spellings is reported as json.duplicate_key.
      if (kind != view.kind) view.otherKey = member.key;
    } else if (isField(member.key, "thoughtSignature")) {
      // An empty signature does not hide a signature in the other spelling.
      const bool signs = member.value.isString() && !member.value.raw().empty();
      if (view.isSigned() && !signs) continue;
      view.signature = member.value;
      view.signatureKey = member.key;
    } else if (isField(member.key, "thought")) {
      view.thought = member.value.isTrue();
    } else if (isField(member.key, "videoMetadata")) {
      view.hasVideoMetadata = true;
    } else if (!view.unknownKey && !isPartField(member.key)) {
      view.unknownKey = member.key;
    }
  }
  if (view.isCall() || view.isResponse()) readCallOrResponse(view);
  return view;
}

Role readRole(json::Value role) {
  if (!role) return Role::kMissing;
  if (role.equals("user")) return Role::kUser;
  if (role.equals("model")) return Role::kModel;
  return role.equals("function") ? Role::kFunction : Role::kUnknown;
}

}  // namespace

bool isField(json::Value key, std::string_view camelCase) {
  if (key.hasEscapes()) return matches(key.text(), camelCase);
  return matches(key.raw(), camelCase);
}

std::string toCamelCase(json::Value key) { return toCamelCase(key.text()); }

std::string toCamelCase(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    const bool word = text[at] == '_' && ascii::isLower(next);
    out.push_back(word ? ascii::toUpper(next) : text[at]);
    at += word ? 1 : 0;
  }
  return out;
}

json::Value camelCaseKeyOf(json::Value object, json::Value key) {
  if (key.raw().find('_') == std::string_view::npos) return {};
  const std::string camelCase = toCamelCase(key);
  for (const json::Member member : json::members(object)) {
    if (member.key != key && member.key.equals(camelCase)) return member.key;
  }
  return {};
}

json::ElementRange repeated(json::Value listOrObject) {
  return json::ElementRange::orSelf(listOrObject);
}

size_t repeatedSize(json::Value listOrObject) {
  return listOrObject.isObject() ? 1 : listOrObject.isArray() ? listOrObject.size() : 0;
}

json::Value field(json::Value object, std::string_view camelCase) {
  json::Value unset;
  for (const json::Member member : json::members(object)) {
    if (!isField(member.key, camelCase)) continue;
    // ProtoJSON reads null as unset; the other spelling may be set.
    if (!member.value.isNull()) return member.value;
    unset = member.value;
  }
  return unset;
}

std::string_view partField(json::Value key) {
  for (const DataField& candidate : kDataFields) {
    if (isField(key, candidate.name)) return candidate.name;
  }
  for (const std::string_view name : kOtherFields) {
    if (isField(key, name)) return name;
  }
  return {};
}

void ContentView::read(json::Value value) {
  content = value;
  role = parts = unknownKey = json::Value();
  calls = responses = nonResponses = 0;
  hasMedia = false;
  partViews.clear();
  for (const json::Member member : json::members(value)) {
    const json::Value known = member.value.isNull() ? json::Value() : member.value;
    if (member.key.equals("role")) {
      role = known;
    } else if (member.key.equals("parts")) {
      parts = known;
    } else if (!unknownKey) {
      unknownKey = member.key;
    }
  }
  roleKind = readRole(role);
  for (const json::Value part : repeated(parts)) {
    const PartView& view = partViews.emplace_back(readPart(part));
    calls += view.isCall() ? 1 : 0;
    responses += view.isResponse() ? 1 : 0;
    nonResponses += view.hasData() && !view.isResponse() ? 1 : 0;
    hasMedia = hasMedia || view.isMedia();
  }
}

}  // namespace strata::gemini
