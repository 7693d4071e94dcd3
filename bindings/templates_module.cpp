// Registers the classes of the module templates: the template engine and prompts.
#include "module.h"
#include "prompt.h"
#include "register_core.h"

namespace strata::bindings {

catalogue::RuleTexts moduleTexts() { return {.prompts = catalogue::promptRuleTexts()}; }

EMSCRIPTEN_BINDINGS(templates) {
  registerCore()
      .function("compile", &compilePrompt)
      .function("splitPrompt", &splitPrompt)
      .function("promptArguments", &promptArguments)
      .function("diffManifests", &diffManifests)
      .function("fingerprint", &fingerprint)
      .function("defaultTemplate", &defaultTemplate);
}

}  // namespace strata::bindings
