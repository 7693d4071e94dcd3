// Passes bytes to callbacks that are written in JavaScript, and back.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace strata::bindings {

/// Returns a view of `bytes`, which is valid until the memory grows.
inline emscripten::val viewOf(std::string_view bytes) {
  return emscripten::val(
      emscripten::typed_memory_view(bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data())));
}

/// What a callback returns besides a number or a boolean.
class HostReply {
 public:
  /// Returns a view of `size` bytes, which the callback fills. Valid until the memory grows or the
  /// next call.
  emscripten::val buffer(uint32_t size) {
    bytes_.resize(size);
    return emscripten::val(
        emscripten::typed_memory_view(size, reinterpret_cast<uint8_t*>(bytes_.data())));
  }
  std::string take() { return std::exchange(bytes_, {}); }

 private:
  std::string bytes_;
};

}  // namespace strata::bindings
