// Registers the built-in types that bindings pass to JavaScript. It replaces the file of embind
// that registers all types; embind.js has no others.
#include <emscripten/bind.h>

#include <climits>

using emscripten::internal::TypeID;

namespace {

// What Emscripten calls Uint8Array, the only kind of view.
constexpr unsigned kUint8Array = 1;

}  // namespace

extern "C" {

__attribute__((constructor)) void __embind_register_native_and_builtin_types() {
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
