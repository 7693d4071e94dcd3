// Registers what every module offers. A module adds its own functions to the classes.
#pragma once

#include <emscripten/bind.h>

#include "core.h"
#include "thread.h"

namespace strata::bindings {

inline emscripten::class_<Core> registerCore() {
  return emscripten::class_<Core>("Core")
      .constructor<>()
      .function("buffer", &Core::buffer)
      .function("outOfMemory", &Core::outOfMemory)
      .function("configure", &Core::configure)
      .function("lint", &Core::lint)
      .function("modelLimits", &Core::modelLimits)
      .function("estimate", &Core::estimate)
      .function("calibrate", &Core::calibrate);
}

inline emscripten::class_<ThreadBinding> registerThread() {
  return emscripten::class_<ThreadBinding>("Thread")
      .constructor<Core&>()
      .constructor<const ThreadBinding&, uint32_t>()
      .function("committed", &ThreadBinding::committed)
      .function("size", &ThreadBinding::size)
      .function("tokens", &ThreadBinding::tokens)
      .function("rewind", &ThreadBinding::rewind)
      .function("append", &ThreadBinding::append)
      .function("check", &ThreadBinding::check)
      .function("checkResponses", &ThreadBinding::checkResponses)
      .function("tail", &ThreadBinding::tail)
      .function("lastUserText", &ThreadBinding::lastUserText)
      .function("calibration", &ThreadBinding::calibration)
      .function("setCalibration", &ThreadBinding::setCalibration)
      .function("content", &ThreadBinding::content)
      .function("report", &ThreadBinding::report)
      .function("save", &ThreadBinding::save)
      .function("saveSince", &ThreadBinding::saveSince)
      .function("record", &ThreadBinding::record)
      .function("assemble", &ThreadBinding::assemble);
}

}  // namespace strata::bindings
