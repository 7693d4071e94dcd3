#include "json/writer.h"

#include <array>

#include "json/number.h"
#include "json/string.h"

namespace strata::json {
namespace {

constexpr size_t kInitialSize = 512;

}  // namespace

void Writer::separate() {
  if (needsComma_) out_.push_back(',');
  needsComma_ = true;
}

Writer::Scope Writer::object() {
  open('{');
  return Scope(*this, '}');
}

Writer::Scope Writer::object(std::string_view name) {
  key(name).open('{');
  return Scope(*this, '}');
}

Writer::Scope Writer::array() {
  open('[');
  return Scope(*this, ']');
}

Writer::Scope Writer::array(std::string_view name) {
  key(name).open('[');
  return Scope(*this, ']');
}

Writer& Writer::open(char bracket) {
  // Most documents are about as long as this, and longer ones are moved fewer times.
  if (out_.empty()) out_.reserve(kInitialSize);
  separate();
  out_.push_back(bracket);
  needsComma_ = false;
  return *this;
}

Writer& Writer::close(char bracket) {
  out_.push_back(bracket);
  needsComma_ = true;
  return *this;
}

Writer& Writer::key(std::string_view name) {
  quoted(name, ":");
  needsComma_ = false;
  return *this;
}

Writer& Writer::string(std::string_view text) {
  quoted(text, "");
  needsComma_ = true;
  return *this;
}

void Writer::quoted(std::string_view text, std::string_view after) {
  std::array<char, 80> bytes{};
  if (text.size() + 4 <= bytes.size() && isPlain(text)) {
    // Names and fingerprints: one call of the string for each, since these are most of a manifest.
    size_t size = 0;
    if (needsComma_) bytes[size++] = ',';
    bytes[size++] = '"';
    size += text.copy(&bytes[size], text.size());
    bytes[size++] = '"';
    size += after.copy(&bytes[size], after.size());
    out_.append(bytes.data(), size);
    return;
  }
  separate();
  appendQuoted(out_, text);
  out_.append(after);
}

Writer& Writer::integer(int64_t value) { return raw(std::to_string(value)); }

Writer& Writer::number(double value) {
  const Decimal decimal = shortestDecimal(value);
  if (decimal.digits.empty()) return integer(0);
  std::string digits = value < 0 ? "-" : "";
  digits += decimal.digits;
  const int exponent = decimal.point - static_cast<int>(decimal.digits.size());
  if (exponent != 0) digits += "e" + std::to_string(exponent);
  return raw(digits);
}

Writer& Writer::boolean(bool value) { return raw(value ? "true" : "false"); }

Writer& Writer::raw(std::string_view json) {
  separate();
  out_.append(json);
  return *this;
}

}  // namespace strata::json
