#include "json/document.h"

#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "json/number.h"

namespace strata::json {
namespace {

// Reads digits as the integer type that holds them, anything else as a double.
Document numberOf(std::string_view text) {
  const char* const end = text.data() + text.size();
  int64_t integer = 0;
  const auto [last, error] = std::from_chars(text.data(), end, integer);
  if (last == end && error == std::errc()) return integer;
  uint64_t natural = 0;
  const auto [lastNatural, naturalError] = std::from_chars(text.data(), end, natural);
  if (lastNatural == end && naturalError == std::errc()) return natural;
  return readDouble(text).value_or(0);
}

Document objectOf(Value value) {
  Document object = Document::object();
  // The Tape rejects duplicate keys, so no member replaces another.
  for (const Member member : members(value)) {
    object.get_ptr<Document::object_t*>()->emplace_back(member.key.text(),
                                                        toDocument(member.value));
  }
  return object;
}

Document arrayOf(Value value) {
  Document array = Document::array();
  for (const Value element : elements(value)) array.push_back(toDocument(element));
  return array;
}

}  // namespace

Document toDocument(Value value) {
  if (!value) return nullptr;
  switch (value.kind()) {
    case Kind::kNull:
      return nullptr;
    case Kind::kFalse:
    case Kind::kTrue:
      return value.isTrue();
    case Kind::kNumber:
      return numberOf(value.bytes());
    case Kind::kString:
      return value.text();
    case Kind::kArray:
      return arrayOf(value);
    case Kind::kObject:
      return objectOf(value);
  }
  return nullptr;
}

std::string toText(const Document& document) {
  return document.dump(-1, ' ', false, Document::error_handler_t::replace);
}

}  // namespace strata::json
