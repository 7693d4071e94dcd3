// Registers the built-in types that bindings pass to JavaScript. It replaces the file of embind
// that registers all types, and with each the code that converts it: strings of every kind, 64-bit
// integers, every typed array.
#include <emscripten/bind.h>
#include <emscripten/emscripten.h>

#include <climits>
#include <cstring>

using emscripten::internal::TypeID;

namespace {

// The position of Uint8Array in the list of _embind_register_memory_view in Emscripten's embind.js.
constexpr unsigned kUint8Array = 1;

}  // namespace

extern "C" {

// Returns what embind's messages call a type that is not registered. JavaScript frees it.
EMSCRIPTEN_KEEPALIVE const char* __getTypeName(const void*) {
  return strdup("a type that bindings/embind_types.cpp does not register");
}

EMSCRIPTEN_KEEPALIVE __attribute__((constructor)) void
__embind_register_native_and_builtin_types() {
  using namespace emscripten::internal;
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_bool(TypeID<bool>::get(), "bool", sizeof(bool), true, false);
  _embind_register_integer(TypeID<int>::get(), "int", sizeof(int), INT_MIN, INT_MAX);
  _embind_register_integer(TypeID<unsigned>::get(), "unsigned int", sizeof(unsigned), 0, UINT_MAX);
  _embind_register_emval(TypeID<emscripten::val>::get(), "emscripten::val");
  using Bytes = emscripten::memory_view<unsigned char>;
  _embind_register_memory_view(TypeID<Bytes>::get(), kUint8Array, "Uint8Array");
}

}  // extern "C"
