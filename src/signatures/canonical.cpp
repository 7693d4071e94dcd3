#include "signatures/canonical.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "base/heap_sort.h"
#include "json/number.h"
#include "json/string.h"

namespace strata::signatures {
namespace {

struct NamedValue {
  std::string name;
  json::Value value;
};

void sortByName(std::vector<NamedValue>& values) {
  heapSort(values.begin(), values.end(),
           [](const NamedValue& a, const NamedValue& b) { return a.name < b.name; });
}

// Whether a field of a message says as much as a missing one. An empty object or list does, and a
// text, number or boolean with the default value.
bool isDefault(json::Value value) {
  switch (value.kind()) {
    case json::Kind::kNull:
    case json::Kind::kFalse:
      return true;
    case json::Kind::kString:
      return value.raw().empty();
    case json::Kind::kNumber:
      return json::readDouble(value.bytes()).value_or(1) == 0;
    case json::Kind::kArray:
    case json::Kind::kObject:
      return value.size() == 0;
    default:
      return false;
  }
}

// Fields whose value is any JSON, a google.protobuf.Struct: its keys are the caller's.
bool isStruct(std::string_view name) { return name == "args" || name == "response"; }

}  // namespace

ItemKind itemKindOf(const gemini::PartView& part) {
  if (part.thought) return ItemKind::kThought;
  if (!part.hasData()) return ItemKind::kEmpty;
  const bool onlyText = part.kind == gemini::PartKind::kText && !part.otherKey && !part.unknownKey;
  if (!onlyText || !part.data.isString()) return ItemKind::kData;
  return part.data.raw().empty() ? ItemKind::kEmpty : ItemKind::kText;
}

// A size before the bytes keeps two different sequences of values different.
void CanonicalHash::addSized(std::string_view bytes) {
  std::string size;
  json::appendInteger(size, static_cast<int64_t>(bytes.size()));
  add(size.append(":"));
  add(bytes);
}

void CanonicalHash::addText(json::Value string) {
  if (!string.hasEscapes()) return add(string.raw());
  buffer_.clear();
  json::appendUnescaped(buffer_, string.raw());
  add(buffer_);
}

std::string canonicalBase64(json::Value string) {
  std::string text = string.text();
  while (!text.empty() && text.back() == '=') text.pop_back();
  for (char& c : text) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return text;
}

void CanonicalHash::addNumber(json::Value number) {
  const std::optional<double> value = json::readDouble(number.bytes());
  if (!value || !std::isfinite(*value)) return addSized(number.bytes());
  addSized(*value == 0 ? "0" : json::decimalText(*value));
}

void CanonicalHash::addArray(json::Value array) {
  for (const json::Value element : json::elements(array)) addValue(element);
  addTag(']');
}

void CanonicalHash::addObject(json::Value object) {
  std::vector<NamedValue> all;
  all.reserve(object.size());
  for (const json::Member member : json::members(object)) {
    all.push_back({member.key.text(), member.value});
  }
  sortByName(all);
  for (const NamedValue& each : all) {
    addSized(each.name);
    addValue(each.value);
  }
  addTag('}');
}

void CanonicalHash::addValue(json::Value value) {
  switch (value.kind()) {
    case json::Kind::kNull:
      return addTag('n');
    case json::Kind::kFalse:
      return addTag('f');
    case json::Kind::kTrue:
      return addTag('t');
    case json::Kind::kNumber:
      addTag('0');
      return addNumber(value);
    case json::Kind::kString:
      addTag('"');
      if (!value.hasEscapes()) return addSized(value.raw());
      return addSized(value.text());
    case json::Kind::kArray:
      addTag('[');
      return addArray(value);
    case json::Kind::kObject:
      addTag('{');
      return addObject(value);
  }
}

void CanonicalHash::addField(std::string_view name, json::Value value) {
  addSized(name);
  if (name == "functionCall") return addCall(value);
  if (value.isObject() && !isStruct(name) && name != "parts") return addFields(value);
  if (name == "data" && value.isString()) return addSized(canonicalBase64(value));
  if (name != "parts") return addValue(value);
  for (const json::Value part : gemini::repeated(value)) addFields(part);
  addTag(']');
}

// The name and the arguments; clients keep no other fields.
void CanonicalHash::addCall(json::Value call) {
  addSized(gemini::field(call, "name").text());
  const json::Value args = gemini::field(call, "args");
  if (args && !isDefault(args)) addValue(args);
}

void CanonicalHash::addFields(json::Value message) {
  std::vector<NamedValue> fields;
  fields.reserve(message.size());
  for (const json::Member member : json::members(message)) {
    if (isDefault(member.value) || member.key.equals("id")) continue;
    fields.push_back({gemini::toCamelCase(member.key), member.value});
  }
  sortByName(fields);
  addTag('(');
  for (const NamedValue& field : fields) addField(field.name, field.value);
  addTag(')');
}

void CanonicalHash::addPart(json::Value part) {
  std::vector<NamedValue> data;
  for (const json::Member member : json::members(part)) {
    if (isDefault(member.value)) continue;
    std::string name = gemini::toCamelCase(member.key);
    const bool counts = name != "thoughtSignature" && name != "thought" && name != "partMetadata";
    if (counts) data.push_back({std::move(name), member.value});
  }
  sortByName(data);
  for (const NamedValue& each : data) addField(each.name, each.value);
}

}  // namespace strata::signatures
