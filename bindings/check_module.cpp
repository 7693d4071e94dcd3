// Registers the classes of the module check: it judges, repairs and converts what others wrote.
#include "bodies.h"
#include "models.h"
#include "module.h"
#include "openai.h"
#include "register_core.h"
#include "signatures.h"

namespace strata::bindings {

catalogue::RuleTexts moduleTexts() {
  return {.requests = catalogue::requestRuleTexts(), .bodies = catalogue::bodyRuleTexts()};
}

EMSCRIPTEN_BINDINGS(check) {
  registerCore()
      .function("lint", &lint)
      .function("repair", &repair)
      .function("locate", &locate)
      .function("convert", &convert)
      .function("timeline", &timeline)
      .function("importHistory", &importHistory)
      .function("modelLimits", &modelLimits)
      .function("estimate", &estimate)
      .function("schema", &schema)
      .function("openAiRequest", &openAiRequest)
      .function("answerSignatures", &answerSignatures);
}

}  // namespace strata::bindings
