// Binds the conversion of other clients' histories to JavaScript.
#include "bodies.h"
#include "dialects/import.h"
#include "json/writer.h"
#include "stream/content_builder.h"
#include "thread/saved_form.h"

namespace strata::bindings {
namespace {

// Joins the Contents of a stream's chunks into one.
std::string composeContents(const std::vector<std::string>& contents) {
  stream::ContentBuilder builder;
  for (const std::string& content : contents) {
    const Result<json::Tape> tape = json::Tape::read(content);
    if (!tape) continue;
    builder.addContent(tape.value().root());
    for (const json::Value part : json::elements(tape.value().root().find("parts"))) {
      builder.endCallBefore(part);
      builder.addPart(part);
    }
  }
  builder.endCall();
  return std::string(builder.text());
}

}  // namespace

void importHistory(Core& core) {
  Exchange& exchange = core.exchange();
  const Options given(exchange.part(1));
  json::OptionsReader options = given.reader();
  std::string model;
  catalogue::Service service;
  options.string("model", model);
  catalogue::readService(options, service);
  dialects::ImportOptions asked = dialects::readImportOptions(options);
  if (const Status status = options.finish(); !status) return core.replyOptionError(status.error());
  asked.compose = composeContents;
  const catalogue::Target target = core.targetOf(model, service);
  thread::Thread thread(target, false, thread::estimateFor(target));
  dialects::Imported imported;
  const Status status = dialects::importHistory(thread, exchange.part(0), asked, imported);
  if (!status) return exchange.replyError(status.error(), target);
  json::Writer out;
  const std::string contents = "[" + std::string(thread.contents(0, thread.size())) + "]";
  out.open('{').key("size").integer(static_cast<int64_t>(contents.size()));
  out.key("systemText").string(imported.systemText).key("diagnostics");
  catalogue::writeDiagnostics(out, imported.notes, target);
  Segments bytes;
  bytes.own(contents + thread::save(thread, 0).join());
  exchange.reply(out.close('}').take(), std::move(bytes));
}

}  // namespace strata::bindings
