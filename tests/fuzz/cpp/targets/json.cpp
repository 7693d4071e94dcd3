// Reads any JSON, and checks that spans lie in the text, that what is written is read again
// equally, and that numbers are those of the C library. Of a text that only Google's parser takes,
// JSON is made, and every byte outside the departures stays.
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/utf8.h"
#include "fuzz/cpp/checks.h"
#include "json/document.h"
#include "json/lenient.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/string.h"
#include "json/writer.h"

namespace strata::fuzz {
namespace {

using json::Kind;
using json::Value;

// Requires that a value and all in it lie in [begin, end), in the order of the text.
void requireSpans(Value value, size_t begin, size_t end) {
  const size_t first = value.offset();
  const size_t last = first + value.bytes().size();
  require(begin <= first && first < last && last <= end, "a value lies in its container");
  size_t at = first + 1;
  const auto inside = [&](Value child) {
    requireSpans(child, at, last);
    at = child.offset() + child.bytes().size();
  };
  for (const json::Member member : json::members(value)) {
    inside(member.key);
    inside(member.value);
  }
  for (const Value element : json::elements(value)) inside(element);
}

void requirePointers(Value root, Value value, const std::string& pointer) {
  require(json::valueAt(root, pointer) == value, "a pointer names its value", pointer);
  for (const json::Member member : json::members(value)) {
    std::string inner = pointer;
    json::appendPointer(inner, member.key.text());
    requirePointers(root, member.value, inner);
  }
  size_t index = 0;
  for (const Value element : json::elements(value)) {
    std::string inner = pointer;
    json::appendPointer(inner, index++);
    requirePointers(root, element, inner);
  }
}

// Any text of a number; the digits of the C library are exact.
void requireNumber(Value number) {
  const std::string text(number.bytes());
  const double expected = std::strtod(text.c_str(), nullptr);
  const std::optional<double> read = json::readDouble(text);
  require(read && *read == expected, "a number is the nearest double", text);
  if (!std::isfinite(*read)) return;
  const std::optional<double> again = json::readDouble(json::decimalText(*read));
  require(again && *again == *read, "the shortest digits read back as the number", text);
}

void requireString(Value string) {
  const std::string text = string.text();
  require(validUtf8(text) == text, "a text is UTF-8", string.bytes());
  require(string.equals(text), "a string equals its text", string.bytes());
}

void copy(json::Writer& out, Value value) {
  switch (value.kind()) {
    case Kind::kObject: {
      const json::Writer::Scope scope = out.object();
      for (const json::Member member : json::members(value)) {
        copy(out.key(member.key.text()), member.value);
      }
      return;
    }
    case Kind::kArray: {
      const json::Writer::Scope scope = out.array();
      for (const Value element : json::elements(value)) copy(out, element);
      return;
    }
    case Kind::kString:
      requireString(value);
      out.string(value.text());
      return;
    case Kind::kNumber:
      requireNumber(value);
      [[fallthrough]];
    default:
      out.raw(value.bytes());
  }
}

bool areEqual(Value a, Value b) {
  if (a.kind() != b.kind() || a.size() != b.size() || a.nodes() != b.nodes()) return false;
  if (a.isString()) return a.text() == b.text();
  if (!a.isArray() && !a.isObject()) return a.bytes() == b.bytes();
  Value left = a.first();
  Value right = b.first();
  for (; left != a.next(); left = left.next(), right = right.next()) {
    if (!areEqual(left, right)) return false;
  }
  return true;
}

void requireSameDocument(Value root) {
  const std::string text = json::toText(json::toDocument(root));
  const Result<json::Tape> again = json::Tape::read(text);
  require(static_cast<bool>(again), "a document is written as JSON", text);
  require(json::toText(json::toDocument(again.value().root())) == text,
          "a document is read again equally", text);
}

void requireLenient(std::string_view bytes) {
  const std::optional<json::LenientText> found = json::readLenient(bytes);
  if (!found) return;
  if (!found->status) return requireLocated(found->status.error(), bytes);
  size_t begin = 0;
  size_t at = 0;
  for (const json::Departure& each : found->departures) {
    require(begin <= each.begin && each.begin < each.end && each.end <= bytes.size(),
            "departures are in the order of the text");
    require(std::string_view(found->json).substr(at, each.at - at) ==
                bytes.substr(begin, each.begin - begin),
            "what is between departures stays", found->json);
    const size_t end = each.at + each.strict.size();
    require(found->sourceOf(end) == each.end, "a byte has its source");
    require(each.strict.empty() || found->sourceOfEnd(end) == each.end, "a value has its end");
    begin = each.end;
    at = each.at + each.strict.size();
  }
  require(std::string_view(found->json).substr(at) == bytes.substr(begin), "the end stays");
}

void run(std::string_view bytes) {
  const Result<json::Tape> tape = json::Tape::read(bytes);
  if (!tape) {
    requireLenient(bytes);
    return requireLocated(tape.error(), bytes);
  }
  const Value root = tape.value().root();
  requireSpans(root, 0, bytes.size());
  json::Writer out;
  copy(out, root);
  const Result<json::Tape> again = json::Tape::read(out.text());
  require(again && areEqual(again.value().root(), root), "what is written is read again equally",
          out.text());
  requireSameDocument(root);
  // Each pointer is followed from the root.
  constexpr uint32_t kFewNodes = 300;
  if (root.nodes() < kFewNodes) requirePointers(root, root, "");
}

const Registration kTarget("json", run);

}  // namespace
}  // namespace strata::fuzz
