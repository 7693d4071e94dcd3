// Registers the classes of the module `lite`, which does what a chat needs: threads, requests with
// finished texts, answers, lint and token estimates.
#include <emscripten/bind.h>

#include "base_classes.h"
#include "module.h"
#include "thread/history.h"

namespace strata::bindings {

std::string_view coreTexts() { return {}; }

const layers::TemplateEngine* templateEngine() { return nullptr; }

lint::SchemaJudge schemaJudge() { return nullptr; }

repair::SchemaRewrite schemaRewrite() { return nullptr; }

EditsFinder editsFinder() { return nullptr; }

Imported readHistory(thread::Thread& thread, std::string_view bytes, json::OptionsReader& options) {
  Imported result;
  result.optionStatus = options.finish();
  if (!result.optionStatus) return result;
  result.status = thread::loadHistory(thread, bytes, result.records);
  return result;
}

EMSCRIPTEN_BINDINGS(lite) {
  registerCore();
  registerThread();
}

}  // namespace strata::bindings
