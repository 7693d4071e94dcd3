// Registers what the class Core of every module offers. A module adds its own functions.
#pragma once

#include <emscripten/bind.h>

#include "core.h"

namespace strata::bindings {

inline emscripten::class_<Core> registerCore() {
  return emscripten::class_<Core>("Core")
      .constructor<>()
      .function("buffer", &Core::buffer)
      .function("outOfMemory", &Core::outOfMemory)
      .function("configure", &Core::configure);
}

}  // namespace strata::bindings
