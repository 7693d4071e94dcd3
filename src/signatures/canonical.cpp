#include "signatures/canonical.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/heap_sort.h"
#include "json/number.h"
#include "json/string.h"

namespace strata::signatures {
namespace {

struct NamedValue {
  std::string_view name;
  json::Value value;
};

// Members of one object, by name. Most names are views of the text.
class Members {
 public:
  void add(json::Value key, json::Value value) { all_.push_back({nameOf(key), value}); }
  void addField(json::Value key, json::Value value) {
    const bool isCamelCase = key.raw().find('_') == std::string_view::npos;
    all_.push_back({isCamelCase ? nameOf(key) : own(gemini::toCamelCase(key)), value});
  }
  void reserve(size_t size) { all_.reserve(size); }

  const std::vector<NamedValue>& sorted() {
    const auto isLess = [](const NamedValue& a, const NamedValue& b) { return a.name < b.name; };
    if (!std::is_sorted(all_.begin(), all_.end(), isLess)) {
      heapSort(all_.begin(), all_.end(), isLess);
    }
    return all_;
  }

 private:
  std::string_view nameOf(json::Value key) {
    return key.hasEscapes() ? own(key.text()) : key.raw();
  }
  std::string_view own(std::string name) { return owned_.emplace_back(std::move(name)); }

  std::vector<NamedValue> all_;
  std::list<std::string> owned_;  // A list never moves its strings.
};

// Returns the finite double that JavaScript and Protobuf read. There is one zero.
std::optional<double> doubleOf(json::Value number) {
  constexpr int64_t kExact = int64_t{1} << 53U;
  const int64_t integer = number.integer(kExact);
  if (integer > -kExact && integer < kExact) return static_cast<double>(integer);
  const std::optional<double> value = json::readDouble(number.bytes());
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return *value == 0 ? 0 : *value;
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
      return doubleOf(value) == 0;
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
  const auto size = static_cast<uint32_t>(bytes.size());
  std::array<char, sizeof size> before;
  std::memcpy(before.data(), &size, sizeof size);
  add({before.data(), before.size()});
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
  const std::optional<double> value = doubleOf(number);
  if (!value) return addSized(number.bytes());
  std::array<char, sizeof(double)> bytes;
  std::memcpy(bytes.data(), &*value, sizeof(double));
  add({bytes.data(), bytes.size()});
}

void CanonicalHash::addArray(json::Value array) {
  for (const json::Value element : json::elements(array)) addValue(element);
  addTag(']');
}

void CanonicalHash::addObject(json::Value object) {
  Members all;
  all.reserve(object.size());
  for (const json::Member member : json::members(object)) all.add(member.key, member.value);
  for (const NamedValue& each : all.sorted()) {
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
  Members fields;
  for (const json::Member member : json::members(message)) {
    if (isDefault(member.value) || member.key.equals("id")) continue;
    fields.addField(member.key, member.value);
  }
  addTag('(');
  for (const NamedValue& field : fields.sorted()) addField(field.name, field.value);
  addTag(')');
}

void CanonicalHash::addPart(json::Value part) {
  Members data;
  for (const json::Member member : json::members(part)) {
    const bool counts = !gemini::isField(member.key, "thoughtSignature") &&
                        !gemini::isField(member.key, "thought") &&
                        !gemini::isField(member.key, "partMetadata");
    if (counts && !isDefault(member.value)) data.addField(member.key, member.value);
  }
  for (const NamedValue& each : data.sorted()) addField(each.name, each.value);
}

}  // namespace strata::signatures
