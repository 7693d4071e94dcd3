#include "json/pointer.h"

namespace strata::json {

void appendPointer(std::string& pointer, std::string_view key) {
  pointer.push_back('/');
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer.push_back(c);
    }
  }
}

void appendPointer(std::string& pointer, size_t index) {
  pointer.push_back('/');
  pointer += std::to_string(index);
}

}  // namespace strata::json
