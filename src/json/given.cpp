#include "json/given.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "json/number.h"
#include "json/string.h"

namespace strata::json {
namespace {

constexpr size_t kMaxDescribed = 40;

// Cuts `text` before the code point that would exceed the limit.
void shortenForMessage(std::string& text) {
  if (text.size() <= kMaxDescribed) return;
  size_t end = kMaxDescribed;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  text.resize(end);
}

}  // namespace

Kind Given::kind() const {
  if (value_) return value_.kind();
  switch (document_->type()) {
    case Document::value_t::boolean:
      return *document_->get_ptr<const bool*>() ? Kind::kTrue : Kind::kFalse;
    case Document::value_t::number_integer:
    case Document::value_t::number_unsigned:
    case Document::value_t::number_float:
      return Kind::kNumber;
    case Document::value_t::string:
      return Kind::kString;
    case Document::value_t::array:
      return Kind::kArray;
    case Document::value_t::object:
      return Kind::kObject;
    default:
      return Kind::kNull;
  }
}

std::string Given::text() const {
  if (document_ == nullptr) return value_.text();
  const auto* text = document_->get_ptr<const std::string*>();
  return text == nullptr ? std::string() : *text;
}

bool Given::equals(std::string_view expected) const {
  if (document_ == nullptr) return value_.equals(expected);
  const auto* text = document_->get_ptr<const std::string*>();
  return text != nullptr && *text == expected;
}

std::optional<double> Given::number() const {
  if (!is(Kind::kNumber)) return std::nullopt;
  double number = 0;
  if (document_ != nullptr) {
    // A number converts to any arithmetic type.
    number = document_->get<double>();
  } else {
    constexpr int64_t kNoInteger = -1;
    const int64_t integer = value_.integer(kNoInteger);
    number = integer != kNoInteger ? static_cast<double>(integer)
                                   : readDouble(value_.bytes()).value_or(INFINITY);
  }
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

size_t Given::size() const {
  if (document_ == nullptr) return value_.size();
  return document_->is_structured() ? document_->size() : 0;
}

Given Given::find(std::string_view key) const {
  if (document_ == nullptr) return value_.find(key);
  const auto* object = document_->get_ptr<const Document::object_t*>();
  if (object == nullptr) return {};
  for (const auto& [name, value] : *object) {
    if (name == key) return value;
  }
  return {};
}

std::vector<std::pair<std::string, Given>> Given::members() const {
  std::vector<std::pair<std::string, Given>> all;
  if (document_ == nullptr) {
    for (const Member member : json::members(value_)) {
      all.emplace_back(member.key.text(), member.value);
    }
  } else if (const auto* object = document_->get_ptr<const Document::object_t*>()) {
    for (const auto& [name, value] : *object) all.emplace_back(name, Given(value));
  }
  return all;
}

std::vector<Given> Given::elements() const {
  std::vector<Given> all;
  if (document_ == nullptr) {
    for (const Value element : json::elements(value_)) all.emplace_back(element);
  } else if (const auto* array = document_->get_ptr<const Document::array_t*>()) {
    for (const Document& element : *array) all.emplace_back(element);
  }
  return all;
}

std::string Given::described() const {
  if (!*this) return {};
  switch (kind()) {
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
      return "an object";
    case Kind::kString: {
      std::string given = text();
      shortenForMessage(given);
      std::string out;
      appendQuoted(out, given);
      return out;
    }
    default:
      return document_ == nullptr ? std::string(value_.bytes()) : toText(*document_);
  }
}

}  // namespace strata::json
