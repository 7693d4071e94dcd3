// Registers the classes of the module talk: threads, requests and answers.
#include <emscripten/bind.h>

#include "models.h"
#include "module.h"
#include "planner.h"
#include "register_core.h"
#include "thread.h"

namespace strata::bindings {

catalogue::RuleTexts moduleTexts() { return {.requests = catalogue::requestRuleTexts()}; }

EMSCRIPTEN_BINDINGS(talk) {
  registerCore()
      .function("modelLimits", &modelLimits)
      .function("estimate", &estimate)
      .function("calibrate", &calibrate)
      .function("schema", &schema)
      .function("planCache", &planCache);
  emscripten::class_<ThreadBinding>("Thread")
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
      .function("assemble", &ThreadBinding::assemble)
      .function("cacheBody", &ThreadBinding::cacheBody)
      .function("cachePreview", &ThreadBinding::cachePreview)
      .function("hostReply", &ThreadBinding::hostReply)
      .function("mask", &ThreadBinding::mask)
      .function("shorten", &ThreadBinding::shorten)
      .function("compression", &ThreadBinding::compression)
      .function("budget", &ThreadBinding::budget)
      .function("rewrite", &ThreadBinding::rewrite);
}

}  // namespace strata::bindings
