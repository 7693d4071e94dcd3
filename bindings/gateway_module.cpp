// Registers the classes of the module `gateway`, which validates and repairs requests, reads
// answers, and gives signatures back.
#include "core.h"
#include "module.h"
#include "openai.h"
#include "register_core.h"
#include "repair/fix_schemas.h"
#include "schemas/judge.h"
#include "signatures.h"

namespace strata::bindings {

std::string_view coreTexts() { return catalogue::coreTexts(); }

const layers::TemplateEngine* templateEngine() { return nullptr; }

lint::SchemaJudge schemaJudge() { return schemas::judge; }

repair::SchemaRewrite schemaRewrite() { return repair::rewriteSchemas; }

EditsFinder editsFinder() { return nullptr; }

EMSCRIPTEN_BINDINGS(gateway) {
  registerCore()
      .function("openAiRequest", &openAiRequest)
      .function("answerSignatures", &answerSignatures);
}

}  // namespace strata::bindings
