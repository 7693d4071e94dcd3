// Runs the one target of a program under libFuzzer.
#include <cstddef>
#include <cstdint>

#include "fuzz/cpp/target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  strata::fuzz::targets().front().run({reinterpret_cast<const char*>(data), size});
  return 0;
}
