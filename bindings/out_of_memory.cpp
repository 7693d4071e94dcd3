#include "out_of_memory.h"

#include <cstdlib>
#include <new>

namespace strata::bindings {

volatile uint32_t ranOutOfMemory = 0;

}  // namespace strata::bindings

// The standard library's operator calls abort(), and Emscripten's abort() prints to the console.
void* operator new(size_t size) {
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory != nullptr) return memory;
  strata::bindings::ranOutOfMemory = 1;
  __builtin_trap();
}

// Called by the standard library, for example for a string of more than its maximum size.
extern "C" void abort() { __builtin_trap(); }
