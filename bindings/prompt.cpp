// Binds prompts and their arguments to JavaScript.
#include "base/sha256.h"
#include "core.h"
#include "json/writer.h"
#include "prompt/compiler.h"
#include "prompt/prompt_arguments.h"
#include "prompt/prompt_template.h"
#include "sections/boundary.h"

namespace strata::bindings {
namespace {

// Opens an object with the lengths in bytes of the stable start and the dynamic end of a full text.
json::Writer openHalves(size_t stable, size_t dynamic) {
  json::Writer out;
  out.open('{').key("stable").integer(static_cast<int64_t>(stable));
  out.key("dynamic").integer(static_cast<int64_t>(dynamic));
  return out;
}

}  // namespace

void Core::compile() {
  const Result<json::Tape> input = json::Tape::read(exchange_.part(0));
  if (!input) return exchange_.replyOptionError(input.error(), targetOf({}));
  const catalogue::Target target = targetOf({});
  prompt::CompiledPrompt prompt;
  const auto failure = prompt::compilePrompt(input.value().root(), target, prompt);
  if (failure && failure->error) return exchange_.replyOptionError(*failure->error, target);
  if (failure) return exchange_.reply(prompt::templateErrorJson(*failure->templateError));
  json::Writer out = openHalves(prompt.stableBytes, prompt.dynamicBytes);
  out.key("manifest").raw(prompt.manifest).close('}');
  Segments full;
  full.own(prompt.full);
  exchange_.reply(out.take(), std::move(full));
}

void Core::splitPrompt() {
  const auto halves = sections::splitAtBoundary(exchange_.part(0));
  if (!halves) return exchange_.reply("{\"none\":true}");
  exchange_.reply(openHalves(halves->stable.size(), halves->dynamic.size()).close('}').take());
}

void Core::promptArguments() {
  const Result<json::Tape> sources = json::Tape::read(exchange_.part(0));
  if (!sources) return exchange_.replyOptionError(sources.error(), targetOf({}));
  const auto made = prompt::promptArguments(sources.value().root());
  if (!made) return exchange_.replyOptionError(made.error(), targetOf({}));
  json::Writer out;
  out.open('{').key("arguments").raw(made.value().json);
  out.key("diagnostics");
  catalogue::writeDiagnostics(out, made.value().findings, targetOf({}));
  exchange_.reply(out.close('}').take());
}

void Core::fingerprint() {
  json::Writer out;
  out.open('{').key("fingerprint").string(toHex(sha256(exchange_.part(0))));
  exchange_.reply(out.close('}').take());
}

}  // namespace strata::bindings
