// Registers the classes of the module `lite`, which does what a chat needs: threads, requests with
// finished texts, answers, lint and token estimates.
#include <emscripten/bind.h>

#include "core.h"
#include "module.h"
#include "thread.h"
#include "thread/history.h"

namespace strata::bindings {

const layers::TemplateEngine* templateEngine() { return nullptr; }

lint::SchemaJudge schemaJudge() { return nullptr; }

Imported readHistory(thread::Thread& thread, std::string_view bytes, json::OptionsReader& options) {
  Imported result;
  if (const Status status = options.finish(); !status) {
    result.optionError = status.error();
    return result;
  }
  result.status = thread::loadHistory(thread, bytes, result.records);
  return result;
}

EMSCRIPTEN_BINDINGS(lite) {
  emscripten::class_<Core>("Core")
      .constructor<>()
      .function("buffer", &Core::buffer)
      .function("outOfMemory", &Core::outOfMemory)
      .function("configure", &Core::configure)
      .function("lint", &Core::lint)
      .function("modelLimits", &Core::modelLimits)
      .function("estimate", &Core::estimate)
      .function("calibrate", &Core::calibrate);
  emscripten::class_<ThreadBinding>("Thread")
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
