// Binds the rewriting of a schema to JavaScript.
#include "core.h"
#include "schemas/rewrite.h"

namespace strata::bindings {

void Core::schema() {
  const Options given(exchange_.part(1));
  json::OptionsReader options = given.reader();
  std::string model;
  catalogue::Service service;
  options.nonEmptyString("model", model);
  catalogue::readService(options, service);
  if (const Status status = options.finish(); !status) return replyOptionError(status.error());
  const catalogue::Target target = targetOf(model, service);
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
