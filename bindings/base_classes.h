// Registers the classes of modules that have threads. A module adds its own functions to them.
#pragma once

#include <emscripten/bind.h>

#include "register_core.h"
#include "thread.h"

namespace strata::bindings {

inline emscripten::class_<ThreadBinding> registerThread() {
  return emscripten::class_<ThreadBinding>("Thread")
      .constructor<Core&>()
      .constructor<const ThreadBinding&, uint32_t>()
      .function("committed", &ThreadBinding::committed)
      .function("size", &ThreadBinding::size)
      .function("tokens", &ThreadBinding::tokens)
      .function("rewind", &ThreadBinding::rewind)
      .function("append", &ThreadBinding::append)
      .function("appendAnswer", &ThreadBinding::appendAnswer)
      .function("check", &ThreadBinding::check)
      .function("checkResponses", &ThreadBinding::checkResponses)
      .function("tail", &ThreadBinding::tail)
      .function("timeline", &ThreadBinding::timeline)
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
