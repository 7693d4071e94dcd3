// Binds the rewriting of a schema to JavaScript.
#include "models.h"
#include "schemas/rewrite.h"

namespace strata::bindings {

void schema(Core& core) {
  Exchange& exchange = core.exchange();
  const Result<ModelOptions> options = readModelOptions(exchange, 1);
  if (!options) return core.replyOptionError(options.error());
  const catalogue::Target target = core.targetOf(options.value().model, options.value().service);
  const Result<json::Tape> tape = json::Tape::read(exchange.part(0));
  if (!tape) return exchange.replyError(tape.error(), target);
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
  exchange.reply(out.close('}').take());
}

}  // namespace strata::bindings
