#include "json/document.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "json/number.h"
#include "json/writer.h"

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

// Writes a document with the writer of all other JSON: the library's own `dump` links printf.
void write(Writer& out, const Document& document) {
  switch (document.type()) {
    case Document::value_t::object: {
      const Writer::Scope scope = out.object();
      for (const auto& [name, value] : *document.get_ptr<const Document::object_t*>()) {
        write(out.key(validUtf8(name)), value);
      }
      return;
    }
    case Document::value_t::array: {
      const Writer::Scope scope = out.array();
      for (const Document& element : *document.get_ptr<const Document::array_t*>()) {
        write(out, element);
      }
      return;
    }
    case Document::value_t::string:
      out.string(validUtf8(*document.get_ptr<const std::string*>()));
      return;
    case Document::value_t::boolean:
      out.boolean(*document.get_ptr<const bool*>());
      return;
    case Document::value_t::number_integer:
      out.integer(*document.get_ptr<const int64_t*>());
      return;
    case Document::value_t::number_unsigned:
      out.raw(std::to_string(*document.get_ptr<const uint64_t*>()));
      return;
    case Document::value_t::number_float: {
      const double number = *document.get_ptr<const double*>();
      if (std::isfinite(number)) {
        out.raw(decimalText(number));
        return;
      }
      break;
    }
    default:
      break;
  }
  out.raw("null");
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
  Writer out;
  write(out, document);
  return out.take();
}

}  // namespace strata::json
