// Binds the rewriting of a schema to JavaScript.
#include "core.h"
#include "schemas/rewrite.h"

namespace strata::bindings {

void Core::schema() {
  const Result<ModelOptions> options = readModelOptions(1);
  if (!options) return replyOptionError(options.error());
  const catalogue::Target target = targetOf(options.value().model, options.value().service);
  const Result<json::Tape> tape = json::Tape::read(exchange_.part(0));
  if (!tape) return exchange_.replyError(tape.error(), target);
  schemas::Subject subject;
  subject.schema = tape.value().root();
  subject.form = schemas::Form::kJsonSchema;
  subject.use = schemas::Use::kResponse;
  schemas::Rewriting rewriting = schemas::toJsonSchema(subject, target);
  catalogue::Findings findings = std::move(rewriting.repaired);
  for (catalogue::Finding& finding : rewriting.left) findings.push_back(std::move(finding));
  json::Writer out;
  out.open('{').key("schema").raw(rewriting.schema).key("diagnostics");
  catalogue::writeDiagnostics(out, findings, target);
  exchange_.reply(out.close('}').take());
}

}  // namespace strata::bindings
