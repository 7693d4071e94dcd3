// Mutates a few bytes of a valid text, which reaches code that random bytes do not.
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace strata::test {

/// Returns `text` with one to eight changes: bytes replaced, erased, inserted, or duplicated. Most
/// new bytes are significant in JSON or in event streams.
inline std::string mutated(std::string text, std::mt19937& random) {
  constexpr std::string_view kBytes = "{}[]\",:\\\r\n \tu0d8e-dataerror\x80\xC3\xFF";
  const size_t changes = 1 + random() % 8;
  for (size_t i = 0; i < changes && !text.empty(); ++i) {
    const size_t at = random() % text.size();
    const char byte = kBytes[random() % kBytes.size()];
    switch (random() % 4) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.erase(at, 1 + random() % 3);
        break;
      case 2:
        text.insert(at, 1, byte);
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), random() % 12));
    }
  }
  return text;
}

}  // namespace strata::test
