#include "json/given.h"

#include <cmath>

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

std::optional<double> Given::number() const {
  if (!is(Kind::kNumber)) return std::nullopt;
  constexpr int64_t kNoInteger = -1;
  const int64_t integer = value_.integer(kNoInteger);
  const double number = integer != kNoInteger ? static_cast<double>(integer)
                                              : readDouble(value_.bytes()).value_or(INFINITY);
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

std::vector<std::pair<std::string, Given>> Given::members() const {
  std::vector<std::pair<std::string, Given>> all;
  for (const Member member : json::members(value_)) {
    all.emplace_back(member.key.text(), member.value);
  }
  return all;
}

std::vector<Given> Given::elements() const {
  std::vector<Given> all;
  for (const Value element : json::elements(value_)) all.emplace_back(element);
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
      return std::string(value_.bytes());
  }
}

}  // namespace strata::json
